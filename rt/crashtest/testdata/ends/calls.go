package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
)

// Ways to reach the failing line: through the library, reflection, generic code, iterators.

type number interface{ ~int | ~int64 | ~string }

//go:noinline
func pick[T number](list []T, at int) T { return list[at] }

type box[T any] struct{ items []T }

//go:noinline
func (b *box[T]) at(i int) T { return b.items[i] }

func (b box[T]) each(yield func(int, T) bool) {
	for i, v := range b.items {
		if !yield(i, v) {
			return
		}
	}
}

// unruly goes on after the loop's body has said stop.
func unruly(yield func(int) bool) {
	yield(1)
	yield(2)
}

func counting(yield func(int) bool) {
	for i := 0; yield(i); i++ {
		if i == 3 {
			panic("in the iterator")
		}
	}
}

type machine struct {
	step func(int) int
	next *machine
	inner
}

type speaker interface{ speak() }

type loud struct{ n *int }

//go:noinline
func (l loud) speak() { fmt.Println(*l.n) }

//go:noinline
func (l *loud) reach() { l.speak() }

func (l loud) MarshalJSON() ([]byte, error) { panic("marshal") }

func (l loud) Less(i, j int) bool { return pick(ints, i) < j }
func (l loud) Len() int           { return 3 }
func (l loud) Swap(i, j int)      {}

type wordy struct{ msg string }

func (w *wordy) Error() string { return "wordy: " + w.msg }

var errBase = &wordy{"base"}

type flag bool
type real64 float64
type pair struct{ a, b any }

func boom()           { panic("boom") }
func failing(int) int { return pick(ints, zero+3) }

//go:noinline
func call(f func()) { f() }

// beginsBad ends the program while it is initialised, if it is to.
func beginsBad(name string, f func()) int {
	if len(os.Args) > 1 && os.Args[1] == name {
		f()
	}
	return 1
}

var (
	_ = beginsBad("init-variable", boom)
	_ = beginsBad("init-goroutine", func() { go boom(); forever() })
	_ = beginsBad("init-deadlock", func() { receive(nil) })
	_ = beginsBad("init-goexit", runtime.Goexit)
	_ = beginsBad("init-nil", func() { var f func(); f() })
	_ = beginsBad("init-once", func() { sync.OnceValue(func() int { return failing(1) })() })
)

func init() {
	beginsBad("init-function", boom)
	beginsBad("init-deferred", func() { defer boom(); panic("first") })
}

func init() { beginsBad("init-second", func() { receive(make(chan int)) }) }

// collected lets the collector find something dead.
func collected() {
	for range 5 {
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
}

var calls = []end{
	{"init-variable", nil}, {"init-goroutine", nil}, {"init-deadlock", nil}, {"init-goexit", nil}, {"init-nil", nil},
	{"init-once", nil}, {"init-function", nil}, {"init-deferred", nil}, {"init-second", nil},
	{"generic", func() { pick([]string{"a"}, zero+1) }},
	{"generic-goroutine", func() { go pick([]int64{1}, zero+1); forever() }},
	{"generic-deferred", func() { defer pick([]int{1}, zero+1) }},
	{"generic-method", func() { (&box[loud]{}).at(zero) }},
	{"generic-method-value", func() { f := new(box[string]).at; f(zero) }},
	{"generic-method-expression", func() { f := (*box[map[string]int]).at; f(nil, zero) }},
	{"generic-literal", func() { call(func() { pick([]flag2{}, zero) }) }},
	{"range-function", func() {
		for i, v := range (box[int]{[]int{1, 2}}).each {
			fmt.Println(v, ints[i])
		}
	}},
	{"range-function-deferred", func() {
		for range (box[int]{[]int{1}}).each {
			defer func() { panic("deferred in the body") }()
		}
	}},
	{"range-function-nested", func() {
		for range (box[int]{[]int{1}}).each {
			for j := range (box[loud]{make([]loud, 1)}).each {
				fmt.Println(pick(ints, j))
			}
		}
	}},
	{"range-function-goes-on", func() {
		for range unruly {
			break
		}
	}},
	{"range-function-iterator", func() {
		for i := range counting {
			_ = i
		}
	}},
	{"range-function-late", func() {
		var kept func(int) bool
		for range iter.Seq[int](func(yield func(int) bool) { kept = yield; yield(1) }) {
		}
		kept(2)
	}},
	{"pull", func() {
		next, stop := iter.Pull(counting)
		defer stop()
		for {
			next()
		}
	}},
	{"pull-deadlock", func() {
		next, _ := iter.Pull(func(yield func(int) bool) { receive(nil) })
		next()
	}},
	{"pull-quit", waiting(func() {
		next, _ := iter.Pull(func(yield func(int) bool) { receive(make(chan int)) })
		next()
	})},
	{"pull-goexit", func() {
		next, _ := iter.Pull(func(yield func(int) bool) { runtime.Goexit() })
		next()
	}},
	{"maps-collect", func() {
		maps.Collect(iter.Seq2[int, int](func(yield func(int, int) bool) { yield(1, pick(ints, zero)) }))
	}},
	{"slices-sort", func() { slices.SortFunc([]int{3, 1, 2}, func(a, b int) int { return failing(a) }) }},
	{"slices-index", func() { slices.IndexFunc([]int{3}, func(a int) bool { return failing(a) > 0 }) }},
	{"sort-slice", func() { sort.Slice([]int{3, 1}, func(i, j int) bool { return failing(i) > 0 }) }},
	{"sort-interface", func() { sort.Sort(loud{}) }},
	{"sort-search", func() { sort.Search(9, func(i int) bool { return failing(i) > 0 }) }},
	{"strings-map", func() { strings.Map(func(r rune) rune { return rune(failing(0)) }, "abc") }},
	{"strings-fields", func() { strings.FieldsFunc("abc", func(r rune) bool { panic(r) }) }},
	{"sync-map", func() {
		var m sync.Map
		m.Store(1, 2)
		m.Range(func(k, v any) bool { return v.(string) == "" })
	}},
	{"sync-pool", func() { p := sync.Pool{New: func() any { return failing(1) }}; p.Get() }},
	{"sync-once", func() { var o sync.Once; o.Do(boom) }},
	{"sync-once-function", func() { sync.OnceFunc(boom)() }},
	{"sync-once-again", func() {
		f := sync.OnceFunc(boom)
		func() { defer func() { recover() }(); f() }()
		f()
	}},
	{"sync-group", func() { var w sync.WaitGroup; w.Go(boom); w.Wait(); forever() }},
	{"sync-negative", func() { var w sync.WaitGroup; w.Done() }},
	{"atomic-value", func() { var v atomic.Value; v.Store(1); v.Store("a") }},
	{"atomic-nil", func() { var v *atomic.Int64; v.Add(1) }},
	{"context-after", func() {
		c, cancel := context.WithCancel(context.Background())
		context.AfterFunc(c, boom)
		cancel()
		forever()
	}},
	{"context-nil", func() { context.WithCancel(nil) }},
	{"timer", func() { time.AfterFunc(1, boom); forever() }},
	{"timer-fault", func() { time.AfterFunc(1, func() { var p *int; *p = 1 }); forever() }},
	{"timer-reset", func() { t := time.AfterFunc(time.Hour, func() { failing(1) }); t.Reset(1); forever() }},
	{"timer-goexit", func() { time.AfterFunc(1, runtime.Goexit); receive(nil) }},
	{"ticker", func() { time.NewTicker(time.Duration(zero)) }},
	{"walk", func() { filepath.WalkDir("/proc/self/fd", func(string, os.DirEntry, error) error { panic("walk") }) }},
	{"scanner", func() {
		s := bufio.NewScanner(strings.NewReader("abc"))
		s.Split(func([]byte, bool) (int, []byte, error) { return failing(1), nil, nil })
		s.Scan()
	}},
	{"marshal", func() { json.Marshal(map[string]any{"a": []any{loud{}}}) }},
	{"template-must", func() { template.Must(template.New("x").Parse("{{")) }},
	{"log-panic", func() { log.SetFlags(0); log.Panicf("%d", 3) }},
	{"log-fatal", func() { log.SetFlags(log.Lshortfile); log.Fatalln("fatal") }},
	{"repeat-negative", func() { strings.Repeat("a", zero-1) }},
	{"builder-copied", func() { var a strings.Builder; a.WriteString("x"); b := a; b.WriteString("y") }},
	{"reflect-call", func() { reflect.ValueOf(failing).Call([]reflect.Value{reflect.ValueOf(1)}) }},
	{"reflect-method", func() { reflect.ValueOf(sort.Interface(loud{})).MethodByName("Less").Call(values(9, 2)) }},
	{"reflect-arguments", func() { reflect.ValueOf(failing).Call(nil) }},
	{"reflect-type", func() { reflect.ValueOf(failing).Call(values("a")) }},
	{"reflect-nil", func() { reflect.ValueOf((func())(nil)).Call(nil) }},
	{"reflect-made", func() {
		f := reflect.MakeFunc(reflect.TypeOf(failing), func(a []reflect.Value) []reflect.Value { panic("made") })
		f.Interface().(func(int) int)(1)
	}},
	{"reflect-made-called", func() {
		f := reflect.MakeFunc(reflect.TypeOf(boom), func(a []reflect.Value) []reflect.Value { return values(failing(1)) })
		f.Call(nil)
	}},
	{"reflect-method-value", func() { reflect.ValueOf(loud{}).Method(2).Interface().(func() ([]byte, error))() }},
	{"reflect-goroutine", func() { go reflect.ValueOf(boom).Call(nil); forever() }},
	{"reflect-deferred", func() { defer reflect.ValueOf(boom).Call(nil); panic("first") }},
	{"reflect-zero", func() { var v reflect.Value; v.Int() }},
	{"reflect-settable", func() { reflect.ValueOf(3).SetInt(4) }},
	{"reflect-swapper", func() { reflect.Swapper([]int{1})(0, 1) }},
	{"reflect-range", func() {
		for v := range reflect.ValueOf(counting).Seq() {
			_ = v
		}
	}},
	{"field", func() { m := machine{step: failing}; m.step(2) }},
	{"field-nil", func() { m := &machine{}; m.step(2) }},
	{"field-chain", func() { m := &machine{}; m.next.step(2) }},
	{"field-map", func() { map[string]func(){"a": boom}["a"]() }},
	{"field-missing", func() { map[string]func(){"a": boom}["b"]() }},
	{"field-literal", func() { []struct{ f func() }{{func() { failing(3) }}}[0].f() }},
	{"method-value", func() { f := loud{}.speak; f() }},
	{"method-value-nil", func() { var l *loud; f := l.speak; f() }},
	{"method-value-interface", func() { var s speaker; f := s.speak; f() }},
	{"method-value-goroutine", func() { go loud{}.speak(); forever() }},
	{"method-value-deferred", func() { defer loud{}.speak() }},
	{"method-interface", func() { var s speaker = &loud{}; s.speak() }},
	{"method-interface-nil", func() { var s speaker = (*loud)(nil); s.speak() }},
	{"method-interface-deferred", func() { var s speaker; defer s.speak() }},
	{"method-interface-goroutine", func() { go silent().speak(); forever() }},
	{"method-expression", func() { loud.speak(loud{}) }},
	{"method-expression-pointer", func() { (*loud).speak(nil) }},
	{"method-expression-interface", func() { speaker.speak(nil) }},
	{"method-promoted", func() { (&machine{}).next.sum() }},
	{"method-nil", func() { var l *loud; l.reach() }},
	{"function-nil", func() { var f func(); f() }},
	{"function-nil-deferred", func() { var f func(); defer f() }},
	{"function-nil-goroutine", func() { var f func(); go f(); forever() }},
	{"finalizer-panics", func() {
		runtime.SetFinalizer(&[9]int{}, func(*[9]int) { failing(1) })
		collected()
	}},
	{"finalizer-method", func() { runtime.SetFinalizer(&box[*int]{}, (*box[*int]).finish); collected() }},
	{"cleanup-panics", func() { runtime.AddCleanup(&[9]int{}, func(int) { boom() }, 3); collected() }},
	{"cleanup-goexit", func() { runtime.AddCleanup(&[9]int{}, func(int) { runtime.Goexit() }, 3); collected(); boom() }},
	{"finalizer-deadlock", func() { runtime.SetFinalizer(&[9]int{}, func(*[9]int) { receive(nil) }); collected(); receive(nil) }},
	{"goexit-main", runtime.Goexit},
	{"goexit-main-deferred", func() { defer boom(); runtime.Goexit() }},
	{"goexit-main-waiting", func() { go receive(nil); settle(); runtime.Goexit() }},
	{"goexit-repanicked", func() { go func() { defer runtime.Goexit(); boom() }(); pause(); receive(nil) }},
	{"system-init", func() { debug.SetTraceback("system"); call(boom) }},
	{"system-generic", func() { debug.SetTraceback("system"); pick([]int{}, zero) }},
	{"system-range", func() {
		debug.SetTraceback("system")
		for range counting {
		}
	}},
	{"system-reflect", func() { debug.SetTraceback("system"); reflect.ValueOf(boom).Call(nil) }},
	{"system-method-value", func() { debug.SetTraceback("system"); f := loud{}.speak; f() }},
	{"system-deadlock", func() { debug.SetTraceback("system"); var m sync.Mutex; m.Lock(); m.Lock() }},
	{"system-finalizer", func() {
		debug.SetTraceback("system")
		runtime.SetFinalizer(&[9]int{}, func(*[9]int) { boom() })
		collected()
	}},
	{"system-once", func() { debug.SetTraceback("system"); var o sync.Once; o.Do(boom) }},
	{"error", func() { panic(error(errBase)) }},
	{"error-wrapped", func() { panic(fmt.Errorf("a: %w\nb", errBase)) }},
	{"error-joined", func() { panic(errors.Join(errBase, errBase)) }},
	{"error-nil-pointer", func() { panic((*wordy)(nil)) }},
	{"error-exits", func() { panic(exits{}) }},
	{"error-goexit", func() {
		go panic(exits{1})
		for runtime.NumGoroutine() > 1 {
			time.Sleep(time.Millisecond)
		}
	}},
	{"error-repanics", func() { panic(exits{2}) }},
	{"error-recovers", func() { panic(exits{3}) }},
	{"error-deadlock", func() { panic(exits{4}) }},
	{"value-types", func() {
		for _, v := range []any{true, 'a', 1.5, real64(2), flag(true), complex(1, 2), uint8(3), uintptr(4), "a\tb", pair{1, 2}, &pair{}, []int{1},
			map[int]int{}, struct{}{}, [2]int{}, text("q\x00")} {
			func() {
				defer func() { recover() }()
				defer func() { panic(v) }()
				panic(v)
			}()
		}
		panic(text("q\x00"))
	}},
	{"value-float", func() { panic(1.5) }},
	{"value-named", func() { panic(real64(2)) }},
	{"value-bool", func() { panic(flag(true)) }},
	{"value-complex", func() { panic(complex(1, 2)) }},
	{"value-struct", func() { panic(pair{1, "a"}) }},
	{"value-function", func() { panic(boom) }},
	{"value-text", func() { panic(text("line\nnext\r\x00")) }},
	{"value-generic", func() { panic(box[int]{}) }},
	{"value-nil", func() { panic(nil) }},
	{"nested", func() {
		defer func() {
			defer func() { defer boom(); failing(1) }()
			panic("second")
		}()
		panic("first")
	}},
	{"nested-recovered", func() {
		defer func() { defer func() { fmt.Println(recover()) }(); panic("second") }()
		panic("first")
	}},
	{"nested-both", func() {
		defer boom()
		defer func() { recover(); panic("after") }()
		panic("first")
	}},
	{"repanicked", func() { defer func() { panic(recover()) }(); panic("again") }},
	{"repanicked-error", func() { defer func() { panic(recover()) }(); failing(1) }},
	{"repanicked-wrapped", func() { defer func() { panic(fmt.Errorf("wrapped: %v", recover())) }(); failing(1) }},
	{"repanicked-twice", func() {
		defer func() { panic(recover()) }()
		defer func() { panic(recover()) }()
		panic(errBase)
	}},
	{"deferred-loop", func() {
		for i := range 3 {
			defer func() { panic(i) }()
		}
	}},
	{"deferred-fault", func() { defer func() { var p *pair; p.a = 1 }(); boom() }},
	{"deferred-exit", func() { defer os.Exit(7); boom() }},
	{"map-writes", func() {
		m := map[int]int{}
		for range 4 {
			go func() {
				for i := 0; ; i++ {
					m[i&15] = i
				}
			}()
		}
		select {}
	}},
	{"map-unhashable", func() { _ = map[any]int{[]int{1}: 2} }},
	{"map-unhashable-read", func() { fmt.Println(map[any]int{1: 1}[boom]) }},
	{"compare", func() { fmt.Println(any(ints) == any(ints)) }},
	{"compare-inside", func() { fmt.Println(any(pair{ints, 1}) == any(pair{ints, 1})) }},
	{"deadlock-select", func() {
		select {
		case <-make(chan int):
		case make(chan int) <- 1:
		}
	}},
	{"deadlock-select-nil", func() {
		var c chan int
		select {
		case <-c:
		case c <- 1:
		}
	}},
	{"deadlock-range", func() {
		for range make(chan int) {
		}
	}},
	{"deadlock-send-nil", func() { var c chan int; c <- 1 }},
	{"deadlock-send", func() { make(chan int) <- 1 }},
	{"deadlock-all", func() {
		var m sync.Mutex
		m.Lock()
		go m.Lock()
		go func() { var w sync.WaitGroup; w.Add(1); w.Wait() }()
		go func() { c := sync.NewCond(&sync.Mutex{}); c.L.Lock(); c.Wait() }()
		go func() { select {} }()
		go func() { var m sync.RWMutex; m.Lock(); m.RLock() }()
		go func() { make(chan int) <- 1 }()
		pause()
		receive(nil)
	}},
	{"deadlock-reflect-select", func() { reflect.Select(nil) }},
	{"deadlock-ticker", func() { t := time.NewTicker(time.Hour); t.Stop(); <-t.C }},
	{"deadlock-locked", func() { runtime.LockOSThread(); receive(make(chan int)) }},
}

type flag2 = int

//go:noinline
func silent() speaker { return (*loud)(nil) }

type text string

func (b *box[T]) finish() { boom() }

func values(list ...any) (v []reflect.Value) {
	for _, x := range list {
		v = append(v, reflect.ValueOf(x))
	}
	return v
}

// exits is an error whose text is not to be had.
type exits struct{ how int }

func (e exits) Error() string {
	switch e.how {
	case 0:
		os.Exit(9)
	case 1:
		runtime.Goexit()
	case 2:
		defer func() { panic(fmt.Sprint("again ", recover())) }()
		panic(e.how)
	case 3:
		func() { defer func() { fmt.Println(recover()) }(); boom() }()
	case 4:
		receive(nil)
	}
	return "text"
}
