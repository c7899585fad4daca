// Blocking, network: calls of a client that wait for answers are not told that the connection ends.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"sync"
)

type client struct {
	conn    net.Conn
	mu      sync.Mutex
	waiting map[string]chan string
	gone    bool
}

func (c *client) read() {
	for s := bufio.NewScanner(c.conn); s.Scan(); {
		c.mu.Lock()
		answer := c.waiting[s.Text()]
		delete(c.waiting, s.Text())
		c.mu.Unlock()
		answer <- s.Text()
	}
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
}

func (c *client) call(name string) error {
	answer := make(chan string, 1)
	c.mu.Lock()
	if c.gone {
		c.mu.Unlock()
		return errors.New("gone")
	}
	c.waiting[name] = answer
	c.mu.Unlock()
	if _, err := fmt.Fprintln(c.conn, name); err != nil {
		return err
	}
	if _, ok := <-answer; !ok {
		return errors.New("gone")
	}
	return nil
}

// serve answers the first call and hangs up when the second has come.
func serve(ln net.Listener) {
	conn, err := ln.Accept()
	if err != nil {
		return
	}
	s := bufio.NewScanner(conn)
	s.Scan()
	fmt.Fprintln(conn, s.Text())
	s.Scan()
	conn.Close()
}

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { serve(ln) })
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		panic(err)
	}
	c := &client{conn: conn, waiting: map[string]chan string{}}
	wg.Go(c.read)
	for _, name := range []string{"a", "b"} {
		wg.Go(func() { c.call(name) })
	}
	wg.Wait()
	conn.Close()
	ln.Close()
}
