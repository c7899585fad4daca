package main

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

var sink []byte

// A connection is answered beside goroutines that do nothing but allocate: what ends a collection looks at the network, which nobody else does
// while all processors have goroutines that can run.
func main() {
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		io.Copy(c, c)
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	var stop atomic.Bool
	for range 4 {
		go func() {
			for !stop.Load() {
				sink = make([]byte, 1000)
			}
		}()
	}
	// An echo takes some three collections, and ten times as many where only the monitor looks. A machine with much else to do may keep a
	// thread from its processor for as long: hence five attempts.
	const echoes, most = 100, 10
	few := false
	for range 5 {
		begin := collections()
		for range echoes {
			echo(c)
		}
		if few = collections()-begin <= echoes*most; few {
			break
		}
	}
	stop.Store(true)
	if !few {
		panic("an echo takes many collections")
	}
	fmt.Println("ok")
}

func echo(c net.Conn) {
	var b [1]byte
	if _, err := c.Write(b[:]); err != nil {
		panic(err)
	}
	if _, err := io.ReadFull(c, b[:]); err != nil {
		panic(err)
	}
}

func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}
