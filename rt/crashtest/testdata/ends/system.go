package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Ends that the system makes or is told of, limits, and what looks like an end and is none.

// send is how a signal is taken that nobody has asked for.
func send(s syscall.Signal) {
	syscall.Kill(os.Getpid(), s)
	pause()
	fmt.Println("alive")
}

// ask is how one is taken that somebody waits for.
func ask(s syscall.Signal) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, s)
	syscall.Kill(os.Getpid(), s)
	fmt.Println(<-c)
}

// many sends one often, which the run-time system uses itself.
func many(s syscall.Signal) {
	for range 1000 {
		syscall.Kill(os.Getpid(), s)
	}
	send(s)
}

// writeBroken writes to a pipe that nobody reads, as descriptor fd if that is not negative.
func writeBroken(fd int) {
	r, w, _ := os.Pipe()
	if fd >= 0 {
		syscall.Dup2(int(w.Fd()), fd)
		w = os.NewFile(uintptr(fd), "broken")
	}
	r.Close()
	_, err := w.Write([]byte("x"))
	fmt.Fprintln(os.Stderr, "after", err)
}

// dropped makes something with end attached, drops it, and collects.
func dropped(attach func(*[100]int)) {
	attach(new([100]int))
	for range 5 {
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
}

func fault() { fmt.Println(*(*int)(unsafe.Pointer(uintptr(0xdead0000)))) }

func selectOf(n, cases int, after time.Duration) {
	chans := make([]reflect.SelectCase, cases)
	for i := range chans {
		chans[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}
	}
	go func() { time.Sleep(after); chans[n].Chan.Send(reflect.ValueOf(3)) }()
	fmt.Println(reflect.Select(chans))
}

var system = []end{
	{"exit", func() { defer fmt.Println("no"); os.Exit(3) }},
	{"exit-large", func() { os.Exit(256 + 5) }},
	{"exit-negative", func() { os.Exit(-1) }},
	{"exit-locked-main-gone", func() {
		runtime.LockOSThread()
		go func() { pause(); os.Exit(4) }()
		runtime.Goexit()
	}},
	{"sigterm", func() { send(syscall.SIGTERM) }},
	{"sigint", func() { send(syscall.SIGINT) }},
	{"sighup", func() { send(syscall.SIGHUP) }},
	{"sigfpe-sent", func() { send(syscall.SIGFPE) }},
	{"sigill-sent", func() { send(syscall.SIGILL) }},
	{"sigstkflt-sent", func() { send(syscall.SIGSTKFLT) }},
	{"sigusr1", func() { send(syscall.SIGUSR1) }},
	{"sigusr2", func() { send(syscall.SIGUSR2) }},
	{"sigalrm", func() { send(syscall.SIGALRM) }},
	{"sigvtalrm", func() { send(syscall.SIGVTALRM) }},
	{"sigpipe", func() { send(syscall.SIGPIPE) }},
	{"sigxcpu", func() { send(syscall.SIGXCPU) }},
	{"sigchld", func() { send(syscall.SIGCHLD) }},
	{"sigwinch", func() { send(syscall.SIGWINCH) }},
	{"sigio", func() { send(syscall.SIGIO) }},
	{"signal-real-time", func() { send(syscall.Signal(40)) }},
	{"sigurg-many", func() { many(syscall.SIGURG) }},
	{"sigprof-many", func() { many(syscall.SIGPROF) }},
	{"sigtrap-asked", func() { ask(syscall.SIGTRAP) }},
	{"sigsegv-asked", func() { ask(syscall.SIGSEGV) }},
	{"sigterm-asked", func() { ask(syscall.SIGTERM) }},
	{"sigterm-reset", func() { ask(syscall.SIGTERM); signal.Reset(); send(syscall.SIGTERM) }},
	{"sigterm-ignored", func() { signal.Ignore(syscall.SIGTERM); send(syscall.SIGTERM) }},
	{"broken-output", func() { writeBroken(1) }},
	{"broken-pipe", func() { writeBroken(-1) }},
	{"broken-output-asked", func() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE); writeBroken(1) }},
	{"fault-anywhere", fault},
	{"fault-recovered", func() {
		debug.SetPanicOnFault(true)
		defer func() {
			r := recover()
			e, ok := r.(interface{ Addr() uintptr })
			fmt.Println(r, ok && e.Addr() == 0xdead0000)
		}()
		fault()
	}},
	{"fault-behind-file", func() {
		f, _ := os.CreateTemp("", "x")
		defer os.Remove(f.Name())
		f.Truncate(8192)
		b, _ := syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ, syscall.MAP_SHARED)
		f.Truncate(0)
		debug.SetPanicOnFault(true)
		defer func() { fmt.Println(recover()) }()
		fmt.Println(b[5000])
	}},
	{"threads", func() {
		debug.SetMaxThreads(20)
		for range 50 {
			go func() { syscall.Nanosleep(&syscall.Timespec{Sec: 2}, nil) }()
		}
		forever()
	}},
	{"threads-of-locked-dead", func() {
		for range 100 {
			d := make(chan bool)
			go func() { runtime.LockOSThread(); close(d) }()
			<-d
		}
		pause()
		b, _ := os.ReadFile("/proc/self/status")
		_, rest, _ := strings.Cut(string(b), "Threads:")
		n := 0
		fmt.Sscan(rest, &n)
		fmt.Println(n < 20)
	}},
	{"limits-unset", func() { fmt.Println(debug.SetMemoryLimit(-1), debug.SetGCPercent(-1), debug.SetGCPercent(50)) }},
	{"select-many", func() { selectOf(12345, 20000, 50*time.Millisecond) }},
	{"select-most", func() { selectOf(65535, 65536, 50*time.Millisecond) }},
	{"select-too-many", func() { selectOf(65536, 65537, 50*time.Millisecond) }},
	{"channel-of-large", func() { fmt.Println(reflect.ChanOf(reflect.BothDir, reflect.TypeOf([1 << 16]byte{}))) }},
	{"channel-long", func() {
		c := make(chan struct{}, 1<<40)
		for range 1000 {
			c <- struct{}{}
		}
		fmt.Println(len(c), cap(c))
	}},
	{"make-negative", func() { _ = make([]int, zero-1) }},
	{"make-large", func() { ints = make([]int, zero+1<<60) }},
	{"make-channel-negative", func() { _ = make(chan int, zero-1) }},
	{"unsafe-slice", func() { fmt.Println(len(unsafe.Slice(new(int), zero-1))) }},
	{"shift-negative", func() { fmt.Println(1 << (zero - 1)) }},
	{"array-of-slice", func() { _ = [4]int(make([]int, 3)) }},
	// gc may look at the stopped timer only when it would have fired.
	{"deadlock-timer-stopped", func() { time.AfterFunc(time.Second, pause).Stop(); <-make(chan int) }},
	{"deadlock-channel-of-timer", func() { t := time.NewTimer(time.Second); t.Stop(); <-t.C }},
	{"deadlock-after-timer", func() {
		time.AfterFunc(100*time.Millisecond, func() { fmt.Println("fired") })
		<-make(chan int)
	}},
	{"deadlock-listener", func() { net.Listen("tcp", "127.0.0.1:0"); <-make(chan int) }},
	{"waits-for-connection", func() {
		l, _ := net.Listen("tcp", "127.0.0.1:0")
		go l.Accept()
		time.AfterFunc(300*time.Millisecond, func() { os.Exit(7) })
		<-make(chan int)
	}},
	{"waits-for-signal", func() {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1)
		time.AfterFunc(300*time.Millisecond, func() { os.Exit(8) })
		<-make(chan int)
	}},
	{"finalizer-goexit", func() {
		dropped(func(p *[100]int) { runtime.SetFinalizer(p, func(*[100]int) { fmt.Println("first"); runtime.Goexit() }) })
		dropped(func(p *[100]int) { runtime.SetFinalizer(p, func(*[100]int) { fmt.Println("second") }) })
	}},
	{"goexit-recovers", func() {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { fmt.Println("recovered", recover()) }()
			defer runtime.Goexit()
			panic("lost")
		}()
		<-done
	}},
	{"goexit-panics", func() {
		go func() { defer func() { panic("after the end") }(); runtime.Goexit() }()
		forever()
	}},
	{"deferred-many", func() {
		defer func() { fmt.Println("recovered", recover()) }()
		for i := range 100000 {
			defer func() {
				if i == 50000 {
					panic(i)
				}
			}()
		}
	}},
	{"deferred-deep", func() {
		var f func(n int)
		f = func(n int) {
			if n == 0 {
				panic("bottom")
			}
			defer func() {
				if n == 100000 {
					fmt.Println("recovered", recover())
				}
			}()
			f(n - 1)
		}
		f(100000)
	}},
	{"panics-in-a-row", func() {
		n := 0
		var f func()
		f = func() {
			if n++; n < 20 {
				defer f()
			}
			panic(n)
		}
		f()
	}},
	{"context-tree", func() {
		ctx, end := context.WithCancelCause(context.Background())
		var leaves []context.Context
		for range 1000 {
			child, end := context.WithTimeout(ctx, time.Hour)
			defer end()
			leaves = append(leaves, child)
		}
		context.AfterFunc(leaves[500], func() { fmt.Println("after") })
		end(errors.New("cause"))
		for _, l := range leaves {
			<-l.Done()
		}
		pause()
		panic(context.Cause(leaves[7]))
	}},
	{"cond-copied", func() {
		c := sync.NewCond(new(sync.Mutex))
		c.Broadcast()
		d := *(*sync.Cond)(unsafe.Pointer(c))
		d.Broadcast()
	}},
	{"group-panics", func() { var w sync.WaitGroup; w.Go(func() { panic("in the group") }); w.Wait() }},
	{"map-looped-while-written", func() {
		m := map[int]int{}
		for i := range 1000 {
			m[i] = i
		}
		go func() {
			for i := 0; ; i++ {
				m[i%1000] = i
			}
		}()
		for {
			for range m {
			}
		}
	}},
}
