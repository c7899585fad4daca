// Serves net/http/pprof on a free port, which it prints, and works.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"sync"
	"time"
)

//go:noinline
func busy(until time.Time) (n int) {
	for time.Now().Before(until) {
		for i := range 100000 {
			n += i ^ n<<1
		}
	}
	return n
}

//go:noinline
func deep(n int) int {
	var frame [3000]byte
	frame[n] = 1
	if n > 0 {
		n += deep(n - 1)
	}
	return n + int(frame[n%3000])
}

func main() {
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	go func() {
		var mu sync.Mutex
		for {
			go func() { mu.Lock(); deep(10); mu.Unlock() }()
			mu.Lock()
			busy(time.Now().Add(5 * time.Millisecond))
			mu.Unlock()
			time.Sleep(5 * time.Millisecond)
		}
	}()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(3) // who has started it has ended
	}()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	panic(http.Serve(l, nil))
}
