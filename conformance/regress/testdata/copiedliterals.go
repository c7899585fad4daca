// Literals that stay in functions that gc inlines: what they call is not inlined, which the order
// of their operands shows.
package main

import "fmt"

func seen(vs ...any) { fmt.Println(vs...) }

func guarded(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

func div(a, b int) int { return a / b }
func two(a, b int) int { return a*10 + b }

type M struct{ n int }

func (m M) small(k int) int { return m.n*100 + k }

// in each: the operands see what an inlined call changes, or not
func declared() {
	guarded("declared", func() {
		x := 1.5
		up := func() float64 { x++; return 1 }
		seen(x, up(), any(x), two(int(x), int(up())), x)
	})
}

func generic[T int | float64](v T) {
	guarded("generic", func() {
		x := float64(v)
		up := func() float64 { x++; return 1 }
		seen(x, up(), any(x), x+up())
	})
}

func (m M) method() {
	guarded("method", func() {
		x := float64(m.n)
		up := func() float64 { x++; return 1 }
		seen(x, up(), m.small(int(up())), x)
	})
}

func (m *M) pointer() {
	guarded("pointer", func() {
		x := float64(m.n)
		up := func() float64 { x++; return 1 }
		seen(x, up(), m.small(int(up())), x)
	})
}

func divides(d int) {
	guarded("divides", func() {
		x := 7.0
		up := func() float64 { x++; seen("up"); return 1 }
		seen(div(int(x), d), up())
	})
	guarded("divides2", func() {
		x := 7.0
		up := func() float64 { x++; seen("up"); return 1 }
		seen(two(int(x)/d, int(up())))
	})
	guarded("divides3", func() {
		x := 7.0
		up := func() float64 { x++; seen("up"); return 1 }
		seen(map[int]any{1: x, 2: up(), 3: x, 4: div(int(x), d)})
	})
}

func big(a int) int {
	guarded("big", func() {
		x := 1.5
		up := func() float64 { x++; return 1 }
		seen(map[int]any{1: int(x), 2: up(), 3: x})
	})
	for i := range a {
		for j := range i {
			if (i^j)&1 == 0 {
				fmt.Println("i", i, "j", j, a)
			} else {
				fmt.Println(i, j)
			}
		}
	}
	fmt.Println(a, a, a, a, a)
	fmt.Println(a, a, a, a, a)
	return a
}

func once() {
	f := func(n int) {
		guarded("once", func() {
			x := float64(n)
			up := func() float64 { x++; return 1 }
			seen(map[int]any{1: int(x), 2: up(), 3: x})
			inner := func() {
				y := float64(n)
				up := func() float64 { y++; return 1 }
				seen(y, up(), any(y))
				seen(map[int]any{1: int(y), 2: up(), 3: y})
			}
			inner()
		})
		z := float64(n)
		up := func() float64 { z++; return 1 }
		seen(map[int]any{1: int(z), 2: up(), 3: z})
		deep := func() {
			w := float64(n)
			up := func() float64 { w++; return 1 }
			seen(map[int]any{1: int(w), 2: up(), 3: w})
			guarded("deep", func() {
				v := float64(n)
				up := func() float64 { v++; return 1 }
				seen(map[int]any{1: int(v), 2: up(), 3: v})
			})
		}
		deep()
	}
	f(5)
}

var kept func()

func keeps() {
	kept = func() {
		x := 1.5
		up := func() float64 { x++; return 1 }
		seen(map[int]any{1: int(x), 2: up(), 3: x})
	}
	func() {
		kept()
		guarded("keeps", func() {
			x := 1.5
			up := func() float64 { x++; return 1 }
			seen(map[int]any{1: int(x), 2: up(), 3: x})
		})
	}()
}

func ret(n int) func() int {
	return func() int {
		x := float64(n)
		up := func() float64 { x++; return 1 }
		seen(map[int]any{1: int(x), 2: up(), 3: x})
		return 1
	}
}

func deferred() {
	defer func() {
		x := 1.5
		up := func() float64 { x++; return 1 }
		seen(map[int]any{1: int(x), 2: up(), 3: x})
	}()
	func() {
		defer func() {
			x := 1.5
			up := func() float64 { x++; return 1 }
			seen(map[int]any{1: int(x), 2: up(), 3: x})
		}()
	}()
}

func loops(n int) {
	for i := range n {
		func() {
			guarded("loops", func() {
				x := float64(i)
				up := func() float64 { x++; return 1 }
				seen(map[int]any{1: int(x), 2: up(), 3: x})
				guarded("loops2", func() {
					y := x
					up := func() float64 { y++; x++; return 1 }
					seen(map[int]any{1: int(y), 2: up(), 3: y, 4: int(x)})
				})
			})
		}()
	}
}

var initial = func() int {
	guarded("initial", func() {
		x := 1.5
		up := func() float64 { x++; return 1 }
		seen(map[int]any{1: int(x), 2: up(), 3: x})
	})
	return 1
}()

func main() {
	declared()
	generic(1)
	generic(1.5)
	M{3}.method()
	(&M{4}).pointer()
	divides(0)
	divides(2)
	big(3)
	once()
	keeps()
	ret(3)()
	r := ret(4)
	r()
	deferred()
	loops(2)
	seen(initial)
}
