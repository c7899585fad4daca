// Loops over functions in delve: their bodies are functions that see the variables of those around
// them. The test names lines of it.
package main

import "fmt"

type list[T any] struct {
	first T
	rest  *list[T]
}

func (l *list[T]) all(yield func(int, T) bool) {
	for i := 0; l != nil; i++ {
		if !yield(i, l.first) {
			return
		}
		l = l.rest
	}
}

//go:noinline
func nested(limit int, words *list[string]) int {
	sum, factor := 0, 10
	for i, w := range words.all {
		long := len(w) > 3
		for _, v := range words.all {
			sum += factor * len(v)
			if i == limit {
				break
			}
			factor--
		}
		if long {
			sum++
		}
	}
	return sum
}

//go:noinline
func deep(n int, words *list[string]) string {
	text := fmt.Sprint(n)
	for i, w := range words.all {
		text += w
		if n > 0 && i == 1 {
			text += deep(n-1, words)
		}
		if n == 0 {
			return text
		}
	}
	return text
}

// kept calls, long after it was made, the body of a loop that is on the heap.
type kept struct{ call func(int) bool }

//go:noinline
func (k *kept) all(yield func(int) bool) {
	k.call = yield
	k.again(1)
}

//go:noinline
func (k *kept) again(n int) {
	if n < 4 && k.call(n) {
		k.again(n + 1)
	}
}

var last = &kept{}

//go:noinline
func heap(from int) int {
	total := from
	for n := range last.all {
		total += n
		last.call(9 - n) // panics
	}
	return total
}

func main() {
	words := &list[string]{"one", &list[string]{"three", &list[string]{"four", nil}}}
	fmt.Println(nested(1, words), deep(2, words))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(heap(5))
}
