// Traces itself while it serves orders: tasks with regions in several goroutines, messages, waits for the network, for locks and
// in system calls, and collections. The trace goes to the file that the argument names. With a second argument it panics
// with that at last.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

const orders = 12

var stock sync.Mutex

func main() {
	f, err := os.Create(os.Args[1])
	if err == nil {
		err = trace.Start(f)
	}
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go echo(listener)
	var wg sync.WaitGroup
	for i := range orders {
		wg.Go(func() { order(i, listener.Addr().String()) })
	}
	wg.Wait()
	// One task that nobody ends, one that was over before it did anything.
	ctx, _ := trace.NewTask(context.Background(), "audit")
	trace.Log(ctx, "state", "left open")
	_, empty := trace.NewTask(context.Background(), "nothing")
	empty.End()
	if len(os.Args) > 2 {
		panic(os.Args[2])
	}
	trace.Stop()
}

func order(i int, address string) {
	ctx, task := trace.NewTask(context.Background(), "order")
	defer task.End()
	trace.Logf(ctx, "order", "number %d", i)
	trace.WithRegion(ctx, "parse", func() { allocate(2 << 20) })
	done := make(chan bool)
	go func() {
		defer close(done)
		defer trace.StartRegion(ctx, "ship").End()
		ship(ctx, address)
	}()
	trace.WithRegion(ctx, "reserve", func() {
		stock.Lock()
		defer stock.Unlock()
		trace.WithRegion(ctx, "write", func() { write(i) })
		time.Sleep(2 * time.Millisecond)
	})
	<-done
	if i%4 == 0 {
		trace.Log(ctx, "order", "large")
	}
}

// ship is a task of its own within the order's.
func ship(ctx context.Context, address string) {
	ctx, task := trace.NewTask(ctx, "shipment")
	defer task.End()
	c, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "a parcel")
	trace.WithRegion(ctx, "receipt", func() { bufio.NewReader(c).ReadString('\n') })
}

func echo(listener net.Listener) {
	for {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			line, _ := bufio.NewReader(c).ReadString('\n')
			time.Sleep(5 * time.Millisecond)
			fmt.Fprint(c, line)
		}()
	}
}

func allocate(n int) {
	var kept [][]byte
	for range n / 4096 {
		kept = append(kept, make([]byte, 4096))
	}
	runtime.GC()
	runtime.KeepAlive(kept)
}

func write(i int) {
	f, err := os.CreateTemp("", "order")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	fmt.Fprintln(f, i)
	f.Sync()
	f.Close()
}
