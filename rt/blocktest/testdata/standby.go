// Events and timers reach an idle P while another one computes, also right after a time of so
// many events that no thread waited for them (rt/sched/standby.go).
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		for {
			fmt.Println(time.Now().UnixNano())
			time.Sleep(time.Millisecond)
		}
	}
	if runtime.GOMAXPROCS(0) == 1 || runtime.NumCPU() == 1 {
		fmt.Println("ok") // nobody is idle, or nobody could be prompt
		return
	}
	stamps := exec.Command(os.Args[0], "stamps")
	out, err := stamps.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := stamps.Start(); err != nil {
		panic(err)
	}
	defer stamps.Process.Kill()
	var computes atomic.Bool
	delays := make(chan time.Duration, 1000)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			if sent, _ := strconv.ParseInt(s.Text(), 10, 64); computes.Load() {
				delays <- time.Since(time.Unix(0, sent))
			}
		}
	}()
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	echo := make(chan bool)
	go func() {
		for b := make([]byte, 1); ; {
			r.Read(b)
			echo <- true
		}
	}()
	// A machine with other work delays everybody: it must be prompt once, or the test kills it when it
	// has used much time.
	for events, timers := false, false; !(events && timers); {
		for range 100 {
			w.Write([]byte{1})
			<-echo
		}
		late := make(chan time.Duration, 1)
		due := time.Now().Add(2 * time.Millisecond)
		time.AfterFunc(time.Until(due), func() { late <- time.Since(due) })
		computes.Store(true)
		for start := time.Now(); time.Since(start) < 20*time.Millisecond; {
		}
		computes.Store(false)
		timers = timers || <-late < time.Millisecond
		var got []time.Duration
		for len(delays) > 0 {
			got = append(got, <-delays)
		}
		slices.Sort(got)
		events = events || len(got) >= 5 && got[len(got)*3/4] < 2*time.Millisecond
	}
	fmt.Println("ok")
}
