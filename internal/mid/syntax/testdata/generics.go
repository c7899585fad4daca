package p

type list[T any] struct {
	head T
	next *list[T]
}

func (l *list[T]) each(f func(T)) {
	for ; l != nil; l = l.next {
		f(l.head)
	}
}

type of[T any] = *list[T]

// A type that a generic function declares is another one in each instance.
func local[T any](x T) any {
	type pair struct{ a, b T }
	return pair{x, x}
}

func sizes[T ~[]byte | ~string](x T) (n int) {
	for i := 0; i < len(x); i++ {
		n += int(x[i])
	}
	return max(n, len(x[1:]))
}

func wide[T int8 | float64](x int) T { return T(x) + 1 }

// A constant has the type that the parameter stands for.
func constant[T int8 | complex128]() T { return T(1) }

func empty[M ~map[K]V, K comparable, V any](m M) { clear(m) }

type stringer interface{ String() string }

type name string

func (n name) String() string { return string(n) }

// A method value of a type parameter may be that of an interface.
func bound[T stringer](x T) func() string { return x.String }

func uses(l of[int]) {
	l.each(func(int) {})
	f, g := l.each, (*list[int]).each
	_, _ = f, g
	_, _ = local(1), local("a")
	_ = sizes("abc") + sizes([]byte{1})
	_, _ = wide[int8](3), wide[float64](3)
	empty(map[string]int{})
	_, _ = constant[int8](), constant[complex128]()
	_, _ = bound(name("n")), bound[stringer](name("i"))
}
