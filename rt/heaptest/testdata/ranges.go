package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
)

type item struct {
	id int
	_  *item
}

// Values of several words have one barrier for all of them, which looks at few words by itself. One
// place of a value points to an item, so each word counts: the first, the last, and one between.
type (
	short struct {
		first     *item
		a, b      int
		mid, last *item
	}
	long struct {
		first *item
		_     [6]int
		mid   *item
		_     [7]int
		last  *item
	}
	longer struct {
		long
		behind *item
	}
)

const n = 1 << 14

// exchange moves values about until stop is closed, by copies and by appends of three, and then
// looks whether each item is still there. places are a value's pointers, of which one is set.
func exchange[T any](places func(*T) []**item, stop chan struct{}) {
	all := make([]T, n)
	for i := range all {
		p := places(&all[i])
		*p[i%len(p)] = &item{id: i}
	}
	seed := uint64(1)
	for done := false; !done; {
		for range 1 << 15 {
			seed = seed*6364136223846793005 + 1442695040888963407
			i, j := seed>>33%n, seed>>40%n
			all[i], all[j] = all[j], all[i]
		}
		var again []T
		for i := 0; i+2 < n; i += 3 {
			again = append(again, all[i], all[i+1], all[i+2])
		}
		all = append(again, all[len(again):]...)
		select {
		case <-stop:
			done = true
		default:
		}
	}
	seen := make([]bool, n)
	for i := range all {
		for _, p := range places(&all[i]) {
			if *p != nil {
				seen[(*p).id] = true
			}
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		panic(fmt.Sprint("lost ", i))
	}
}

func main() {
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		exchange(func(v *short) []**item { return []**item{&v.first, &v.mid, &v.last} }, stop)
	})
	wg.Go(func() {
		exchange(func(v *long) []**item { return []**item{&v.first, &v.mid, &v.last} }, stop)
	})
	wg.Go(func() {
		exchange(func(v *longer) []**item { return []**item{&v.first, &v.behind} }, stop)
	})
	for range 50 {
		runtime.GC()
	}
	close(stop)
	wg.Wait()
	fmt.Println("ok")
}
