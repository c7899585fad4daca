package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Timers of outside a synctest bubble in it: they tell the time of outside, also where Loam makes the value only as it is received, by
// the receiver.
func main() {
	timer := time.NewTimer(time.Nanosecond)
	ticker := time.NewTicker(time.Millisecond)
	time.Sleep(3 * time.Millisecond)
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{"Test", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tell := func(now time.Time) { fmt.Println(now.Year() > 2020, time.Now().UTC().Year()) }
			tell(<-timer.C)
			tell(<-ticker.C)
			tell(<-ticker.C)
			select {
			case now := <-ticker.C:
				tell(now)
			case <-make(chan bool):
			}
		})
	}}}, nil, nil)
}
