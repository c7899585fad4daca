// Ends in the way that its argument names; without one it prints the names.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

type faulty struct{ n int }

func (faulty) Error() string { panic("no text") }

type mute struct{ n int }

func (m mute) String() string { panic(fmt.Sprint("mute", m.n)) }

type inner struct{ n [4]int }

func (i inner) sum() int { return i.n[0] }

type outer struct {
	pad int
	*inner
}

type summer interface{ sum() int }

var (
	zero  int
	ints  []int
	table map[string]int
	anys  []any
)

//go:noinline
func deep(n int) int {
	var a [40]int
	a[n%40] = n
	return deep(n+1) + a[(n+1)%40]
}

//go:noinline
func receive(c chan int) int { return <-c }

func pause() { time.Sleep(300 * time.Millisecond) }

// forever waits for the end that another goroutine makes, which begins when this one sleeps.
func forever() { time.Sleep(time.Hour) }

// kill sends a signal to its own thread: the process's could go to any.
func kill(s syscall.Signal) {
	syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(syscall.Gettid()), uintptr(s))
	pause()
}

//go:noinline
func sum(s summer) int { return s.sum() }

// waiting ends with SIGQUIT while a goroutine waits in f.
//
//go:noinline
func waiting(f func()) func() {
	return func() {
		go f()
		settle()
		kill(syscall.SIGQUIT)
	}
}

type end struct {
	name string
	end  func()
}

var ends = []end{
	{"error-panics", func() { panic(faulty{1}) }},
	{"error-panics-goroutine", func() { go func() { settle(); panic(&faulty{1}) }(); forever() }},
	{"string-panics", func() { defer func() { panic(mute{2}) }(); panic("first") }},
	{"fault", func() { fmt.Println(*(*int)(unsafe.Pointer(uintptr(0xdead1000)))) }},
	{"fault-goroutine", func() { go func() { settle(); *(*byte)(unsafe.Pointer(uintptr(0xbeef2000))) = 1 }(); forever() }},
	{"fault-readonly", func() {
		b, _ := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		b[7]++
	}},
	{"overflow", func() { debug.SetMaxStack(16 << 20); deep(0) }},
	{"overflow-goroutine", func() {
		debug.SetMaxStack(16 << 20)
		go deep(1)
		forever()
	}},
	{"overflow-deferred", func() {
		debug.SetMaxStack(16 << 20)
		defer func() { fmt.Println(recover()) }()
		deep(0)
	}},
	{"memory-slice", func() { ints = make([]int, zero+1<<44) }},
	{"memory-append", func() { ints = append(ints, make([]int, zero+1<<44)...) }},
	{"memory-goroutine", func() { go func() { settle(); ints = make([]int, zero+1<<44) }(); forever() }},
	{"breakpoint", func() { runtime.Breakpoint() }},
	{"breakpoint-goroutine", func() { go func() { settle(); runtime.Breakpoint() }(); forever() }},
	{"finalizer-nil", func() { runtime.SetFinalizer(nil, nil) }},
	{"finalizer-type", func() { runtime.SetFinalizer(new(string), func(*int) {}) }},
	{"finalizer-value", func() { runtime.SetFinalizer(3, func(int) {}) }},
	{"finalizer-function", func() { runtime.SetFinalizer(new(string), 5) }},
	{"finalizer-twice", func() {
		p := new(string)
		for range 2 {
			runtime.SetFinalizer(p, func(*string) {})
		}
	}},
	{"unlock", func() { var m sync.Mutex; m.Unlock() }},
	{"unlock-twice", func() { var m sync.Mutex; m.Lock(); m.Unlock(); defer m.Unlock() }},
	{"unlock-deferred", func() { var m sync.Mutex; defer m.Unlock(); panic("held") }},
	{"unlock-read", func() { var m sync.RWMutex; m.RUnlock() }},
	{"unlock-write", func() { var m sync.RWMutex; m.RLock(); m.Unlock() }},
	{"deadlock-mutex", func() { var m sync.Mutex; m.Lock(); func() { m.Lock() }() }},
	{"deadlock-locker", func() { var m sync.Mutex; var l sync.Locker = &m; l.Lock(); l.Lock() }},
	{"deadlock-embedded", func() { var s struct{ sync.Mutex }; s.Lock(); s.Lock() }},
	{"deadlock-read", func() { var m sync.RWMutex; m.Lock(); m.RLock() }},
	{"deadlock-write", func() { var m sync.RWMutex; m.RLock(); m.Lock() }},
	{"deadlock-group", func() { var w sync.WaitGroup; w.Add(2); w.Done(); w.Wait() }},
	{"deadlock-cond", func() { c := sync.NewCond(new(sync.RWMutex)); c.L.Lock(); c.Wait() }},
	{"deadlock-once", func() { var o sync.Once; o.Do(func() { o.Do(func() {}) }) }},
	{"deadlock-pipe", func() { r, _ := io.Pipe(); r.Read(make([]byte, 1)) }},
	{"deadlock-context", func() {
		c, cancel := context.WithCancel(context.Background())
		defer cancel()
		<-c.Done()
	}},
	{"deadlock-reflect", func() { reflect.ValueOf(make(chan int)).Recv() }},
	{"deadlock-call", func() { reflect.ValueOf(receive).Call([]reflect.Value{reflect.ValueOf(make(chan int))}) }},
	{"deadlock-goroutines", func() {
		c := make(chan int)
		go func() { c <- receive(c) }()
		go func() { select {} }()
		receive(c)
	}},
	{"all", func() { debug.SetTraceback("all"); go receive(nil); settle(); panic("all") }},
	{"system", func() { debug.SetTraceback("system"); go receive(make(chan int)); settle(); panic("system") }},
	{"system-fault", func() { debug.SetTraceback("system"); var o *outer; fmt.Println(o.inner) }},
	{"system-wrapper", func() { debug.SetTraceback("system"); fmt.Println(sum(outer{})) }},
	{"system-method", func() {
		debug.SetTraceback("system")
		f := (&outer{inner: new(inner)}).sum
		fmt.Println(f())
		panic("x")
	}},
	{"system-index", func() { debug.SetTraceback("system"); fmt.Println(ints[zero]) }},
	{"system-map", func() { debug.SetTraceback("system"); table["a"]++ }},
	{"system-assert", func() { debug.SetTraceback("system"); fmt.Println(any(zero).(string)) }},
	{"system-closed", func() { debug.SetTraceback("system"); c := make(chan int); close(c); close(c) }},
	{"system-send", func() { debug.SetTraceback("system"); c := make(chan int); close(c); c <- 1 }},
	{"system-goexit", func() {
		debug.SetTraceback("system")
		go func() { defer func() { panic("after") }(); settle(); runtime.Goexit() }()
		forever()
	}},
	{"system-error", func() { debug.SetTraceback("system"); panic(errors.Join(errors.New("a"), errors.New("b"))) }},
	{"system-gowrap", func() { debug.SetTraceback("system"); go func(n int) { settle(); panic(n) }(3); forever() }},
	{"system-deferwrap", func() { debug.SetTraceback("system"); defer func(n int) { panic(n) }(4) }},
	{"system-timer", func() { debug.SetTraceback("system"); time.AfterFunc(3e8, func() { panic("timer") }); forever() }},
	{"sigquit", func() { kill(syscall.SIGQUIT) }},
	{"sigabrt", func() { kill(syscall.SIGABRT) }},
	{"sigsegv-sent", func() { kill(syscall.SIGSEGV) }},
	{"sigbus-sent", func() { kill(syscall.SIGBUS) }},
	{"sigtrap-sent", func() { kill(syscall.SIGTRAP) }},
	{"sigsys-sent", func() { kill(syscall.SIGSYS) }},
	{"quit-receive", waiting(func() { receive(make(chan int)) })},
	{"quit-range", waiting(func() {
		for range make(chan int) {
		}
	})},
	{"quit-send", waiting(func() { make(chan int) <- 1 })},
	{"quit-nil", waiting(func() { receive(nil) })},
	{"quit-select", waiting(func() {
		select {
		case <-make(chan int):
		case make(chan string) <- "":
		}
	})},
	{"quit-forever", waiting(func() { select {} })},
	{"quit-sleep", waiting(func() { time.Sleep(time.Hour) })},
	{"quit-after", waiting(func() { <-time.After(time.Hour) })},
	{"quit-mutex", waiting(func() { var m sync.Mutex; m.Lock(); m.Lock() })},
	{"quit-read-lock", waiting(func() { var m sync.RWMutex; m.Lock(); m.RLock() })},
	{"quit-write-lock", waiting(func() { var m sync.RWMutex; m.RLock(); m.Lock() })},
	{"quit-group", waiting(func() { var w sync.WaitGroup; w.Add(1); w.Wait() })},
	{"quit-cond", waiting(func() { c := sync.NewCond(new(sync.Mutex)); c.L.Lock(); c.Wait() })},
	{"quit-accept", waiting(func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fmt.Println(err)
		l.Accept()
	})},
	{"quit-pipe", waiting(func() { r, w, _ := os.Pipe(); r.Read(make([]byte, 1)); w.Close() })},
	{"quit-system-call", waiting(func() {
		var p [2]int
		syscall.Pipe(p[:])
		syscall.Read(p[0], make([]byte, 1))
	})},
	{"quit-locked", waiting(func() { runtime.LockOSThread(); receive(make(chan int)) })},
	{"quit-deferred", waiting(func() { defer func() { receive(make(chan int)) }(); panic(1) })},
	{"quit-reflect", waiting(func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}})
	})},
	{"quit-method", waiting(new(outer).wait)},
	{"quit-method-statement", func() {
		go new(outer).wait()
		settle()
		kill(syscall.SIGQUIT)
	}},
	{"quit-arguments", func() {
		go receive(make(chan int))
		settle()
		kill(syscall.SIGQUIT)
	}},
}

func (o *outer) wait() { receive(make(chan int)) }

func main() {
	syscall.Setrlimit(syscall.RLIMIT_CORE, new(syscall.Rlimit))
	for _, e := range slices.Concat(ends, calls, system) {
		if len(os.Args) < 2 {
			fmt.Println(e.name)
		} else if e.name == os.Args[1] {
			e.end()
		}
	}
}
