package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
)

// Labels of goroutines are in tracebacks from the moment that GODEBUG asks for it.

func header() {
	buf := make([]byte, 1<<12)
	line, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "\n")
	fmt.Println(line)
}

func main() {
	labels := []pprof.LabelSet{
		pprof.Labels("z", "1", "a", "2"),
		pprof.Labels("quote\"back\\slash", "tab\tline\nreturn\r"),
		pprof.Labels("esc\x1bnul\x00del\x7f", "\u1234Σ\U00045678 bad\xff"),
		pprof.Labels("empty", ""),
		pprof.Labels(),
	}
	for _, v := range []string{"", "tracebacklabels=1", "tracebacklabels=2", "tracebacklabels=1,tracebacklabels=0", "panicnil=1,tracebacklabels=1"} {
		os.Setenv("GODEBUG", v)
		header()
		for _, l := range labels {
			pprof.Do(context.Background(), l, func(context.Context) {
				header()
				var wg sync.WaitGroup
				wg.Go(header)
				wg.Wait()
			})
		}
	}
	pprof.Do(context.Background(), pprof.Labels("at", "last"), func(context.Context) { panic("with labels") })
}
