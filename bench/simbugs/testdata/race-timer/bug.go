// Data race, timer: the timer's function writes what is read after some time.
package main

import "time"

type session struct{ expired bool }

func main() {
	var s session
	time.AfterFunc(time.Second, func() { s.expired = true })
	time.Sleep(time.Hour)
	if !s.expired {
		panic("it lives")
	}
}
