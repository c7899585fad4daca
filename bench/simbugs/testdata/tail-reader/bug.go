// Blocking, pipe: the reader has seen enough, and does not close the pipe that the writer fills.
package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"time"
)

func command(in string) (out io.ReadCloser, wait func() error) {
	r, w, _ := os.Pipe()
	done := make(chan error)
	go func() {
		_, err := io.Copy(w, strings.NewReader(strings.Repeat(in, 30000)))
		w.Close()
		done <- err
	}()
	return r, func() error { return <-done }
}

func main() {
	out, wait := command("line\n")
	s := bufio.NewScanner(out)
	n := 0
	for s.Scan() {
		if n++; n == 3 {
			break
		}
	}
	finished := make(chan bool)
	go func() { wait(); close(finished) }()
	select {
	case <-finished:
	case <-time.After(5 * time.Second):
		panic("the command does not end")
	}
}
