package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"time"
	"unique"
	"weak"
)

type T struct {
	a [10]int
	p *int
}
type I interface{ Foo() int }

func (t *T) Foo() int { return 7 }

//go:noinline
func mk(done chan string) {
	t := &T{}
	runtime.SetFinalizer(t, func(t *T) { done <- fmt.Sprint("fin ", t.a[0]) })
	u := &T{}
	u.a[0] = 5
	runtime.SetFinalizer(u, func(i I) (a, b, c, d int) { done <- fmt.Sprint("finI ", i.Foo(), i.(*T).a[0]); return })
	v := &T{}
	runtime.AddCleanup(v, func(s string) { done <- "cleanup " + s }, "arg")
}

//go:noinline
func clobber(n int) int {
	var a [200]int
	a[n%200] = n
	if n > 0 {
		return clobber(n-1) + a[0]
	}
	return a[1]
}

func main() {
	done := make(chan string, 10)
	go mk(done)
	time.Sleep(time.Millisecond)
	clobber(50)
	got := map[string]bool{}
	for len(got) < 3 {
		runtime.GC()
		select {
		case s := <-done:
			got[s] = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	fmt.Println(got)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(ms.NumGC > 0, ms.HeapAlloc > 0, ms.Mallocs > ms.Frees, ms.Sys > 0)
	fmt.Println(runtime.NumGoroutine(), runtime.GOMAXPROCS(0) > 0, runtime.NumCPU() > 0, runtime.Version(), runtime.Compiler, runtime.GOOS, runtime.GOARCH)
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/sched/goroutines:goroutines"}, {Name: "/gc/pauses:seconds"}, {Name: "/nonsense"}}
	metrics.Read(s)
	for _, x := range s {
		fmt.Println(x.Name, x.Value.Kind())
	}
	all := metrics.All()
	ss := make([]metrics.Sample, len(all))
	for i := range all {
		ss[i].Name = all[i].Name
	}
	metrics.Read(ss)
	for i := range ss {
		if ss[i].Value.Kind() != all[i].Kind {
			fmt.Println("bad", ss[i].Name, ss[i].Value.Kind())
		}
	}
	var sb strings.Builder
	fmt.Println(pprof.Lookup("goroutine").WriteTo(&sb, 1), strings.Contains(sb.String(), "main.main"))
	fmt.Println(strings.Count(string(debug.Stack()), "\n") > 3)
	h1, h2 := unique.Make("abc"), unique.Make("ab"+string([]byte{'c'}))
	fmt.Println(h1 == h2, h1.Value())
	w := weak.Make(&ms)
	fmt.Println(w.Value() == &ms)
	m := map[string]int{"a": 1, "b": 2}
	m2 := maps.Clone(m)
	m2["c"] = 3
	fmt.Println(len(m), m2)
	mt := reflect.MapOf(reflect.TypeFor[string](), reflect.TypeFor[[]int]())
	mv := reflect.MakeMap(mt)
	mv.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf([]int{1, 2}))
	fmt.Println(mv.Interface(), mt, mv.MapIndex(reflect.ValueOf("z")).IsValid())
	st := reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int](), Tag: `json:"x"`}, {Name: "Y", Type: reflect.TypeFor[string]()}})
	fmt.Printf("%+v %v\n", reflect.New(st).Elem(), st)
	fmt.Println(reflect.TypeOf((*T)(nil)).MethodByName("Foo"))
	fn := reflect.MakeFunc(reflect.TypeOf(func(int, string) string { return "" }), func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(fmt.Sprint(a[1], a[0]))}
	})
	fmt.Println(fn.Interface().(func(int, string) string)(3, "x"))
	fmt.Println(reflect.ValueOf(&T{}).Method(0).Call(nil)[0].Int())
	var hs maphash.Hash
	hs.WriteString("x")
	fmt.Println(hs.Sum64() != 0, rand.IntN(10) < 10)
	fmt.Println(debug.SetGCPercent(50), debug.SetMaxStack(1<<20), debug.SetMaxThreads(5000))
	fmt.Println(os.Getenv("HOME"), len(os.Args))
	bi, ok := debug.ReadBuildInfo()
	_ = bi
	fmt.Println(ok)
	var mm = map[any]int{1: 1, "x": 2, 1.5: 3, [2]int{1, 2}: 4, struct{ a string }{"q"}: 5, true: 6}
	fmt.Println(mm[1], mm["x"], mm[1.5], mm[[2]int{1, 2}], mm[struct{ a string }{"q"}], mm[true])
	for r, c := range "aé世𝄞\xff" {
		fmt.Print(r, c, " ")
	}
	fmt.Println([]rune("é世𝄞\xff"), string([]rune{0x4e16, 0x10ffff, -1}), []byte("é"), string(rune(0x1d11e)))
	func() {
		defer func() { fmt.Println(recover()) }()
		debug.SetPanicOnFault(true)
		var p *T
		fmt.Println(p.a[3])
	}()
}
