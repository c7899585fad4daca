// An HTTP server and its clients over loopback: every request gets its answer, and the process does
// not grow. By default it is short; SOAK=10m CONNS=10000 is the real one (two descriptors a connection:
// ulimit -n).
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

func setting(name, otherwise string) string {
	if s := os.Getenv(name); s != "" {
		return s
	}
	return otherwise
}

func resident() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	var size, pages int
	fmt.Sscan(string(b), &size, &pages)
	return pages * os.Getpagesize()
}

func main() {
	long, err := time.ParseDuration(setting("SOAK", "2s"))
	if err != nil {
		panic(err)
	}
	conns, err := strconv.Atoi(setting("CONNS", "200"))
	if err != nil {
		panic(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var served, asked, failed atomic.Int64
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		fmt.Fprintf(w, "%s", r.URL.Query().Get("n"))
	})}
	go srv.Serve(ln)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}}
	stop := make(chan bool)
	var wg sync.WaitGroup
	for c := range conns {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				n := strconv.Itoa(c*1_000_000 + i)
				asked.Add(1)
				r, err := client.Get("http://" + ln.Addr().String() + "/?n=" + n)
				if err == nil {
					var b []byte
					b, err = io.ReadAll(r.Body)
					r.Body.Close()
					if err == nil && string(b) != n {
						err = fmt.Errorf("asked for %s, got %q", n, b)
					}
				}
				if err != nil {
					failed.Add(1)
					fmt.Println(err)
					return
				}
			}
		})
	}
	time.Sleep(long / 2)
	runtime.GC()
	half := resident()
	time.Sleep(long / 2)
	runtime.GC()
	end := resident()
	close(stop)
	wg.Wait()
	client.CloseIdleConnections()
	srv.Close()
	for i := 0; i < 500 && runtime.NumGoroutine() > 3; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println(asked.Load(), "requests,", half>>20, "MB at half time,", end>>20, "MB at the end,", runtime.NumGoroutine(), "goroutines")
	switch {
	case failed.Load() != 0 || served.Load() != asked.Load():
		fmt.Println("FAIL:", served.Load(), "served,", failed.Load(), "failed")
	case end > half+half/5+32<<20:
		fmt.Println("FAIL: the process grows")
	case runtime.NumGoroutine() > 3:
		fmt.Println("FAIL: goroutines are left")
	default:
		fmt.Println("ok")
		return
	}
	os.Exit(1)
}
