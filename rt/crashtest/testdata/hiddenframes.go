package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// What a crash shows of the run-time system, and of what Loam has in the place of the library's, is
// what gc shows.

var crashes = map[string]func(){
	"cleanup": func() {
		x := new([10]int)
		runtime.AddCleanup(x, func(int) { panic("cleanup") }, 1)
		x = nil
		runtime.GC()
		time.Sleep(time.Hour)
	},
	"pool": func() {
		p := sync.Pool{New: func() any { panic("new") }}
		p.Get()
	},
	"timer": func() {
		time.AfterFunc(1, func() { panic("timer") })
		time.Sleep(time.Hour)
	},
	"wait": func() {
		var w sync.WaitGroup
		w.Go(func() { panic("go") })
		w.Wait()
	},
}

func main() {
	if len(os.Args) > 1 {
		crashes[os.Args[1]]()
		return
	}
	for _, name := range []string{"cleanup", "pool", "timer", "wait"} {
		out, err := exec.Command(os.Args[0], name).CombinedOutput()
		fmt.Println(name, err)
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "\t") { // the files are Loam's own
				fmt.Print(line)
			}
		}
	}
}
