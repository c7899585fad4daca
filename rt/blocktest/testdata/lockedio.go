package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
)

// The children do their I/O in a package initialiser, on a goroutine that is locked to
// its thread: when it parks, another thread must wait in the poller.
func init() {
	if os.Getenv("CHILD") == "" {
		return
	}
	defer os.Exit(0)
	c, err := net.FileConn(os.NewFile(3, "x"))
	if err != nil {
		panic(err)
	}
	buf := make([]byte, 5<<20)
	total := 0
	for total < 1<<28 {
		var n int
		if os.Getenv("CHILD") == "w" {
			n, err = c.Write(buf)
		} else {
			n, err = c.Read(buf)
		}
		total += n
		if err != nil {
			break
		}
	}
	if total < 1<<27 {
		fmt.Println("FAIL", os.Getenv("CHILD"), total, err)
	}
	c.Close()
}

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	a, _ := net.Dial("tcp", l.Addr().String())
	b, _ := l.Accept()
	l.Close()
	start := func(c net.Conn, op string) *exec.Cmd {
		f, _ := c.(*net.TCPConn).File()
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"CHILD=" + op}
		cmd.ExtraFiles = []*os.File{f}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		f.Close()
		c.Close()
		return cmd
	}
	x := start(a, "w")
	y := start(b, "r")
	x.Wait()
	y.Wait()
	fmt.Println("ok")
}
