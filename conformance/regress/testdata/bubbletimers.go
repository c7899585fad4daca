package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Timers of a synctest bubble that are made due at once: one that somebody waits for fires, one that ran before waits until everybody is
// blocked, and not the other way round.
func main() {
	testing.Main(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{"Test", func(t *testing.T) { synctest.Test(t, timers) }}}, nil, nil)
}

func timers(t *testing.T) {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	var waited time.Time
	go func() { waited = <-timer.C }()
	synctest.Wait()
	fmt.Println("reset", timer.Reset(0))
	fmt.Println("stop", timer.Stop())
	timer.Reset(0)
	fmt.Println("stop", timer.Stop())
	synctest.Wait()
	fmt.Println("waited", waited.UnixNano())

	var called time.Time
	call := func() { called = time.Now() }
	f := time.AfterFunc(time.Hour, call)
	fmt.Println("reset", f.Reset(0))
	fmt.Println("stop", f.Stop())
	time.Sleep(time.Second)
	fmt.Println("called", called.IsZero())
	f = time.AfterFunc(0, call)
	fmt.Println("stop", f.Stop())
	synctest.Wait()
	fmt.Println("called", called.UnixNano())
	called = time.Time{}
	fmt.Println("reset", f.Reset(-1))
	synctest.Wait()
	fmt.Println("called", called.UnixNano())
}
