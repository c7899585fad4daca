// What the seed decides of time, names, memory and waiting, a line a choice.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

var global int

func main() {
	wake()
	deadlines()
	files()
	memory()
	datagrams()
	connections()
	pipes()
	signals()
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
	ticker := time.NewTicker(time.Millisecond)
	began = time.Now()
	for range 5 {
		<-ticker.C
	}
	fmt.Println("ticker", time.Since(began))
	ticker.Stop()
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

// connections says how long an answer takes, of TCP, of a Unix socket, and of the resolver.
func connections() {
	dir, err := os.MkdirTemp("", "")
	check(err)
	for _, at := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", dir + "/socket"}} {
		l, err := net.Listen(at[0], at[1])
		check(err)
		go func() {
			c, err := l.Accept()
			check(err)
			io.Copy(c, c)
			c.Close()
		}()
		began := time.Now()
		c, err := net.Dial(at[0], l.Addr().String())
		check(err)
		c.Write([]byte("x"))
		_, err = c.Read(make([]byte, 1))
		check(err)
		c.Close()
		l.Close()
		fmt.Println(at[0], time.Since(began))
	}
	began := time.Now()
	_, err = net.LookupHost("nobody.example")
	fmt.Println("resolver", time.Since(began), err != nil)
}

// pipes says in which order a pipe gets what two write.
func pipes() {
	r, w, err := os.Pipe()
	check(err)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for range 4 {
				fmt.Fprint(w, i)
			}
		})
	}
	wg.Wait()
	w.Close()
	text, err := io.ReadAll(r)
	check(err)
	fmt.Println("pipe", string(text))
}

// signals says how often another goroutine has the turn until a signal has come.
func signals() {
	c, done := make(chan os.Signal, 1), make(chan int)
	signal.Notify(c, syscall.SIGUSR1)
	go func() {
		<-c
		close(done)
	}()
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	for turns := 0; ; turns++ {
		select {
		case <-done:
			fmt.Println("signal", turns)
			return
		default:
			runtime.Gosched()
		}
	}
}
