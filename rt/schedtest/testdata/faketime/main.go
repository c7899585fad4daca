// Faketime waits for years in many ways; with the argument net it waits for the network, too, and at
// the end for nothing. Each line says when it was written, by the program's clock.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"time"
)

var begin = time.Now()

func say(what string, args ...any) {
	fmt.Printf("%s %s\n", time.Since(begin), fmt.Sprintf(what, args...))
}

func main() {
	for range 1000 { // the clock stands still
		runtime.Gosched()
	}
	say("still %s", begin.UTC().Format(time.RFC3339Nano))
	if len(os.Args) > 1 {
		network()
	}
	var wg sync.WaitGroup
	for k := range 5 {
		wg.Go(func() {
			time.Sleep(time.Duration(5-k) * 1000 * time.Hour)
			say("sleeper %d", k)
		})
	}
	wg.Wait()

	tick := time.NewTicker(1500 * time.Millisecond)
	for range 3 {
		say("tick %s", (<-tick.C).Sub(begin))
	}
	tick.Stop()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	<-ctx.Done()
	cancel()
	say("%v", ctx.Err())

	select {
	case <-make(chan int):
	case <-time.After(time.Hour):
		say("after an hour")
	}
	done := make(chan bool)
	time.AfterFunc(7*time.Second, func() { close(done) })
	<-done
	say("called")

	println("to standard error")
	fmt.Println("and back")
	go time.Sleep(time.Second)
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// network: data that is under way comes before the next timer, and deadlines go by the clock.
func network() {
	for range 10 {
		runtime.GC() // its goroutines wait, too
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		for s := bufio.NewScanner(c); s.Scan(); {
			fmt.Fprintf(c, "%s\n", s.Text())
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	r := bufio.NewReader(c)
	for k := range 100 {
		fmt.Fprintf(c, "%d\n", k)
		if s, err := r.ReadString('\n'); err != nil || s != fmt.Sprintf("%d\n", k) {
			say("%q %v", s, err)
		}
	}
	c.SetReadDeadline(time.Now().Add(time.Second))
	_, err = r.ReadByte()
	say("deadline: %v", errors.Is(err, os.ErrDeadlineExceeded))
	c.Close()
	l.Close()
}
