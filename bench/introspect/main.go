// Introspect measures what programs pay for looking at themselves: calls through reflect, stack
// traces, panics and deferred calls, and what interfaces cost. One line a figure: name and
// nanoseconds an operation. go run ./bench -program introspect [REGEXP] runs it under both
// compilers in turn.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"syscall"
)

func main() {
	measure("reflect.Call/0", 1_000_000, reflectCall(func() {}))
	measure("reflect.Call/2ints", 1_000_000, reflectCall(func(a, b int) int { return a + b }, 1, 2))
	measure("reflect.Call/strings", 1_000_000, reflectCall(func(a, b string) string { return a }, "x", "y"))
	measure("reflect.Call/struct", 1_000_000, reflectCall(func(p big) big { return p }, big{}))
	measure("reflect.Call/variadic", 500_000, reflectCall(func(s string, v ...int) int { return len(v) }, "x", 1, 2, 3))
	measure("reflect.MakeFunc", 1_000_000, makeFunc)
	measure("reflect.Method.Call", 1_000_000, methodCall)
	measure("reflect.Method.Interface", 1_000_000, methodInterface)
	measure("reflect.MethodByName", 1_000_000, methodByName)
	measure("reflect.Field.Set", 10_000_000, fieldSet)
	measure("reflect.MapRange", 100_000, mapRange)
	measure("reflect.DeepEqual", 300_000, deepEqual)
	measure("Caller", 1_000_000, caller)
	measure("Callers/deep20", 300_000, callers)
	measure("CallersFrames/deep20", 50_000, callersFrames)
	measure("FuncForPC", 1_000_000, funcForPC)
	measure("debug.Stack", 10_000, stack)
	measure("ReadMemStats", 20_000, memStats)
	measure("ReadMemStats/50goroutines", 50_000, atOnce(memStats))
	measure("metrics.Read/all", 10_000, readMetrics(metricNames()...))
	measure("metrics.Read/all/50goroutines", 10_000, atOnce(readMetrics(metricNames()...)))
	measure("metrics.Read/one", 500_000, readMetrics("/sched/goroutines:goroutines"))
	measure("GC/50goroutines", 500, atOnce(collect))
	measure("panic/recover", 1_000_000, panicRecover)
	measure("panic/deep10", 300_000, panicDeep)
	measure("panic/deep10defers", 200_000, panicDeepDefers)
	measure("panic/index", 1_000_000, panicIndex)
	measure("panic/nil", 500_000, panicNil)
	measure("defer/1", 20_000_000, deferOne)
	measure("defer/3closures", 10_000_000, deferThree)
	measure("defer/loop10", 1_000_000, deferLoop)
	measure("typeswitch", 30_000_000, typeSwitch)
	measure("assert/concrete", 50_000_000, assertConcrete)
	measure("assert/interface", 30_000_000, assertInterface)
	measure("assert/miss", 30_000_000, assertMiss)
	measure("convert/pointer", 100_000_000, convertPointer)
	measure("convert/int", 20_000_000, convertInt)
	measure("convert/smallint", 50_000_000, convertSmall)
	measure("convert/string", 20_000_000, convertString)
	measure("equal/any", 50_000_000, equalAny)
	measure("methodcall/interface", 100_000_000, interfaceCall)
	measure("errors.As", 3_000_000, errorsAs)
}

var chosen = regexp.MustCompile(strings.Join(os.Args[1:], "|"))

func measure(name string, n int, f func(n int)) {
	if !chosen.MatchString(name) {
		return
	}
	f(n / 10)
	runtime.GC()
	start := cpuTime()
	f(n)
	fmt.Printf("%s %.2f\n", name, float64(cpuTime()-start)/float64(n))
}

// cpuTime is the processor time of the whole process, in nanoseconds: other work on the machine
// counts less than with a clock.
func cpuTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

type big struct{ a, b, c, d, e, f int }

type stringer interface{ String() string }

type named struct {
	N int
	s string
}

func (v *named) Add(k int) int  { v.N += k; return v.N }
func (v *named) String() string { return v.s }
func (v *named) Error() string  { return v.s }

var (
	sinkAny    any
	sinkInt    int
	sinkIface  stringer
	values     = []any{1, "two", 3.0, &named{4, "four"}, []int{5}}
	ints       = []int{1, 2, 3}
	nilPointer *named
)

func reflectCall(fn any, args ...any) func(n int) {
	f := reflect.ValueOf(fn)
	var in []reflect.Value
	for _, a := range args {
		in = append(in, reflect.ValueOf(a))
	}
	return func(n int) {
		for range n {
			f.Call(in)
		}
	}
}

func makeFunc(n int) {
	out := []reflect.Value{reflect.ValueOf(3)}
	f := reflect.MakeFunc(reflect.TypeFor[func(int, int) int](),
		func([]reflect.Value) []reflect.Value { return out }).Interface().(func(int, int) int)
	for range n {
		sinkInt = f(1, 2)
	}
}

func methodCall(n int) {
	m := reflect.ValueOf(&named{}).Method(0)
	in := []reflect.Value{reflect.ValueOf(1)}
	for range n {
		m.Call(in)
	}
}

func methodInterface(n int) {
	f := reflect.ValueOf(&named{}).Method(0).Interface().(func(int) int)
	for range n {
		sinkInt = f(1)
	}
}

func methodByName(n int) {
	v := reflect.ValueOf(&named{})
	name := strings.Clone("String")
	for range n {
		if !v.MethodByName(name).IsValid() {
			panic(name)
		}
	}
}

func fieldSet(n int) {
	v := reflect.ValueOf(&named{}).Elem()
	for i := range n {
		v.Field(0).SetInt(int64(i))
	}
}

func mapRange(n int) {
	v := reflect.ValueOf(map[string]int{"a": 1, "b": 2, "c": 3, "d": 4})
	for range n {
		for it := v.MapRange(); it.Next(); {
			sinkInt += int(it.Value().Int())
		}
	}
}

func deepEqual(n int) {
	a, b := map[string][]int{"a": {1, 2, 3}, "b": {4}}, map[string][]int{"a": {1, 2, 3}, "b": {4}}
	for range n {
		if !reflect.DeepEqual(a, b) {
			panic("different")
		}
	}
}

//go:noinline
func deep(depth int, f func()) int {
	if depth == 0 {
		f()
		return 0
	}
	return deep(depth-1, f) + 1
}

func caller(n int) {
	for range n {
		_, _, sinkInt, _ = runtime.Caller(0)
	}
}

func callers(n int) {
	var pcs [32]uintptr
	deep(20, func() {
		for range n {
			sinkInt = runtime.Callers(0, pcs[:])
		}
	})
}

func callersFrames(n int) {
	var pcs [32]uintptr
	deep(20, func() {
		k := runtime.Callers(0, pcs[:])
		for range n {
			frames := runtime.CallersFrames(pcs[:k])
			for {
				f, more := frames.Next()
				sinkInt += f.Line
				if !more {
					break
				}
			}
		}
	})
}

func funcForPC(n int) {
	pc := reflect.ValueOf(errorsAs).Pointer()
	for range n {
		sinkInt += len(runtime.FuncForPC(pc).Name())
	}
}

func stack(n int) {
	for range n {
		sinkInt += len(debug.Stack())
	}
}

func memStats(n int) {
	var m runtime.MemStats
	for range n {
		runtime.ReadMemStats(&m)
	}
}

// atOnce divides f's work among goroutines.
func atOnce(f func(n int)) func(n int) {
	const goroutines = 50
	return func(n int) {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() { f(n / goroutines) })
		}
		all.Wait()
	}
}

// metricNames are those that gc has too.
func metricNames() (names []string) {
	for _, d := range metrics.All() {
		if !strings.HasPrefix(d.Name, "/loam/") {
			names = append(names, d.Name)
		}
	}
	return names
}

func readMetrics(names ...string) func(n int) {
	return func(n int) {
		samples := make([]metrics.Sample, len(names))
		for i := range samples {
			samples[i].Name = names[i]
		}
		for range n {
			metrics.Read(samples)
		}
	}
}

func collect(n int) {
	for range n {
		runtime.GC()
	}
}

//go:noinline
func recovers(f func()) {
	defer func() { sinkAny = recover() }()
	f()
}

func panicRecover(n int) {
	for range n {
		recovers(func() { panic(io.EOF) })
	}
}

func panicDeep(n int) {
	f := func() { panic(io.EOF) }
	for range n {
		recovers(func() { deep(10, f) })
	}
}

//go:noinline
func deepDefers(depth int) {
	defer func() { sinkInt++ }()
	if depth == 0 {
		panic(io.EOF)
	}
	deepDefers(depth - 1)
}

func panicDeepDefers(n int) {
	for range n {
		recovers(func() { deepDefers(10) })
	}
}

func panicIndex(n int) {
	k := len(ints)
	for range n {
		recovers(func() { sinkInt = ints[k] })
	}
}

func panicNil(n int) {
	for range n {
		recovers(func() { sinkInt = nilPointer.N })
	}
}

//go:noinline
func oneDefer() { defer leave(1) }

//go:noinline
func leave(k int) { sinkInt += k }

func deferOne(n int) {
	for range n {
		oneDefer()
	}
}

//go:noinline
func threeDefers(k int) {
	defer func() { sinkInt += k }()
	defer func() { sinkInt -= k }()
	if k > 0 {
		defer func() { sinkInt ^= k }()
	}
}

func deferThree(n int) {
	for i := range n {
		threeDefers(i)
	}
}

//go:noinline
func tenDefers() {
	for i := range 10 {
		defer leave(i)
	}
}

func deferLoop(n int) {
	for range n {
		tenDefers()
	}
}

//go:noinline
func kind(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case string:
		return len(v)
	case float64:
		return int(v)
	case error:
		return 7
	case fmt.Stringer:
		return 8
	}
	return 9
}

func typeSwitch(n int) {
	for i := range n {
		sinkInt += kind(values[i%5])
	}
}

func assertConcrete(n int) {
	v := values[3]
	for range n {
		sinkInt += v.(*named).N
	}
}

func assertInterface(n int) {
	v := values[3]
	for range n {
		sinkIface = v.(stringer)
	}
}

func assertMiss(n int) {
	v := values[0]
	for range n {
		if _, ok := v.(stringer); ok {
			panic("no")
		}
	}
}

func convertPointer(n int) {
	p := &named{}
	for range n {
		sinkIface = p
	}
}

func convertInt(n int) {
	for i := range n {
		sinkAny = i + 1000
	}
}

func convertSmall(n int) {
	for i := range n {
		sinkAny = uint8(i)
	}
}

func convertString(n int) {
	s := strings.Repeat("x", 10)
	for i := range n {
		sinkAny = s[i&7:]
	}
}

func equalAny(n int) {
	a, b := values[1], any(strings.Clone("two"))
	for range n {
		if a == b {
			sinkInt++
		}
	}
}

func interfaceCall(n int) {
	var s stringer = values[3].(*named)
	for range n {
		sinkInt += len(s.String())
	}
}

func errorsAs(n int) {
	err := fmt.Errorf("outer: %w", fmt.Errorf("inner: %w", &named{1, "e"}))
	for range n {
		var target *named
		if !errors.As(err, &target) {
			panic("not there")
		}
	}
}
