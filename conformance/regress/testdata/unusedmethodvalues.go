// A method value of a nil interface panics as a nil pointer does, whether it is used or not.
package main

import "fmt"

type waiter interface{ Wait(int) string }

type pair struct {
	error
	w waiter
}

func called() int { fmt.Println("called"); return 1 }

func try(name string, f func()) {
	fmt.Println(name)
	defer func() { fmt.Println(recover()) }()
	f()
}

func later(f any, n int) { fmt.Println(f == nil, n) }

func generic[T waiter](x T) { _ = x.Wait }

func main() {
	var err error
	var w waiter
	var p pair
	try("one", func() { _, _ = err.Error, called() })
	try("two", func() { _ = err.Error })
	try("three", func() { f, n := w.Wait, called(); _, _ = f, n })
	try("four", func() { _, _ = called(), p.Error })
	try("five", func() { _ = p.w.Wait })
	try("six", func() { later(w.Wait, called()) })
	try("seven", func() { defer later(w.Wait, called()) })
	try("eight", func() { var f func(int) string; f, n := w.Wait, called(); _, _ = f, n })
	try("nine", func() { generic(w) })
	try("ten", func() { _ = func() func() string { return err.Error }() })
}
