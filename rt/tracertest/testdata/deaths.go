// Ends in the way that its first argument says, while a trace is being taken: with a second
// argument, one that it has begun itself, to that file.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// refusing is a writer whose third Write panics.
type refusing int

func (r *refusing) Write(p []byte) (int, error) {
	if *r++; *r == 3 {
		panic("the reader of the trace")
	}
	return len(p), nil
}

// exiting is a writer that lets another goroutine end the program when it gets to know why the
// program ends.
type exiting struct{}

func (exiting) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("loam/exit")) {
		go os.Exit(0)
		time.Sleep(200 * time.Millisecond)
	}
	return len(p), nil
}

// stuck is a writer whose Write does not return.
type stuck struct{}

func (stuck) Write(p []byte) (int, error) { select {} }

func init() {
	if len(os.Args) > 2 && os.Args[1] == "init" {
		f, _ := os.Create(os.Args[2])
		trace.Start(f)
		trace.Log(context.Background(), "test", "nearly")
		panic("in an initialiser")
	}
}

func work(stop <-chan struct{}) {
	var keep [][]byte
	for {
		select {
		case <-stop:
			return
		default:
			keep = append(keep[:len(keep)%100], make([]byte, 10000))
			runtime.Gosched()
		}
	}
}

func main() {
	if len(os.Args) > 2 {
		f, err := os.Create(os.Args[2])
		if err == nil {
			err = trace.Start(f)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(9)
		}
	}
	stop := make(chan struct{})
	for range 3 {
		go work(stop)
	}
	time.Sleep(20 * time.Millisecond)
	trace.Log(context.Background(), "test", "nearly")
	switch os.Args[1] {
	case "panic":
		panic(errors.New("the end\nof it"))
	case "nested":
		defer func() { panic("second") }()
		panic("first")
	case "elsewhere":
		panics := make(chan bool)
		go func() {
			defer close(panics) // main ends while the trace does
			panic("elsewhere")
		}()
		<-panics
	case "exiting":
		trace.Start(exiting{})
		panic("exiting")
	case "nil":
		var p *int
		*p = 1
	case "fatal":
		new(sync.Mutex).Unlock()
	case "locked":
		runtime.LockOSThread()
		panic("locked")
	case "bubble":
		synctest.Test(new(testing.T), func(*testing.T) {
			go func() {
				time.Sleep(time.Hour)
				panic("bubble")
			}()
			time.Sleep(2 * time.Hour)
		})
	case "two":
		for i := range 2 {
			go func() { panic(i) }()
		}
		time.Sleep(time.Hour)
	case "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT":
		syscall.Kill(os.Getpid(), map[string]syscall.Signal{
			"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP, "SIGQUIT": syscall.SIGQUIT,
		}[os.Args[1]])
		time.Sleep(time.Hour)
	case "SIGKILL":
		time.Sleep(400 * time.Millisecond)
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "exit":
		os.Exit(7)
	case "pipe":
		r, w, _ := os.Pipe()
		syscall.Dup2(int(w.Fd()), 1)
		w.Close()
		r.Close()
		for {
			fmt.Println("nobody reads this")
		}
	case "stuck":
		trace.Start(stuck{})
		time.Sleep(10 * time.Millisecond)
		panic("nobody takes the trace")
	case "reader":
		trace.Start(new(refusing))
		time.Sleep(time.Hour)
	}
}
