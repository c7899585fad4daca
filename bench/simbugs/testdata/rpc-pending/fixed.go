// Order, network: the answer is expected before the request is on its way.
package main

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

type client struct {
	mu      sync.Mutex
	c       net.Conn
	next    int
	pending map[int]chan string
}

func (c *client) call(s string) (string, error) {
	reply := make(chan string, 1)
	c.mu.Lock()
	c.next++
	id := c.next
	c.pending[id] = reply
	c.mu.Unlock()
	if _, err := fmt.Fprintf(c.c, "%d %s\n", id, s); err != nil {
		return "", err
	}
	select {
	case r := <-reply:
		return r, nil
	case <-time.After(10 * time.Second):
		return "", fmt.Errorf("no answer to %q", s)
	}
}

func (c *client) read() {
	for s := bufio.NewScanner(c.c); s.Scan(); {
		id, text, _ := strings.Cut(s.Text(), " ")
		n, _ := strconv.Atoi(id)
		c.mu.Lock()
		reply := c.pending[n]
		delete(c.pending, n)
		c.mu.Unlock()
		if reply != nil {
			reply <- text
		}
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		for s := bufio.NewScanner(c); s.Scan(); {
			fmt.Fprintln(c, strings.ToUpper(s.Text()))
		}
	})
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c := &client{c: conn, pending: map[int]chan string{}}
	wg.Go(c.read)
	var calls sync.WaitGroup
	for i := range 3 {
		calls.Go(func() {
			want := fmt.Sprint("HELLO", i)
			if r, err := c.call(strings.ToLower(want)); err != nil || r != want {
				panic(fmt.Sprintf("%q, %v", r, err))
			}
		})
	}
	calls.Wait()
	conn.Close()
	wg.Wait()
}
