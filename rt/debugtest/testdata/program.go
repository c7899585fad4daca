// Program stops in inspect, where a debugger looks at its variables; the test knows the lines.
package main

import "os"

type point struct{ x, y int }

type tree struct {
	left, right *tree
	name        string
}

type number int32
type list[T any] struct{ elems []T }

type speaker interface{ speak() string }

func (p *point) speak() string { return "point" }

var counter number = 42
var table = map[string]int{"one": 1, "two": 2}

//go:noinline
func (p point) plus(q point) (sum point) {
	sum.x = p.x + q.x
	sum.y = p.y + q.y
	return sum
}

//go:noinline
func (l *list[T]) add(v T) int {
	l.elems = append(l.elems, v)
	return len(l.elems)
}

//go:noinline
func inspect(name string, numbers []int, p point, t *tree, f float64, ok bool, s speaker, array [3]uint8) (total int) {
	for i, v := range numbers {
		double := v * 2
		if i == 1 {
			name := "inner"
			println(name, double) // line 42
		}
		total += double
	}
	println(name, p.x, t.name, f, ok, s != nil, array[1]) // line 46
	return total
}

func main() {
	if len(os.Args) > 5 {
		table["three"] = 3
	}
	t := &tree{name: "root", left: &tree{name: "leaf"}}
	total := inspect("hello", []int{10, 20, 30}, point{1, 2}, t, 2.5, true, &point{}, [3]uint8{7, 8, 9})
	captured := point{total, 6}
	change := func(by int) {
		captured.x += by
		println(captured.x) // line 59
	}
	change(5)
	var l list[string]
	println(l.add("x"), captured.plus(point{1, 1}).x, counter)
}
