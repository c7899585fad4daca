// Objects that a function has dropped are found dead by the runtime.GC that it calls, itself or through another function of its
// package: in variables, behind interfaces and closures, in slices, structs, results and loops.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"weak"
)

type node struct {
	next *node
	data [6]int
}

func collect() { runtime.GC() }

func check(what string, w weak.Pointer[node], alive bool) {
	if got := w.Value() != nil; got != alive {
		fmt.Println(what, "alive:", got)
	} else {
		fmt.Println(what, "ok")
	}
}

func variable() {
	p := new(node)
	w := weak.Make(p)
	runtime.GC()
	check("variable used later", w, true)
	p.data[0]++
	runtime.KeepAlive(p)
	runtime.GC()
	check("variable", w, false)
}

func parameter(p *node) {
	w := weak.Make(p)
	collect()
	check("parameter used later", w, true)
	p.data[1]++
	runtime.KeepAlive(p)
	collect()
	check("parameter", w, false)
}

func slice() {
	s := []*node{new(node), new(node)}
	w := weak.Make(s[1])
	for i := range s {
		s[i].next = s[0]
	}
	collect()
	check("slice used later", w, true)
	runtime.KeepAlive(s)
	s = nil
	collect()
	check("slice", w, false)
}

func iface() {
	var x any = new(node)
	w := weak.Make(x.(*node))
	runtime.KeepAlive(x)
	x = 1
	collect()
	check("interface", w, false)
	runtime.KeepAlive(x)
}

func closure() {
	p := new(node)
	f := func() int { p.data[2]++; return p.data[2] }
	w := weak.Make(p)
	f()
	collect()
	check("closure called later", w, true)
	f()
	p = nil
	collect()
	check("captured variable set to nil", w, false)
	runtime.KeepAlive(f)
}

type box struct {
	a, b *node
	n    [3]int
}

//go:noinline
func boxes() (box, weak.Pointer[node]) {
	b := box{a: new(node), b: new(node)}
	return b, weak.Make(b.b)
}

func structs() {
	b, w := boxes()
	collect()
	check("struct used later", w, true)
	b.n[0] = b.b.data[0]
	runtime.KeepAlive(&b)
	b = box{}
	collect()
	check("struct", w, false)
	runtime.KeepAlive(&b)
}

func loop() {
	var last *node
	for i := range 4 {
		p := &node{next: last}
		w := weak.Make(p)
		last = p
		collect()
		check(fmt.Sprint("loop ", i), w, true)
		last.data[i]++
	}
	w := weak.Make(last)
	last = nil
	collect()
	check("after the loop", w, false)
}

func recovered() (w weak.Pointer[node], p *node) {
	defer func() {
		recover()
		p.data[3]++
	}()
	p = new(node)
	w = weak.Make(p)
	collect()
	panic("again")
}

func list() {
	// A list of variables that live on the stack.
	var a, b box
	a.a = new(node)
	b.a = a.a
	x := &a
	y := &x
	w := weak.Make(a.a)
	collect()
	check("through pointers to the stack", w, true)
	(*y).a.data[4]++
	runtime.KeepAlive((*y).a)
	runtime.KeepAlive(b.a)
}

type chained struct {
	next *node
	data [6]int
}

// chain is small enough to be inlined, with its copies of what it takes.
func chain(c chained) chained {
	n := &node{c.next, c.data}
	return chained{n, c.data}
}

func copies() {
	a := chain(chained{data: [6]int{1, 2, 3}})
	b := chain(a)
	w := weak.Make(a.next)
	if a == b || b.next.next != a.next {
		fmt.Println("chain is wrong")
	}
	collect()
	check("copies of structs", w, false)
}

// A goroutine that has told the collecting one that it is done, and has yet to return.
func goroutine() {
	var w weak.Pointer[node]
	done, end := make(chan bool), make(chan bool)
	go func() {
		defer func() {
			done <- true
			<-end
		}()
		var list []*node
		for range 3 {
			list = append(list, new(node))
		}
		w = weak.Make(list[1])
		runtime.KeepAlive(list)
	}()
	<-done
	runtime.GC()
	check("goroutine that runs deferred calls", w, false)
	close(end)
}

type failure struct{ at int }

func (f *failure) Error() string { return fmt.Sprint("failure ", f.at) }

// named returns results in memory, and makes the slice of the first result in its caller's frame if
// there is but one name.
func named(first *node, names []string) ([]*node, error) {
	if len(names) == 1 {
		return []*node{first}, nil
	}
	nodes, err := several(names)
	if err != nil {
		return nil, err
	}
	for i, n := range nodes {
		copied := *n
		nodes[i] = &copied
	}
	return nodes, nil
}

//go:noinline
func several(names []string) (nodes []*node, err error) {
	for i, name := range names {
		if strings.HasPrefix(name, "-") {
			return nil, &failure{i}
		}
		nodes = append(nodes, &node{data: [6]int{i}})
	}
	return nodes, nil
}

// Results of which one may be in the frame.
func results() {
	nodes, err := named(new(node), []string{"a", "b", "c"})
	if err != nil {
		return
	}
	w := weak.Make(nodes[1])
	kept := nodes[2]
	nodes = nil
	collect()
	check("results in memory", w, false)
	runtime.KeepAlive(kept)
}

func main() {
	copies()
	results()
	goroutine()
	variable()
	parameter(new(node))
	slice()
	iface()
	closure()
	structs()
	loop()
	w, p := recovered()
	check("result of a function that recovered", w, true)
	runtime.KeepAlive(p)
	list()
}
