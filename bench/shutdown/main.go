// Shutdown counts connections that an HTTP server closes unanswered when it is shut down. Fifty
// clients send one request after the other, of 1 KB to 2 MB. It prints the median of eight servers
// for each size, for ./bench.
package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	for _, size := range []int{1_000, 200_000, 2_000_000} {
		var cut []int
		for range 8 {
			n, err := round(size)
			if err != nil {
				fmt.Fprintln(os.Stderr, "shutdown:", err)
				os.Exit(1)
			}
			cut = append(cut, n)
		}
		slices.Sort(cut)
		fmt.Printf("shutdown\tcut\t%d\t%d\tconnections\n", size, cut[len(cut)/2])
	}
}

// round is how many of fifty clients a server leaves without an answer.
func round(size int) (int, error) {
	request := fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: host\r\nContent-Length: %d\r\n\r\n%s", size, bytes.Repeat([]byte("x"), size))
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "answer")
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	go server.Serve(listener)
	var cut atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			return 0, err
		}
		all.Go(func() {
			if !untilClosed(c, request) {
				cut.Add(1)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	if err := server.Shutdown(context.Background()); err != nil {
		return 0, err
	}
	all.Wait()
	return int(cut.Load()), nil
}

// untilClosed sends requests until an answer says that it is the last. It returns false if a
// request is not answered.
func untilClosed(c net.Conn, request []byte) bool {
	defer c.Close()
	for r := bufio.NewReader(c); ; {
		if _, err := c.Write(request); err != nil {
			return false
		}
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			return false
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.Close {
			return true
		}
	}
}
