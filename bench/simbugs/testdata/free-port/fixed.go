// Check then act, network: the port is asked for when it is listened on.
package main

import (
	"fmt"
	"net"
	"sync"
)

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func start() (net.Listener, error) {
	port := 0
	return net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
}

func main() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			l, err := start()
			if err != nil {
				panic(err)
			}
			defer l.Close()
		})
	}
	wg.Wait()
}
