package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A program that uses from outside what belongs to a synctest bubble ends with a report of the goroutine that did, and of the program's
// frames only. It is not that of a failure of the run-time system, which has all goroutines and all frames.

var (
	channel chan int
	timer   *time.Timer
	cond    = sync.NewCond(new(sync.Mutex))
)

var cases = map[string]func(){
	"send": func() { channel <- 1 },
	"select": func() {
		select {
		case <-channel:
		case channel <- 1:
		}
	},
	"close": func() { close(channel) },
	"stop":  func() { timer.Stop() },
	"reset": func() { timer.Reset(0) },
	"signal": func() {
		cond.L.Lock() // until the bubble's goroutine waits
		cond.Signal()
	},
}

func main() {
	if len(os.Args) > 1 {
		misuse := cases[os.Args[1]]
		os.Args = os.Args[:1]
		ready := make(chan bool)
		go testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{"Test", func(t *testing.T) {
			synctest.Test(t, func(*testing.T) {
				channel = make(chan int)
				timer = time.NewTimer(time.Hour)
				cond.L.Lock()
				var busy sync.Mutex // the bubble is not blocked
				busy.Lock()
				go busy.Lock()
				close(ready)
				cond.Wait()
			})
		}}}, nil, nil)
		<-ready
		misuse()
		return
	}
	line := regexp.MustCompile(`(?m)^(fatal error: |goroutine |[a-z]+[./]).*`)
	detail := regexp.MustCompile(`\(0x.*|\(\.\.\.\)|goroutine \d+`)
	for _, name := range []string{"send", "select", "close", "stop", "reset", "signal"} {
		out, err := exec.Command(os.Args[0], name).CombinedOutput()
		fmt.Println(name, err)
		for _, l := range line.FindAllString(string(out), -1) {
			fmt.Printf("\t%s\n", detail.ReplaceAllString(l, ""))
		}
	}
}
