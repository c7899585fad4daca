// A map that has grown keeps none of the values that it had when it was small, and a loop over it
// that began before finds what it should.
package main

import (
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

type blob struct{ data [1024]byte }

// fills a map twice, and says how many of the first values were collected.
func filled[K comparable, V any](name string, m map[K]V, key func(int) K, value func(*blob) V) {
	collected := new(atomic.Int64)
	for range 2 {
		for i := range 100 {
			b := new(blob)
			runtime.AddCleanup(b, func(n *atomic.Int64) { n.Add(1) }, collected)
			m[key(i)] = value(b)
		}
	}
	for range 50 {
		runtime.GC()
		if time.Sleep(time.Millisecond); collected.Load() == 100 {
			break
		}
	}
	fmt.Println(name, collected.Load(), len(m))
	for i := range 100 {
		delete(m, key(i))
	}
	runtime.KeepAlive(m)
}

type wide struct {
	p   *blob
	pad [40]int
}

type holder struct{ m map[int]*blob }

var global = map[int]*blob{}

func id(i int) int            { return i }
func same(b *blob) *blob      { return b }
func inAny(b *blob) any       { return b }
func inWide(b *blob) wide     { return wide{p: b} }
func inSlice(b *blob) []*blob { return []*blob{b} }

func main() {
	filled("ints", map[int]*blob{}, id, same)
	filled("made", make(map[int]*blob), id, same)
	filled("made of 8", make(map[int]*blob, 8), id, same)
	filled("made of 9", make(map[int]*blob, 9), id, same)
	filled("strings", map[string]*blob{}, func(i int) string { return fmt.Sprint(i) }, same)
	filled("floats", map[float64]*blob{}, func(i int) float64 { return float64(i) }, same)
	filled("arrays", map[[20]int]*blob{}, func(i int) [20]int { return [20]int{i} }, same)
	filled("interfaces", map[any]any{}, func(i int) any { return i }, inAny)
	filled("wide", map[int32]wide{}, func(i int) int32 { return int32(i) }, inWide)
	filled("slices", map[uint64][]*blob{}, func(i int) uint64 { return uint64(i) }, inSlice)
	h := &holder{map[int]*blob{}}
	filled("field", h.m, id, same)
	filled("global", global, id, same)

	// Loops that go on while the map grows.
	for _, n := range []int{1, 5, 8} {
		m := map[int]*int{}
		for i := range n {
			m[i] = &[]int{i}[0]
		}
		seen, wrong := map[int]bool{}, 0
		for k, v := range m {
			if seen[k] || v == nil || *v != k {
				wrong++
			}
			seen[k] = true
			for i := 100; i < 150; i++ {
				if len(seen) == 1 {
					m[i] = &[]int{i}[0]
				}
			}
		}
		missing := 0
		for i := range n {
			if !seen[i] {
				missing++
			}
		}
		fmt.Println(n, wrong, missing)
	}
	nan := map[float64]*int{}
	for i := range 8 {
		nan[math.NaN()] = &[]int{i}[0]
	}
	sum, n := 0, 0
	for k, v := range nan {
		if k != k {
			sum += *v
			n++
		}
		if n == 1 {
			for i := range 20 {
				nan[float64(i)] = &[]int{100}[0]
			}
		}
	}
	fmt.Println(sum, n)
}
