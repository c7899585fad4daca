// What the seed decides of time, names, memory and waiting, a line a choice.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"time"
)

var global int

func main() {
	wake()
	deadlines()
	files()
	memory()
	datagrams()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// wake lets all go on that wait for a condition.
func wake() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	cond, ready, order := sync.NewCond(&mu), false, ""
	for i := range 6 {
		wg.Go(func() {
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			order += fmt.Sprint(i)
			mu.Unlock()
		})
	}
	time.Sleep(time.Second)
	mu.Lock()
	ready = true
	cond.Broadcast()
	mu.Unlock()
	wg.Wait()
	fmt.Println("wake", order)
}

func deadlines() {
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	<-ctx.Done()
	fmt.Println("context", time.Since(began))
	fmt.Println("wall", began.Round(0).UnixNano())
	a, b := net.Pipe()
	defer b.Close()
	began = time.Now()
	a.SetReadDeadline(began.Add(time.Second))
	_, err := a.Read(make([]byte, 1))
	fmt.Println("deadline", time.Since(began), err)
}

func files() {
	dir, err := os.MkdirTemp("", "decided")
	check(err)
	defer os.RemoveAll(dir)
	fmt.Println("tempname", dir)
	f, err := os.CreateTemp(dir, "*.txt")
	check(err)
	_, err = f.WriteString("x")
	check(err)
	info, err := f.Stat()
	check(err)
	fmt.Println("filetime", info.ModTime().UnixNano())
	check(f.Close())
}

// memory says where objects, stacks and variables are.
func memory() {
	var local int
	p, m := new([300]int), map[*[300]int]int{}
	for i := range 12 {
		m[new([300]int)] = i
	}
	order := ""
	for _, i := range m {
		order += fmt.Sprint(i, " ")
	}
	fmt.Printf("objects %p\n", p)
	fmt.Printf("stack %p\n", &local)
	fmt.Printf("globals %p\n", &global)
	fmt.Println("bypointer", order)
	runtime.KeepAlive(m)
}

// datagrams of three senders arrive in an order, at times.
func datagrams() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	check(err)
	fmt.Println("port", c.LocalAddr())
	began := time.Now()
	for i := range 3 {
		s, err := net.Dial("udp", c.LocalAddr().String())
		check(err)
		fmt.Fprint(s, i)
	}
	order, buf := "", make([]byte, 10)
	for range 3 {
		n, _, err := c.ReadFrom(buf)
		check(err)
		order += string(buf[:n])
	}
	fmt.Println("datagrams", order)
	fmt.Println("delay", time.Since(began))
}
