package regress

import (
	"fmt"
	"strings"
	"testing"
)

// receiveForms receive a value from c, of type T, and get it to v by ways that leave copies of it
// in the frame. Where they END nothing but v has it. ZERO is a variable that holds no value.
var receiveForms = []struct{ name, code string }{
	{"receive", "v := <-c; END"},
	{"receive ok", "v, ok := <-c; _ = ok; END"},
	{"range", "for v := range c { END; break }"},
	{"select", "select { case v := <-c: END; case <-never: }"},
	{"map", "m := map[int]T{1: <-c}; v := m[1]; m = nil; END"},
	{"map ok", "m := map[int]T{1: <-c}; v, ok := m[1]; delete(m, 1); _ = ok; END"},
	{"map update", "m := map[int]T{}; m[1] = <-c; v := m[1]; m[1] = ZERO; END"},
	{"map range", "m := map[int]T{1: <-c}; for _, v := range m { delete(m, 1); END; break }"},
	{"slice", "s := []T{<-c}; v := s[0]; s[0] = ZERO; END"},
	{"stack", "var s []T; s = append(s, <-c); v := s[len(s)-1]; s[len(s)-1] = ZERO; s = s[:len(s)-1]; END; _ = s"},
	{"queue", "var s []T; s = append(s, <-c); v := s[0]; s[0] = ZERO; s = s[1:]; END; use(len(s))"},
	{"locked queue", "var s []T; mu.Lock(); s = append(s, <-c); v := s[0]; s[0] = ZERO; mu.Unlock(); END; use(len(s))"},
	{"field", "q := &struct{ n int; v T }{v: <-c}; v := q.v; q.v = ZERO; END"},
	{"pool", "var p sync.Pool; p.Put(<-c); v := p.Get().(T); END"},
	{"assertion", "var a any = <-c; v := a.(T); a = nil; END"},
	{"type switch", "var a any = <-c; switch v := a.(type) { case T: a = nil; END }"},
	{"atomic value", "var a atomic.Value; a.Store(<-c); v := a.Load().(T); a = atomic.Value{}; END"},
	{"atomic pointer", "var a atomic.Pointer[T]; x := <-c; a.Store(&x); v := *a.Swap(nil); x = ZERO; END"},
	{"results", "v, err := both(<-c); _ = err; END"},
	{"literal", "var v T; func() { v = <-c }(); END"},
	{"array", "var a [4]T; a[1] = <-c; v := a[1]; a[1] = ZERO; END"},
	{"struct", "p := struct{ n int; v T }{1, <-c}; v := p.v; p.v = ZERO; END; use(p.n)"},
	{"list", "l := list.New(); l.PushBack(<-c); v := l.Remove(l.Front()).(T); END"},
	{"iterator", "for v := range one(c) { END; break }"},
	{"in a loop", "for i := range 2 { v := <-c; if i > 5 { continue }; END; break }"},
	{"deferred recovery", "defer func() { recover() }(); v := <-c; END"},
	{"recovery around it", "v := <-c; func() { defer func() { recover() }(); END }()"},
}

// receivedTypes are the types of what is received: how a value with b is made, and what is done
// with it, which uses b and then waits.
var receivedTypes = []struct{ name, typ, value, end string }{
	{"func value", "func()", "func() { look(b); pause() }", "v()"},
	{"func value with parameter", "func(int)", "func(int) { look(b); pause() }", "v(1)"},
	{"pointer", "*job", "&job{b}", "v.run()"},
	{"interface", "runner", "&job{b}", "v.run()"},
	{"struct", "pair", "pair{1, b}", "v.run()"},
	{"slice", "[]*big", "[]*big{b}", "run(v)"},
}

// keptReceived are the forms that may keep what was received, and why.
var keptReceived = map[string]string{
	"recovery around it": "the object of the literal that is called has it while that runs",
}

// TestKeptReceived: what was received, and is used for the last time by a call that waits, is free
// when that does not need it any more, on whatever way it has come.
func TestKeptReceived(t *testing.T) {
	var program, calls strings.Builder
	for i, typ := range receivedTypes {
		fmt.Fprintf(&program, "var zero%d %s\n\n//go:noinline\nfunc make%[1]d(b *big, c chan %[2]s) { c <- %s }\n\n", i, typ.typ, typ.value)
		for k, form := range receiveForms {
			name := fmt.Sprintf("receive%dx%d", i, k)
			code := strings.NewReplacer("END", typ.end, "ZERO", fmt.Sprintf("zero%d", i), "]T", "]("+typ.typ+")", "v T", "v "+typ.typ,
				".(T)", ".("+typ.typ+")", "[T]", "["+typ.typ+"]", "case T", "case "+typ.typ).Replace(form.code)
			fmt.Fprintf(&program, "//go:noinline\nfunc %s(c chan %s) { %s }\n\n", name, typ.typ, code)
			fmt.Fprintf(&calls, "\ttry(%q, func(b *big) { c := make(chan %s); go %s(c); make%d(b, c) })\n",
				typ.name+"/"+form.name, typ.typ, name, i)
		}
	}
	text := receiveProgram + program.String() + "func main() {\n" + calls.String() + "}\n"
	compareKept(t, text, len(receivedTypes)*len(receiveForms), func(name string) bool {
		_, form, _ := strings.Cut(name, "/")
		return keptReceived[form] != ""
	})
}

const receiveProgram = `package main

import (
	"container/list"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type big struct{ b [1 << 16]byte }

var (
	never  = make(chan int)
	inside = make(chan bool)
	wait   = make(chan bool)
	sink   int
	mu     sync.Mutex
	_      = list.New
	_      atomic.Value
)

//go:noinline
func use(n int) { sink += n }

//go:noinline
func look(b *big) { sink += int(b.b[9]) }

func pause() { inside <- true; <-wait }

type runner interface{ run() }

type job struct{ b *big }

//go:noinline
func (j *job) run() { look(j.b); pause() }

type pair struct {
	n int
	b *big
}

//go:noinline
func (p pair) run() { look(p.b); pause() }

//go:noinline
func run(s []*big) { look(s[0]); pause() }

//go:noinline
func both[T any](v T) (T, error) { return v, nil }

func one[T any](c chan T) func(func(T) bool) { return func(yield func(T) bool) { yield(<-c) } }

//go:noinline
func try(name string, receive func(b *big)) {
	freed := make(chan bool, 1)
	func() {
		b := new(big)
		runtime.SetFinalizer(b, func(*big) { freed <- true })
		receive(b)
	}()
	<-inside
	state := "kept"
	for range 12 {
		runtime.GC()
		select {
		case <-freed:
			state = "freed"
		case <-time.After(2 * time.Millisecond):
			continue
		}
		break
	}
	fmt.Println(name, state)
	wait <- true
}

`
