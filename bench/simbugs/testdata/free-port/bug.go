// Check then act, network: a port that was free is somebody else's when it is listened on again.
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
	port, err := freePort()
	if err != nil {
		return nil, err
	}
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
