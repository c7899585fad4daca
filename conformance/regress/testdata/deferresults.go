// A function that recovers returns its named results, wherever they are: in registers, in the
// caller's frame, on the heap. What the function keeps in its frame meanwhile, and what its callers
// keep in registers, is not in the way.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type big struct {
	a, b, c, d int
	s          string
}

var errEarly = errors.New("early")

//go:noinline
func step(n int) int {
	if n%7 == 6 {
		panic(fmt.Sprint("step ", n))
	}
	return n*n + 1
}

// many has more values than there are registers, all of them needed behind the calls.
func many(n int, x, y float64) (sum int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	a, b, c, d := step(n), step(n+1), step(n+2), step(n+3)
	sum = a + b
	e, f, g := step(a&3), step(b&3), step(c&3)
	sum += c*d + e
	h, i, j, k := step(d&3), step(e&3), step(f&3), step(g&3)
	sum += h + i*j + k + int(x*float64(a)+y*float64(k))
	return sum + a + b + c + d + e + f + g + step(n+sum&1), errEarly
}

func area(n int, out *big) (v big, list []int, word string, err error) {
	word = "begun"
	mu.Lock()
	defer mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			list = append(list, len(word))
			err = fmt.Errorf("area %v", r)
		}
	}()
	v.a, v.s = n, "first"
	list = append(list, step(n))
	v.b = step(n + 1)
	out.c = v.b
	word = "half"
	v.c, v.d = step(n+2), step(n+3)
	return v, append(list, 1), "done", nil
}

var (
	mu   sync.Mutex
	kept []*string
)

// escaping has results that others keep the addresses of.
func escaping(n int) (s string, m map[int]int, p *int) {
	kept = append(kept, &s)
	s = "none"
	m = map[int]int{n: 1}
	defer func() { recover() }()
	p = &n
	n = step(n) + step(n+1)
	s = fmt.Sprint("whole ", n)
	m[2] = step(n & 7)
	return s + "!", m, p
}

// unnamed results are zero when the function has recovered.
func unnamed(n int) (int, string, []int, float64, error) {
	defer func() { recover() }()
	return step(n), "text", []int{step(n + 1)}, 1.5, errEarly
}

// late defers only on one way, after calls.
func late(n int) (s string) {
	s = "a"
	if n%2 == 0 {
		return s + fmt.Sprint(n%7 == 6 || step(n) > 0)
	}
	x := n * 3
	s = "b"
	defer func() {
		if recover() != nil {
			s += "!"
		}
	}()
	s += fmt.Sprint(x + step(n))
	defer func() { s += "." }()
	return s + fmt.Sprint(step(n+1))
}

// twice panics again in the last of its calls.
func twice(n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("outer %v", r)
		}
	}()
	func() {
		defer func() { step(n) }()
		defer func() { recover() }()
		step(n + 1)
	}()
	return nil
}

type node struct{ next *node }

// fault dereferences nil with results half done.
func fault(l *node) (n int, where string) {
	defer func() {
		if recover() != nil {
			where = "fault"
		}
	}()
	for {
		n++
		where = fmt.Sprint(n)
		l = l.next
	}
}

// held sees that its own values survive what it calls.
func held(n int) string {
	a, b, c, d, e, f := n+1, n+2, n+3, n+4, n+5, n+6
	s, err := many(n, 1.25, 2.5)
	s2, _ := many(n+d, float64(a), float64(b))
	return fmt.Sprint(a, b, c, d, e, f, s, err, s2)
}

func main() {
	for n := range 14 {
		fmt.Println(held(n))
		var out big
		v, list, word, err := area(n, &out)
		fmt.Println(v, list, word, err, out)
		s, m, p := escaping(n)
		fmt.Println(s, m, p != nil && *p > 0, *kept[n])
		fmt.Println(unnamed(n))
		fmt.Println(late(n), twice(n), twice(n+1))
		fmt.Println(fault(&node{&node{}}))
	}
}
