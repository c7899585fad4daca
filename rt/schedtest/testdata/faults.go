package main

import "fmt"

type big struct{ pad, x [1 << 16]int }

//go:noinline
func load(p *big, i int) int { return p.x[i] }

//go:noinline
func store(p *int) { *p = 1 }

//go:noinline
func move(dst, src *[100]int) { *dst = *src }

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func deep(n int) {
	var pad [30]int
	pad[n%30] = n
	if n > 0 {
		deep(n - 1)
		pad[0]++
		return
	}
	store(nil)
}

func main() {
	var a [100]int
	try("load", func() { load(nil, 3) })
	try("store", func() { store(nil) })
	try("move", func() { move(&a, nil) })
	try("map", func() { var m map[string]int; m["x"] = 1 })
	for n := range 60 {
		func() {
			defer func() {
				if recover() == nil {
					panic("no fault")
				}
			}()
			deep(n)
		}()
	}
	done := make(chan bool)
	for range 100 {
		go func() { try2(); done <- true }()
	}
	for range 100 {
		<-done
	}
	fmt.Println("done")
}

func try2() {
	defer func() { recover() }()
	store(nil)
}

// Output:
// load runtime error: invalid memory address or nil pointer dereference
// store runtime error: invalid memory address or nil pointer dereference
// move runtime error: invalid memory address or nil pointer dereference
// map assignment to entry in nil map
// done
