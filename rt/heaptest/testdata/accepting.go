// A goroutine that accepts connections holds nothing that it has never seen: its frame has words that it does not write, on a stack whose
// last user left pointers there, and objects that come to be where these point are found dead all the same. gc, whose frames have
// maps, prints the same.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	listeners = 100
	users     = 300
	requests  = 2000
	rounds    = 5
)

type request struct {
	header map[string]string
	body   [4]string
}

var living atomic.Int64

//go:noinline
func makeRequests(n int) (list []*request) {
	living.Add(int64(n))
	for range n {
		r := &request{}
		runtime.AddCleanup(r, func(int) { living.Add(-1) }, 0)
		list = append(list, r)
	}
	return list
}

type conn struct{ in chan *request }

func (c *conn) serve(from string) {
	for r := range c.in {
		r.body[0] = from
	}
}

type queue chan *conn

func (q queue) name() string { return fmt.Sprint(len(q)) }

// serve accepts connections until there are no more. It has words in its frame for ways that it does not take.
//
//go:noinline
func serve(q queue, seen map[string]int) error {
	delay := time.Duration(0)
	for {
		c, ok := <-q
		if !ok {
			return nil
		}
		if c.in == nil {
			if delay *= 2; delay > time.Second {
				return fmt.Errorf("%s after %v, %v, %v", q.name(), delay, seen, [3]int{len(seen), 1, 2})
			}
			time.Sleep(delay)
			continue
		}
		delay = 1
		seen[q.name()]++
		go c.serve(q.name())
	}
}

// use leaves pointers to the requests in depth frames of this stack.
//
//go:noinline
func use(list []*request, depth int) (sum int) {
	var frame [40]*request
	copy(frame[:], list[depth%(len(list)-len(frame)):])
	if depth > 0 {
		sum = use(list, depth-1)
	}
	for _, r := range frame {
		sum += len(r.header)
	}
	return sum
}

//go:noinline
func dirty() {
	list := makeRequests(requests)
	var all sync.WaitGroup
	for i := range users {
		all.Go(func() {
			runtime.Gosched()
			use(list[i:], 20)
		})
	}
	all.Wait()
}

func collect() {
	for i := 0; living.Load() > 0 && i < 20; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// listen lets listeners accept, and tells how many requests live that were made and dropped while these waited.
func listen() int64 {
	var all sync.WaitGroup
	var queues []queue
	for range listeners {
		q := make(queue)
		queues = append(queues, q)
		all.Add(1)
		go func() {
			defer all.Done()
			if err := serve(q, map[string]int{}); err != nil {
				panic(err)
			}
		}()
	}
	time.Sleep(5 * time.Millisecond)
	makeRequests(requests)
	collect()
	held := living.Load()
	for _, q := range queues {
		c := &conn{make(chan *request)}
		q <- c
		c.in <- &request{}
		close(c.in)
		close(q)
	}
	all.Wait()
	return held
}

func main() {
	for range rounds {
		dirty()
		collect()
		fmt.Println("living", living.Load())
		fmt.Println("living while listeners wait", listen())
	}
}
