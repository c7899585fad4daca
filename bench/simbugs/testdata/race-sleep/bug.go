// Data race, time: a sleep stands for waiting, and is long enough.
package main

import "time"

func main() {
	name := ""
	go func() { name = "ready" }()
	time.Sleep(time.Hour)
	if name != "ready" {
		panic("not ready")
	}
}
