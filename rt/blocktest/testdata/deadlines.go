// Deadlines of connections are set for the first time on each P while others send: the timers'
// lists grow while a descriptor is locked, and the allocation may not look at the network then.
package main

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	const clients, rounds = 64, 5
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := range rounds {
				ask(l.Addr().String(), i)
			}
		})
	}
	all.Wait()
	l.Close()
	fmt.Println("ok")
}

// serve answers lines, and sets a deadline before each.
func serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for began := time.Now(); time.Since(began) < 300*time.Microsecond; { // until the first line is there
	}
	for {
		c.SetReadDeadline(time.Now().Add(time.Hour))
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		fmt.Fprintf(c, "%s", line)
	}
}

func ask(addr string, i int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	for k := range 4 {
		want := fmt.Sprintf("line %d %d\n", i, k)
		fmt.Fprint(c, want)
		got, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || got != want {
			panic(fmt.Sprint(got, err))
		}
	}
}
