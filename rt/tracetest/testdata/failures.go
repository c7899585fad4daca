// Failures is a program that fails in the way its argument names; see the test.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

type point struct{ x, y int }

type animal interface{ noise(n int) string }

type dog struct{ name string }

func (d *dog) noise(n int) string { return d.name[n:] }

type custom struct{ code int }

func (c custom) Error() string { return fmt.Sprint("custom ", c.code) }

type named struct{ s string }

func (n named) String() string { return "named " + n.s }

type word string
type number int
type list[T any] struct{ elems []T }

func (l *list[T]) at(i int) T { return l.elems[i] }

func toArray(s []int) [4]int {
	s = s[:2]
	return [4]int(s)
}

//go:noinline
func generic[T any](s []T, i int) T { return s[i] }

var (
	nilPoint *point
	nilFunc  func()
	nilMap   map[string]int
	sink     any
	zero     int
	ints     = []int{1, 2, 3}
	three    = 3
	big      = 10
)

var failures = map[string]func(){
	"nilread":      func() { fmt.Println(nilPoint.y) },
	"nilwrite":     func() { nilPoint.x = three },
	"nilcall":      func() { nilFunc() },
	"nilmap":       func() { nilMap["a"] = 1 },
	"nilmethod":    func() { var a animal; a.noise(1) },
	"index":        func() { fmt.Println(ints[big]) },
	"slice":        func() { fmt.Println(ints[big:]) },
	"slice3":       func() { fmt.Println(ints[three : three-1 : three]) },
	"array":        func() { fmt.Println((*[4]int)(ints)) },
	"arrayvalue":   func() { toArray(ints) },
	"divide":       func() { fmt.Println(three / zero) },
	"shift":        func() { fmt.Println(1 << (zero - 1)) },
	"assert":       func() { sink = 1; fmt.Println(sink.(string)) },
	"assertnil":    func() { fmt.Println(sink.(string)) },
	"assertmethod": func() { sink = 1; fmt.Println(sink.(animal)) },
	"hash":         func() { m := map[any]int{}; m[ints] = 1 },
	"compare":      func() { sink = ints; fmt.Println(sink == sink) },
	"makeslice":    func() { fmt.Println(len(make([]int, zero-1))) },
	"makechan":     func() { fmt.Println(len(make(chan int, zero-1))) },
	"closenil":     func() { var c chan int; close(c) },
	"closetwice":   func() { c := make(chan int); close(c); close(c) },
	"sendclosed":   func() { c := make(chan int); close(c); c <- 1 },
	"method":       func() { var a animal = &dog{"rex"}; a.noise(big) },
	"generic":      func() { generic(ints, big) },
	"genericm":     func() { l := &list[string]{}; l.at(three) },
	"error":        func() { panic(errors.New("plain error")) },
	"wrapped":      func() { panic(fmt.Errorf("outer: %w", os.ErrNotExist)) },
	"custom":       func() { panic(custom{7}) },
	"customptr":    func() { panic(&custom{8}) },
	"stringer":     func() { panic(named{"n"}) },
	"string":       func() { panic("a string\nof two lines") },
	"word":         func() { panic(word("w\nx")) },
	"number":       func() { panic(number(5)) },
	"float":        func() { panic(1.5) },
	"complex":      func() { panic(complex(1, 2)) },
	"bool":         func() { panic(true) },
	"struct":       func() { panic(point{1, 2}) },
	"pointer":      func() { panic(&point{1, 2}) },
	"slicevalue":   func() { panic(ints) },
	"nilpanic":     func() { panic(nil) },
	"repanic":      repanic,
	"repanicother": func() { defer func() { panic(fmt.Sprint("again: ", recover())) }(); panic("first") },
	"nested":       func() { defer func() { panic("second") }(); panic("first") },
	"nested3":      func() { defer func() { defer func() { panic("third") }(); panic("second") }(); panic("first") },
	"errpanics":    func() { panic(badError{}) },
	"recoverfault": func() { defer func() { r := recover(); panic(r) }(); fmt.Println(nilPoint.y) },
	"goexitmain":   func() { go func() { time.Sleep(time.Millisecond) }(); runtime.Goexit() },
	"goexitpanic":  func() { defer func() { panic("in goexit") }(); runtime.Goexit() },
	"goroutine":    func() { go spawned(3, "x"); time.Sleep(time.Hour) },
	"goclosure":    func() { go func() { panic("in closure") }(); time.Sleep(time.Hour) },
	"gomethod":     func() { d := &dog{"rex"}; go d.noise(big); time.Sleep(time.Hour) },
	"gonil":        func() { go nilFunc() },
	"deep":         func() { deep(200) },
	"deep99":       func() { deep(96) },
	"args":         func() { args(1, "two", []int{3}, 4, point{5, 6}, nil) },
	"variadic":     func() { variadic("f", 1, 2) },
	"inlined":      func() { inlineOuter(big) },
	"callback":     func() { strings.Map(func(r rune) rune { return rune(ints[big]) }, "abc") },
	"defermethod":  func() { d := &dog{"rex"}; defer d.noise(big); runtime.Gosched() },
	"rangefunc": func() {
		for i := range seq(5) {
			if i == 3 {
				panic("in body")
			}
		}
	},
	"once":        func() { var o sync.Once; o.Do(func() { panic("in once") }) },
	"unlock":      func() { var m sync.Mutex; m.Unlock() },
	"runlock":     func() { var m sync.RWMutex; m.RUnlock() },
	"negativewg":  func() { var w sync.WaitGroup; w.Done() },
	"deadlock":    func() { var c chan int; <-c },
	"deadlocks":   deadlocks,
	"selfdead":    func() { var m sync.Mutex; m.Lock(); m.Lock() },
	"concurrent":  concurrentMap,
	"fault":       func() { *(*int)(unsafe.Pointer(uintptr(0x123456789))) = 1 },
	"panicfault":  func() { debug.SetPanicOnFault(true); *(*int)(unsafe.Pointer(uintptr(0x123456789))) = 1 },
	"settrace":    func() { debug.SetTraceback("all"); go park(); settle(0); panic("all of them") },
	"settracesys": func() { debug.SetTraceback("system"); panic("with the runtime") },
	"printstack":  func() { debug.PrintStack() },
	"stackall": func() {
		started := make(chan bool)
		go func() { started <- true; park() }()
		<-started
		settle(0)
		b := make([]byte, 1<<16)
		os.Stderr.Write(b[:runtime.Stack(b, true)])
	},
	"stackshort": func() { b := make([]byte, 40); os.Stderr.Write(b[:runtime.Stack(b, false)]) },
	"exit":       func() { defer fmt.Println("not printed"); os.Exit(7) },
	"kill":       func() { syscall.Kill(syscall.Getpid(), syscall.SIGTERM); time.Sleep(time.Hour) },
	"abort":      func() { signalSelf(syscall.SIGABRT) },
	"segv":       func() { signalSelf(syscall.SIGSEGV) },
	"locked":     func() { runtime.LockOSThread(); panic("locked") },
	"waits":      waits,
	"overflow":   func() { fmt.Println(endless(1)) },
	"inplace":    func() { defer func() { fmt.Fprintln(os.Stderr, recover()); debug.PrintStack() }(); deep(3) },
}

type badError struct{}

func (badError) Error() string { panic("Error panics") }

func repanic() {
	defer func() { panic(recover()) }()
	panic(custom{9})
}

//go:noinline
func spawned(n int, s string) { panic(s + fmt.Sprint(n)) }

//go:noinline
func deep(n int) int {
	if n == 0 {
		return ints[big]
	}
	return deep(n-1) + 1
}

//go:noinline
func endless(n int) int { return endless(n+1) + 1 }

//go:noinline
func args(i int, s string, l []int, f float64, p point, e error) {
	panic(fmt.Sprint(i, s, l, f, p, e))
}

//go:noinline
func variadic(f string, v ...any) { panic(fmt.Sprint(f, v)) }

func inlineInner(i int) int  { return ints[i] }
func inlineMiddle(i int) int { return inlineInner(i) + 1 }

//go:noinline
func inlineOuter(i int) int { return inlineMiddle(i) * 2 }

func seq(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func park() { select {} }

func deadlocks() {
	go func() { var c chan int; c <- 1 }()
	go func() { c := make(chan int); <-c }()
	go func() { c := make(chan int); c <- 1 }()
	go func() {
		c, d := make(chan int), make(chan int)
		select {
		case <-c:
		case d <- 1:
		}
	}()
	go func() { select {} }()
	go func() { var m sync.Mutex; m.Lock(); m.Lock() }()
	go func() { var m sync.RWMutex; m.Lock(); m.RLock() }()
	go func() { var m sync.RWMutex; m.RLock(); m.Lock() }()
	go func() { var w sync.WaitGroup; w.Add(1); w.Wait() }()
	go func() { var m sync.Mutex; c := sync.NewCond(&m); m.Lock(); c.Wait() }()
	go func() {
		var c chan int
		for range c {
		}
	}()
	for range 20 {
		runtime.Gosched()
	}
	var c chan int
	<-c
}

// waits has a goroutine in every state that is no deadlock, and prints the stacks of all.
func waits() {
	r, w, _ := os.Pipe()
	defer w.Close()
	go func() { time.Sleep(time.Hour) }()
	go func() { r.Read(make([]byte, 1)) }()
	go func() { runtime.LockOSThread(); select {} }()
	go func() {
		var c chan int
		select {
		case <-c:
		case <-time.After(time.Hour):
		}
	}()
	go func() {
		c := make(chan int)
		for range c {
		}
	}()
	go func() {
		var t timespec
		t.sec = 3600
		syscall.Syscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&t)), 0, 0)
	}()
	settle(1)
	if len(os.Args) > 2 {
		fmt.Println("ready")
		time.Sleep(time.Hour)
	}
	panic("look")
}

// settle returns when all other goroutines wait, so many of them in system calls.
func settle(calls int) {
	for b := make([]byte, 1<<16); ; time.Sleep(time.Millisecond) {
		_, others, _ := strings.Cut(string(b[:runtime.Stack(b, true)]), "\n\n")
		if !strings.Contains(others, " [runn") && strings.Count(others, " [syscall") == calls {
			return
		}
	}
}

type timespec struct{ sec, nsec int64 }

func concurrentMap() {
	m := map[int]int{}
	for g := range 4 {
		go func() {
			for i := 0; ; i++ {
				m[i%100] = g
			}
		}()
	}
	time.Sleep(time.Hour)
}

// signalSelf sends the signal to the thread it runs on, so that it comes at once.
func signalSelf(sig syscall.Signal) {
	runtime.LockOSThread()
	syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(syscall.Getpid()), uintptr(syscall.Gettid()), uintptr(sig))
	time.Sleep(time.Hour)
}

func main() {
	f := failures[os.Args[1]]
	if f == nil {
		for name := range failures {
			fmt.Println(name)
		}
		return
	}
	f()
}
