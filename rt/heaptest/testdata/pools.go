// sync.Pool under many goroutines and collections: a value is with one goroutine at a time, comes out as it was put in,
// is dropped after two collections, and every one that was put in is accounted for.
package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

type item struct {
	held    atomic.Int32
	n       int
	partner *item
	payload [5]int
}

func newItem(n int) *item { return &item{n: n, partner: &item{n: -n}} }

func (it *item) check(s string) {
	if it.partner == nil || it.partner.n != -it.n {
		panic(s + ": a value has changed")
	}
}

// share lets goroutines pass values to each other through pools.
func share() {
	var pools [3]sync.Pool
	var made atomic.Int32
	for i := range pools {
		pools[i].New = func() any { return newItem(int(made.Add(1))) }
	}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			var mine []*item
			for i := range 3000 {
				p := &pools[(w+i/100)%len(pools)]
				if len(mine) < 1+(w+i/64)%40 {
					it := p.Get().(*item)
					if !it.held.CompareAndSwap(0, 1) {
						panic("a value came out twice")
					}
					it.check("Get")
					mine = append(mine, it)
				} else {
					it := mine[len(mine)-1]
					mine = mine[:len(mine)-1]
					it.partner = &item{n: -it.n}
					it.held.Store(0)
					p.Put(it)
				}
				if i%500 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	done := make(chan bool)
	go func() { wg.Wait(); close(done) }()
	for n := 0; ; n++ {
		select {
		case <-done:
			fmt.Println("shared", made.Load() > 0)
			return
		default:
			if n%4 == 3 {
				runtime.GOMAXPROCS(1 + n%5)
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
}

// drop counts the values that die with the pool untouched.
func drop() {
	var dead atomic.Int32
	p := new(sync.Pool)
	func() {
		for i := range 200 {
			it := newItem(i)
			runtime.AddCleanup(it, func(int) { dead.Add(1) }, 0)
			p.Put(it)
		}
	}()
	for i := 0; i < 10 && dead.Load() < 195; i++ {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Println("dropped", dead.Load() >= 195)
	runtime.KeepAlive(p)
}

var names = []string{"puts:values", "hits:gets", "steals:gets", "victims:gets", "misses:gets", "evictions:values"}

// account compares the counters that only Loam has.
func account() {
	var p sync.Pool
	for i := range 1000 {
		p.Put(i)
		if i%3 == 0 {
			p.Get()
		}
	}
	s := make([]metrics.Sample, len(names))
	for i := range s {
		s[i].Name = "/loam/pool/" + names[i]
	}
	runtime.GC()
	victim := p.Get()
	runtime.GC()
	runtime.GC()
	empty := p.Get()
	metrics.Read(s)
	ok := empty == nil
	want := uint64(0) // from the generation before: none if the program collected more often than it asked for
	if victim != nil {
		want = 1
	}
	if s[0].Value.Kind() != metrics.KindBad {
		v := func(i int) uint64 { return s[i].Value.Uint64() }
		ok = ok && v(0) >= 1000 && v(0) == v(1)+v(2)+v(3)+v(5) && v(1) >= 300 && v(3) >= want && v(4) >= 1 && v(5) > 600
		if !ok {
			for _, x := range s {
				println(x.Name, x.Value.Uint64())
			}
		}
	}
	fmt.Println("counts", ok)
}

func main() {
	account()
	drop()
	share()
}
