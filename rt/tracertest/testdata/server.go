// Command server serves HTTP on the loopback and asks itself, also for its own execution trace: ten clients
// at work while /debug/pprof/trace records them. It writes the trace to the file named.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync"
)

func main() {
	http.HandleFunc("/upper", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, strings.ToUpper(string(b)))
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go http.Serve(l, nil)
	at := "http://" + l.Addr().String()

	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 10 {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := http.Post(at+"/upper", "text/plain", strings.NewReader("shout"))
				check(err)
				b, err := io.ReadAll(r.Body)
				r.Body.Close()
				check(err)
				if string(b) != "SHOUT" {
					panic(string(b))
				}
			}
		})
	}
	r, err := http.Get(at + "/debug/pprof/trace?seconds=1")
	check(err)
	f, err := os.Create(os.Args[1])
	check(err)
	_, err = io.Copy(f, r.Body)
	check(err)
	check(f.Close())
	close(stop)
	clients.Wait()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
