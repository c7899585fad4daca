package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

func must(err error) {
	if err != nil {
		fmt.Println("FAIL", err)
		os.Exit(1)
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(c, c); c.Close() }()
		}
	}()
	var wg sync.WaitGroup
	for i := 0; i < 50; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("tcp", l.Addr().String())
			must(err)
			r := bufio.NewReader(c)
			for k := 0; k < 100; k++ {
				c.SetDeadline(time.Now().Add(time.Hour))
				fmt.Fprintf(c, "hello %d %d\n", i, k)
				s, err := r.ReadString('\n')
				must(err)
				if s != fmt.Sprintf("hello %d %d\n", i, k) {
					fmt.Println("FAIL", s)
				}
			}
			c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			s := time.Now()
			_, err = r.ReadByte()
			if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(s) < 10*time.Millisecond {
				fmt.Println("FAIL", err, time.Since(s))
			}
			c.SetReadDeadline(time.Time{})
			go func() { time.Sleep(5 * time.Millisecond); c.Close() }()
			if _, err = r.ReadByte(); !errors.Is(err, net.ErrClosed) {
				fmt.Println("FAIL", err)
			}
		}()
	}
	wg.Wait()
	r, w, err := os.Pipe()
	must(err)
	go func() { time.Sleep(time.Millisecond); w.Write([]byte("x")); w.Close() }()
	b, err := io.ReadAll(r)
	must(err)
	if string(b) != "x" {
		fmt.Println("FAIL", b)
	}
	fmt.Println("ok")
}
