// A server and clients: TCP by net/http, a Unix socket, a pipe; resets, deadlines, refusals.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	web()
	plain()
	pipe()
}

func web() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var order []string
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		order = append(order, r.URL.Path[1:])
		mu.Unlock()
		fmt.Fprintf(w, "%s %d", r.URL.Path, len(body))
	})}
	go srv.Serve(l)
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			for range 3 {
				resp, err := http.Post(fmt.Sprintf("http://%s/%c", l.Addr(), 'a'+i), "text/plain", strings.NewReader(strings.Repeat("x", 100_000*i)))
				if err != nil {
					panic(err)
				}
				got, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if want := fmt.Sprintf("/%c %d", 'a'+i, 100_000*i); string(got) != want {
					panic(fmt.Sprintf("got %q, want %q", got, want))
				}
			}
		})
	}
	wg.Wait()
	srv.Close()
	fmt.Println("web", strings.Join(order, ""))
	if _, err := http.Get("http://" + l.Addr().String()); !errors.Is(err, syscall.ECONNREFUSED) {
		panic(err)
	}
}

func plain() {
	start := time.Now()
	l, err := net.Listen("unix", "@simulated")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		io.Copy(c, c)
		c.(*net.UnixConn).CloseWrite()
	}()
	c, err := net.Dial("unix", "@simulated")
	if err != nil {
		panic(err)
	}
	fmt.Fprint(c, "there and back")
	c.(*net.UnixConn).CloseWrite()
	got, err := io.ReadAll(c)
	fmt.Printf("unix %q %v took %v\n", got, err, time.Since(start))
	c.Close()

	// A read that nobody answers ends at its deadline.
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		time.Sleep(time.Minute)
		c.Close()
	}()
	if c, err = net.Dial("unix", "@simulated"); err != nil {
		panic(err)
	}
	c.SetReadDeadline(time.Now().Add(time.Second))
	_, err = c.Read(make([]byte, 1))
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		panic(err)
	}
	c.Close()
	l.Close()
	if _, err := net.Listen("tcp", "192.0.2.1:80"); !errors.Is(err, syscall.EADDRNOTAVAIL) {
		panic(err)
	}
}

func pipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		for i := range 3 {
			time.Sleep(time.Second)
			fmt.Fprintln(w, "line", i)
		}
		w.Close()
	}()
	all, err := io.ReadAll(r)
	fmt.Printf("pipe %q %v\n", all, err)
}
