// An HTTP server and its clients over loopback, each in a process of its own: every request gets its answer, and the
// processes do not grow. By default it is short; SOAK=10m CONNS=10000 is the real one (make soak).
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
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

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// resident returns the resident megabytes after a collection.
func resident() int {
	runtime.GC()
	b, err := os.ReadFile("/proc/self/statm")
	check(err)
	var size, pages int
	fmt.Sscan(string(b), &size, &pages)
	return pages * os.Getpagesize() >> 20
}

// settled waits for the goroutines of connections that were closed and returns how many are left.
func settled(want int) int {
	for i := 0; i < 500 && runtime.NumGoroutine() > want; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// serve prints its address, and for each line that it reads its resident megabytes and the number of requests served. At the
// end of the input it closes the server and prints how many goroutines are left.
func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	var served atomic.Int64
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		fmt.Fprintf(w, "%s", r.URL.Query().Get("n"))
	})}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(resident(), served.Load())
	}
	srv.Close()
	fmt.Println(settled(1))
}

// A server is the other process.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start() (s server, addr string) {
	s.cmd = exec.Command(os.Args[0], "serve")
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	check(err)
	out, err := s.cmd.StdoutPipe()
	check(err)
	s.in, s.out = in, bufio.NewReader(out)
	check(s.cmd.Start())
	_, err = fmt.Fscanln(s.out, &addr)
	check(err)
	return s, addr
}

func (s *server) ask() (megabytes int, served int64) {
	fmt.Fprintln(s.in)
	_, err := fmt.Fscanln(s.out, &megabytes, &served)
	check(err)
	return megabytes, served
}

func (s *server) stop() (goroutines int) {
	s.in.Close()
	_, err := fmt.Fscanln(s.out, &goroutines)
	check(err)
	check(s.cmd.Wait())
	return goroutines
}

func main() {
	if len(os.Args) > 1 {
		serve()
		return
	}
	long, err := time.ParseDuration(setting("SOAK", "2s"))
	check(err)
	conns, err := strconv.Atoi(setting("CONNS", "200"))
	check(err)
	srv, addr := start()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}}
	var asked, failed atomic.Int64
	get := func(n string) error {
		asked.Add(1)
		r, err := client.Get("http://" + addr + "/?n=" + n)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		if b, err := io.ReadAll(r.Body); err != nil || string(b) != n {
			return fmt.Errorf("asked for %s, got %q, %v", n, b, err)
		}
		return nil
	}
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
				if err := get(strconv.Itoa(c*1_000_000 + i)); err != nil {
					failed.Add(1)
					fmt.Println(err)
					return
				}
			}
		})
	}
	time.Sleep(long / 2)
	half := resident()
	serverHalf, _ := srv.ask()
	time.Sleep(long / 2)
	end := resident()
	serverEnd, _ := srv.ask()
	close(stop)
	wg.Wait()
	client.CloseIdleConnections()
	_, served := srv.ask()
	left, serverLeft := settled(1), srv.stop()
	fmt.Printf("%d requests; clients %d MB at half time, %d MB at the end, %d goroutines left; server %d MB, %d MB, %d\n",
		asked.Load(), half, end, left, serverHalf, serverEnd, serverLeft)
	grows := func(half, end int) bool { return end > half+half/5+32 }
	switch {
	case failed.Load() != 0 || served != asked.Load():
		fmt.Println("FAIL:", served, "served,", failed.Load(), "failed")
	case grows(half, end) || grows(serverHalf, serverEnd):
		fmt.Println("FAIL: a process grows")
	case left > 3 || serverLeft > 3:
		fmt.Println("FAIL: goroutines are left")
	default:
		fmt.Println("ok")
		return
	}
	os.Exit(1)
}
