// Does what the flight recorder's rules are about, as its argument says, and prints whether a trace
// is taken.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

//go:noinline
func spin(until time.Time) {
	for time.Now().Before(until) {
	}
}

// crowd has one processor for ten that spin.
func crowd() {
	runtime.GOMAXPROCS(1)
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			spin(time.Now().Add(time.Second))
		}()
	}
	wg.Wait()
}

// regions has five slow ones, in others, among 200.
func regions() {
	ctx := context.Background()
	for i := range 200 {
		outer := trace.StartRegion(ctx, "request: outer")
		trace.WithRegion(ctx, "request", func() {
			defer trace.StartRegion(ctx, "request").End()
			if i%40 == 0 {
				time.Sleep(50 * time.Millisecond)
			}
		})
		outer.End()
	}
}

func main() {
	fmt.Println(trace.IsEnabled(), trace.Start(io.Discard) != nil)
	for _, what := range os.Args[1:] {
		switch what {
		case "crowd":
			crowd()
		case "regions":
			regions()
		case "collections":
			for range 3 {
				runtime.GC()
			}
		case "exit":
			os.Exit(3)
		case "child": // which does not have the variable
			out, err := exec.Command(os.Args[0], "regions").CombinedOutput()
			fmt.Printf("%s%v\n", out, err)
		}
	}
}
