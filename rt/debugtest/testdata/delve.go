// A program for a session of delve. The test names its lines.
package main

import (
	"fmt"
	"os"
	"time"
)

type point struct{ x, y int }

type pair[K comparable, V any] struct {
	key K
	val V
}

type names []string

type node struct {
	name string
	next *node
	tags map[string]int
}

func show(s string, l []point, m map[string]int, c chan point, n names, p pair[string, int], b [3]bool, t *node, e error, a any) int {
	local := len(s) + len(l)
	fmt.Println(local, m["one"], len(c), n, p, b, t.name)
	return local
}

func deep(n int, room [200]byte) int {
	if n == 0 {
		return bottom(int(room[3]))
	}
	return deep(n-1, room) + 1
}

func bottom(v int) int {
	return v + 1
}

func loop(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func main() {
	if len(os.Args) > 1 { // to be attached to
		fmt.Println("ready")
		for tick := 0; ; tick++ {
			waits(tick)
		}
	}
	m, big := map[string]int{"one": 1}, map[int]point{}
	for i := range 100 {
		big[i] = point{i, -i}
	}
	c := make(chan point, 4)
	c <- point{1, 2}
	got := show("text", []point{{3, 4}, {5, 6}}, m, c, names{"a", "b"}, pair[string, int]{"k", 7}, [3]bool{true}, &node{"list", nil, m}, &failure{5}, point{8, 9})
	done := make(chan int)
	go func() { done <- deep(300, [200]byte{}) }()
	fmt.Println(<-done, loop(10), got, len(big))
}

func waits(tick int) {
	time.Sleep(time.Millisecond)
	_ = tick
}

type failure struct{ code int }

func (f *failure) Error() string { return "failure" }
