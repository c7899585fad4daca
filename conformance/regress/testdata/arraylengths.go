// Arrays of which only the length is wanted: what range and len evaluate of them, and when.
package main

import "fmt"

type T struct {
	A *[3]int
	B [3]int
	C struct{ D [2]string }
	n int
}

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

func f(s string) int {
	fmt.Print(s, " ")
	return 1
}

var count int

func idx() int {
	count++
	return 7
}

func generic[E any](p *[5]E) (n int) {
	for i := range *p {
		n += i
	}
	return n
}

func first(t *T) int {
	for i := range t.B {
		return i
	}
	return -1
}

func main() {
	ranges()
	lengths()
	try("generic", func() { fmt.Print(generic[string](nil)) })
	try("first", func() { fmt.Print(first(nil)) })
}

func ranges() {
	var t *T
	var p *[3]int
	var pp **[3]int
	var s [][3]int
	var x any
	var arr [3][2]int
	k := 5
	try("*p", func() {
		for i := range *p {
			fmt.Print(i)
		}
	})
	try("p", func() {
		for i := range p {
			fmt.Print(i)
		}
	})
	try("(*p)", func() {
		for i := range *(p) {
			fmt.Print(i)
		}
	})
	try("**pp", func() {
		for i := range **pp {
			fmt.Print(i)
		}
	})
	try("*pp", func() {
		for i := range *pp {
			fmt.Print(i)
		}
	})
	try("t.B", func() {
		for i := range t.B {
			fmt.Print(i)
		}
	})
	try("&t.B", func() {
		for i := range &t.B {
			fmt.Print(i)
		}
	})
	try("*t.A", func() {
		for i := range *t.A {
			fmt.Print(i)
		}
	})
	try("t.A", func() {
		for i := range t.A {
			fmt.Print(i)
		}
	})
	try("t.C.D", func() {
		for i := range t.C.D {
			fmt.Print(i)
		}
	})
	try("s[k]", func() {
		for i := range s[k] {
			fmt.Print(i)
		}
	})
	try("arr[k]", func() {
		for i := range arr[k] {
			fmt.Print(i)
		}
	})
	try("s[idx()]", func() {
		for i := range s[idx()] {
			fmt.Print(i)
		}
	})
	try("x.([3]int)", func() {
		for i := range x.([3]int) {
			fmt.Print(i)
		}
	})
	try("x.(*T).B", func() {
		for i := range x.(*T).B {
			fmt.Print(i)
		}
	})
	try("blank t.B", func() {
		for i, _ := range t.B {
			fmt.Print(i)
		}
	})
	try("for range t.B", func() {
		for range t.B {
			fmt.Print("x")
		}
	})
	try("conv", func() {
		for i := range [2]int([]int{1}) {
			fmt.Print(i)
		}
	})
	try("len(t.B)", func() { fmt.Print(len(t.B), len(*p), cap(t.C.D), len(s[k])) })
	try("len(s[idx()])", func() { fmt.Print(len(s[idx()])) })
	try("len(x.([3]int))", func() { fmt.Print(len(x.([3]int))) })
	fmt.Println(count)
}

func lengths() {
	var p *[3]int
	var q *int
	var t *T
	var s []int
	var s3 [][3]int
	var i any
	k := 9
	try("i,_ *p", func() {
		for i, _ := range *p {
			fmt.Print(i)
		}
	})
	try("i,_ p", func() {
		for i, _ := range p {
			fmt.Print(i)
		}
	})
	try("_,_ *p", func() {
		for _, _ = range *p {
			fmt.Print("x")
		}
	})
	try("_ t.B", func() {
		for _ = range t.B {
			fmt.Print("x")
		}
	})
	try("_,_ t.B", func() {
		for _, _ = range t.B {
			fmt.Print("x")
		}
	})
	try("i,_ s3[k]", func() {
		for i, _ := range s3[k] {
			fmt.Print(i)
		}
	})
	try("a", func() { _, x := *q, f("a"); _ = x })
	try("b", func() { x, _ := f("b"), *q; _ = x })
	try("c", func() { _, x := s[k], f("c"); _ = x })
	try("d", func() { _, x := t.n, f("d"); _ = x })
	try("e", func() { _, x := i.(int), f("e"); _ = x })
	try("g", func() { _ = *q + f("g") })
	try("h", func() { _ = f("h") + *q })
	try("i", func() { fmt.Print(f("i"), len(s3[f("i2")])) })
	try("j", func() { fmt.Print(len(s3[f("j2")]), f("j")) })
	try("k", func() { f2(len(s3[f("k2")]), f("k")) })
	try("l", func() { x := len(s3[f("l2")]) + f("l"); _ = x })
	try("m", func() { x := f("m") + len(s3[f("m2")]); _ = x })
	try("n", func() { var a [3]int; _ = a; x, y := len([3]int(s[:f("n2")-1])), f("n"); _, _ = x, y })
	try("o", func() { _ = s[k]; f("o") })
	try("p", func() { _ = []int{*q, f("p")} })
	try("q", func() { _ = T{n: *q}.n + f("q") })
	try("r", func() { _, _, _ = *q, f("r"), t.n })
	try("s", func() { _, _ = *q, s[f("s")] })
	try("u", func() { _ = *q; _ = s[f("u")] })
	try("v", func() { _ = [2]int{*q, f("v")} })
	try("w", func() { _ = func() int { return *q }; f("w") })

	try("y", func() { _ = *q == f("y") })
	try("z", func() {
		if *q == f("z") {
		}
	})
}

//go:noinline
func f2(a, b int) { fmt.Print(a, b) }
