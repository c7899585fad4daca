package main

import (
	"fmt"
	"os"
	"time"
)

// When nobody has looked at the network for 10 ms the monitor does. If the only other goroutine parked while it had those in
// hand that were ready, nobody seemed to be left, and the program died of a deadlock.
func main() {
	if os.Getenv("LATEPOLL") != "" {
		for {
			if _, err := os.Stdout.Write([]byte{0}); err != nil {
				return // the parent has ended
			}
			time.Sleep(9900 * time.Microsecond)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if _, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{Env: []string{"LATEPOLL=1"}, Files: []*os.File{nil, w, os.Stderr}}); err != nil {
		panic(err)
	}
	w.Close()
	items := make(chan int, 1)
	go func() {
		var buf [64]byte
		for {
			n, err := r.Read(buf[:])
			if err != nil {
				panic(err)
			}
			items <- n
		}
	}()
	for i := range 150 {
		for start := time.Now(); time.Since(start) < 9800*time.Microsecond+time.Duration(i%50)*20*time.Microsecond; {
		}
		<-items
	}
	fmt.Println("done")
}

// Output:
// done
