// The stack of a goroutine that was preempted when it entered a function begins with that function.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
)

//go:noinline
func large(x int) int {
	var words [500]int                 // so that the stack is checked on entry
	for i := range words[:100+x&255] { // now longer, now shorter: no machine stops it always elsewhere
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

func main() {
	runtime.GOMAXPROCS(1)
	var stop bool
	var out int
	go spin(&stop, &out)
	buf := make([]byte, 1<<16)
	inLarge := 0
	for n := 0; n < 200 || inLarge == 0 && n < 20000; n++ {
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
