// Goroutines that wait for their next request hold nothing of those before: requests that connections have served are found
// dead while these wait, whatever the frames in between have seen. gc, whose frames have maps, prints the same.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	conns  = 60
	rounds = 5
)

type request struct {
	header map[string]string
	body   [4]string
	answer chan string
}

var living atomic.Int64

func newRequest(i int) *request {
	r := &request{header: map[string]string{"n": fmt.Sprint(i)}, answer: make(chan string)}
	living.Add(1)
	runtime.AddCleanup(r, func(int) { living.Add(-1) }, 0)
	return r
}

type source interface{ next() *request }

type pipe chan *request

func (p pipe) next() *request { return <-p }

type conn struct {
	in    source
	stats map[string]int
	mu    sync.Mutex
}

func (c *conn) handle(r *request) (string, error) {
	if r.header == nil {
		return "", fmt.Errorf("no header in %v", r)
	}
	for i := range r.body {
		r.body[i] = strings.Repeat(r.header["n"], i)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats[r.header["n"]]++
	return strings.Join(r.body[:], ","), nil
}

func (c *conn) serve() {
	last, failed := "", 0
	for {
		r := c.in.next()
		if r == nil {
			return
		}
		answer, err := c.handle(r)
		if err != nil {
			failed++
			last = err.Error()
		}
		if failed > 3 {
			panic(last)
		}
		if len(r.header) > 1 {
			go c.handle(&request{header: r.header})
		}
		r.answer <- answer
	}
}

//go:noinline
func ask(p pipe, i int) int {
	r := newRequest(i)
	p <- r
	return len(<-r.answer)
}

func main() {
	var pipes []pipe
	for range conns {
		p := make(pipe)
		pipes = append(pipes, p)
		go (&conn{in: p, stats: map[string]int{}}).serve()
	}
	var all sync.WaitGroup
	for _, p := range pipes {
		all.Go(func() {
			for i := range rounds {
				ask(p, i)
			}
		})
	}
	all.Wait()
	for i := 0; living.Load() > 0 && i < 20; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	fmt.Println("living", living.Load())
	for _, p := range pipes {
		p <- nil
	}
}
