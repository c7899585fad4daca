package p

import "fmt"

type T struct {
	a, b int
	p    *T
	s    []int
}

func (t *T) M(x int) int { return t.a + x }
func (t T) V() int       { return t.b }

func f(n int, xs ...string) (r int, err error) {
	for i := 0; i < n; i++ {
		if i%2 == 0 && n > 3 || i == 7 {
			r += i
		}
	}
	for i, x := range xs {
		r += len(x) * i
	}
	t := &T{a: 1}
	r += t.M(r) + t.V()
	fmt.Println(r, n, xs)
	return r, nil
}

func g() (x int) {
	defer func() { recover(); x = 3 }()
	m := map[string]int{"a": 1, "b": h()}
	for k, v := range m {
		if v, ok := m[k]; ok {
			x += v
		}
		_ = v
	}
	switch x {
	case 1, 2:
		x++
		fallthrough
	default:
		x = 9
	case 5:
		return 4
	}
	return x
}
func h() int { return 1 }
func sum[E int | float64](l ...E) (s E) {
	for _, x := range l {
		s += x
	}
	return
}

var y = sum(1, 2) + int(sum(1.5))

func it(yield func(int) bool) { yield(1) }
func k() int {
outer:
	for i := range 3 {
		for x := range it {
			if x == i {
				continue outer
			}
			if x > 3 {
				return x
			}
			defer h()
		}
	}
	select {
	case v, ok := <-make(chan int):
		_ = ok
		return v
	default:
	}
	var e any = T{}
	switch v := e.(type) {
	case int:
		return v
	case T:
		return v.a
	}
	fs := []func() int{}
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	return fs[0]()
}
