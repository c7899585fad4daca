// A server is shut down while a client's second request has arrived, or only half of a header.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

const request = "GET / HTTP/1.1\r\nHost: host\r\n\r\n"

func main() {
	hello := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") }
	server := &http.Server{Handler: http.HandlerFunc(hello)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(listener)
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	answers := bufio.NewReader(c)
	fmt.Fprint(c, request)
	fmt.Println(answer(answers))

	switch os.Args[1] {
	case "unread": // without a simulation the bytes are with the server when Write returns
		fmt.Fprint(c, request)
	case "stalled":
		fmt.Fprint(c, request[:20])
		time.Sleep(time.Second)
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fmt.Println(server.Shutdown(ctx), time.Since(began) > 10*time.Second)
	fmt.Println(answer(answers))
}

// answer reads what the server says to a request, and whether it closes the connection then.
func answer(r *bufio.Reader) string {
	a, err := http.ReadResponse(r, nil)
	if err != nil {
		return "cut"
	}
	var body [5]byte
	a.Body.Read(body[:])
	a.Body.Close()
	return fmt.Sprintf("%s %t", body[:], a.Close)
}
