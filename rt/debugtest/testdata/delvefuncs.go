// Values of functions: of declared ones, of methods, of literals, in variables, fields and elements.
package main

import "fmt"

type handler func(int) string

type table struct {
	name string
	sum  func(a, b int) int
	h    handler
	none func()
}

func add(a, b int) int { return a + b }

func (t *table) text(n int) string { return fmt.Sprint(t.name, n) }

//go:noinline
func show(f func(), t *table, list []func(int) string, m map[string]handler, any any) {
	f()
	fmt.Println(t.sum(1, 2), t.h(3), len(list), len(m), any != nil)
}

func main() {
	n := 5
	t := &table{name: "x", sum: add}
	t.h = t.text
	literal := func() { n++; fmt.Println(n) }
	list := []func(int) string{t.text, func(k int) string { return fmt.Sprint(k, n) }, nil}
	show(literal, t, list, map[string]handler{"one": t.text}, literal)
}
