// The stack of a goroutine that was preempted when it entered a function begins with that function.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

//go:noinline
func large(x int) int {
	var words [500]int // so that the stack is checked on entry
	for i := range words[:100+x&255] {
		words[i] = x*1103515245 + i
	}
	return words[x&255]
}

//go:noinline
func caller(x int) int { return large(x) + large(x+1) }

func spin(stop *bool, out *int) {
	for !*stop {
		*out = caller(*out)
	}
}

// setting is the one by which a goroutine is stopped nowhere else than where it enters a function.
const setting = "asyncpreemptoff=1"

// again runs the program with the setting.
func again() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GODEBUG="+setting)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	if !strings.Contains(os.Getenv("GODEBUG"), setting) {
		again()
		return
	}
	runtime.GOMAXPROCS(1)
	var stop bool
	var out int
	go spin(&stop, &out)
	buf := make([]byte, 1<<16)
	inLarge := 0
	for n := 0; n < 200 || inLarge == 0 && n < 2000; n++ {
		runtime.Gosched()
		text := buf[:runtime.Stack(buf, true)]
		for trace := range bytes.SplitSeq(text, []byte("\n\n")) {
			if !bytes.Contains(trace, []byte("main.spin")) {
				continue
			}
			var names []string
			for line := range strings.Lines(string(trace)) {
				if name, args, ok := strings.Cut(line, "("); ok && args != "" && strings.HasPrefix(name, "main.") {
					names = append(names, name)
				}
			}
			switch got := strings.Join(names, " "); got {
			case "main.large main.caller main.spin":
				inLarge++
			case "main.caller main.spin", "main.spin":
			default:
				fmt.Printf("%s\n", trace)
				os.Exit(1)
			}
		}
	}
	stop = true
	fmt.Println("stopped in large:", inLarge > 0)
}
