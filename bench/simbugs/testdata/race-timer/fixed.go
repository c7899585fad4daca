// Data race, timer: it is atomic.
package main

import (
	"sync/atomic"
	"time"
)

type session struct{ expired atomic.Bool }

func main() {
	var s session
	time.AfterFunc(time.Second, func() { s.expired.Store(true) })
	time.Sleep(time.Hour)
	if !s.expired.Load() {
		panic("it lives")
	}
}
