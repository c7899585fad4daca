// A server that is shut down while fifty clients send one request after the other answers each request that it has begun. The
// clients whose next request it has not begun to read find their connections closed, before any byte of an answer.
package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

const clients = 50

var request = []byte(fmt.Sprintf("POST / HTTP/1.1\r\nHost: host\r\nContent-Length: %d\r\n\r\n%s", 100_000, bytes.Repeat([]byte("x"), 100_000)))

func main() {
	for range 5 {
		round()
	}
}

func round() {
	var begun, answered, torn atomic.Int64
	saturated := make(chan bool)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if begun.Add(1) == 20*clients {
			close(saturated)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			fmt.Println("reading a body:", err)
		}
		w.Write(body)
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(listener)

	var all sync.WaitGroup
	for range clients {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		all.Go(func() {
			defer c.Close()
			for answer := bufio.NewReader(c); ; answered.Add(1) {
				if _, err := c.Write(request); err != nil {
					return
				}
				if _, err := answer.Peek(1); err != nil {
					return
				}
				r, err := http.ReadResponse(answer, nil)
				if err != nil {
					torn.Add(1)
					return
				}
				if n, _ := io.Copy(io.Discard, r.Body); n != 100_000 {
					torn.Add(1)
					return
				}
			}
		})
	}
	<-saturated
	if err := server.Shutdown(context.Background()); err != nil {
		fmt.Println(err)
	}
	all.Wait()
	fmt.Println("not answered:", begun.Load()-answered.Load(), "torn:", torn.Load())
}
