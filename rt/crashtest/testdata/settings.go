package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

func try() (r any) { defer func() { r = recover() }(); panic(nil) }
func main() {
	fmt.Println(try() == nil)
	os.Setenv("GODEBUG", "panicnil=1")
	fmt.Println(try() == nil)
	s := []metrics.Sample{{Name: "/godebug/non-default-behavior/panicnil:events"}}
	metrics.Read(s)
	fmt.Println(s[0].Value.Kind(), s[0].Value.Uint64())
	os.Unsetenv("GODEBUG")
	fmt.Println(try() == nil)
	o := runtime.GOMAXPROCS(3)
	fmt.Println(o > 0, runtime.GOMAXPROCS(0))
	runtime.GOMAXPROCS(o)
	runtime.LockOSThread()
	runtime.UnlockOSThread()
	var wg sync.WaitGroup
	for i := 0; i < 100; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); defer func() { recover() }(); var a []int; _ = a[i] }()
	}
	wg.Wait()
	for runtime.NumGoroutine() > 1 {
		time.Sleep(time.Millisecond) // Done comes before the end
	}
	fmt.Println(runtime.NumGoroutine())
	type big struct {
		a [100]int
		s string
	}
	m := map[big]int{{s: "x"}: 1}
	fmt.Println(m[big{s: "x"}], m[big{s: "y"}])
	f := map[float64]int{}
	nan := 0.0
	nan = nan / nan
	f[nan]++
	f[nan]++
	f[0.0]++
	z := 0.0
	f[-z]++
	fmt.Println(len(f), f[0])
	var p runtime.Pinner
	x := new(int)
	p.Pin(x)
	p.Unpin()
	b := make([]runtime.StackRecord, 10)
	fmt.Println(runtime.GoroutineProfile(b))
	fmt.Println(len(b[0].Stack()) > 0)
}
