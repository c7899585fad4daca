// Goroutines that build, share and check persistent trees while others allocate large slices.
package main

import (
	"fmt"
	"math/rand"
	"runtime"
	"sync"
)

type Node struct {
	key         int
	left, right *Node
	pri         int
	data        []byte
	s           string
}

func check(n *Node) int {
	if n == nil {
		return 0
	}
	for i, b := range n.data {
		if b != byte(n.key+i) {
			panic(fmt.Sprint("corrupt ", n.key, i, b))
		}
	}
	if n.s != fmt.Sprint(n.key) {
		panic("corrupt string " + n.s)
	}
	return 1 + check(n.left) + check(n.right)
}

func insert(n *Node, key int, r *rand.Rand) *Node {
	if n == nil {
		m := &Node{key: key, pri: r.Int(), s: fmt.Sprint(key)}
		m.data = make([]byte, r.Intn(400))
		for i := range m.data {
			m.data[i] = byte(key + i)
		}
		return m
	}
	if key < n.key {
		l := insert(n.left, key, r)
		c := *n
		c.left = l
		return &c
	} else if key > n.key {
		q := insert(n.right, key, r)
		c := *n
		c.right = q
		return &c
	}
	return n
}

type msg struct {
	tree *Node
	back chan int
}

func main() {
	runtime.GOMAXPROCS(4)
	work := make(chan msg)
	for i := 0; i < 3; i++ {
		go func() {
			for m := range work {
				m.back <- check(m.tree)
			}
		}()
	}
	var wg sync.WaitGroup
	total := 0
	var mu sync.Mutex
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(g)))
			var t *Node
			back := make(chan int)
			for i := 0; i < 200; i++ {
				t = insert(t, r.Intn(1000), r)
				if i%20 == 0 {
					work <- msg{t, back}
					n := <-back
					mu.Lock()
					total += n
					mu.Unlock()
				}
				if i%100 == 50 {
					big := make([]*Node, 10000+r.Intn(50000))
					big[len(big)-1] = t
					t = big[len(big)-1]
				}
				if i%7 == 0 {
					done := make(chan bool)
					go func() {
						x := make([]int, 100)
						x[5] = i
						runtime.Gosched()
						done <- x[5] == i
					}()
					if !<-done {
						panic("x")
					}
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(total)
}
