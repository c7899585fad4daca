package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

// With GODEBUG=tracebackancestors=N a stack is followed by those on which the goroutine and its ancestors were started.

//go:noinline
func start(f func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
	wg.Wait()
}

//go:noinline
func deep(n int, f func()) {
	if n == 0 {
		start(f)
		return
	}
	deep(n-1, f)
}

func report() {
	buf := make([]byte, 1<<16)
	fmt.Printf("%s\n", buf[:runtime.Stack(buf, false)])
}

// show prints tracebacks without the positions in ancestors' stacks, where gc names the lines that calls return to, and
// without all but one of equal frames there, as its 50 are counted with its own.
func show(s string) {
	ancestor, last := false, ""
	for line := range strings.Lines(s) {
		switch {
		case strings.HasPrefix(line, "[originating"):
			ancestor = true
		case strings.HasPrefix(line, "goroutine "):
			ancestor = false
		case ancestor && line[0] == '\t':
			continue
		case ancestor && line == last:
			continue
		}
		fmt.Print(line)
		last = line
	}
}

func main() {
	if os.Getenv("GENERATIONS") == "" {
		for _, n := range []string{"0", "1", "2", "5"} {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "GENERATIONS=1", "GODEBUG=tracebackancestors="+n)
			out, err := cmd.CombinedOutput()
			fmt.Println("tracebackancestors", n, err)
			show(string(out))
		}
		return
	}
	start(func() {
		report()
		start(func() { deep(3, report) })
	})
	start(func() { deep(80, report) })
	start(func() {
		var wg sync.WaitGroup
		for range 100 { // cells are used again, without the ancestors of before
			wg.Add(1)
			go wg.Done()
		}
		wg.Wait()
		start(func() { panic("at last") })
	})
	select {} // what the panicking goroutine defers lets the others go on
}
