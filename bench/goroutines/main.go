// Goroutines measures what goroutines cost: the experiments of the seed articles and the usual
// patterns of communication. Each result is a line: topic, series, x, value, unit. bench runs it
// under both compilers in turn (docs/benchmarks.md).
//
// usage: goroutines [-cpu] [-small] topic...
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

var (
	cpuTime = flag.Bool("cpu", false, "measure CPU time instead of elapsed time, on a machine with other work")
	small   = flag.Bool("small", false, "a tenth of the work")
)

// topics in the order of the tables.
var topics = []struct {
	name string
	run  func()
}{
	{"switch", switches},
	{"spawn", spawns},
	{"work", work},
	{"idle", idle},
	{"depth", depths},
	{"wide", wide},
	{"pingpong", pingPong},
	{"buffered", buffered},
	{"fanin", fanIn},
	{"fanout", fanOut},
	{"select", selects},
	{"mutex", mutexes},
	{"timers", timers},
	{"echo", echo},
	{"http", serveHTTP},
}

func main() {
	flag.Parse()
	known := []string{}
	for _, t := range topics {
		known = append(known, t.name)
	}
	for _, a := range flag.Args() {
		if !slices.Contains(known, a) {
			fmt.Fprintf(os.Stderr, "goroutines: unknown topic %q; there are %s\n", a, strings.Join(known, ", "))
			os.Exit(2)
		}
	}
	for _, t := range topics {
		if flag.NArg() == 0 || slices.Contains(flag.Args(), t.name) {
			topic = t.name
			t.run()
		}
	}
}

var topic string

// report prints one result. Units: ns and B (less is better), 1/s (more is better).
func report(series string, x int, value float64, unit string) {
	fmt.Printf("%s\t%s\t%d\t%.2f\t%s\n", topic, series, x, value, unit)
}

// measure reports what one of the n operations of f costs. The first, short call warms up.
func measure(series string, x, n int, f func(n int)) {
	if *small {
		n = max(n/10, 2)
	}
	f(max(n/10, 1))
	runtime.GC()
	start := now()
	f(n)
	report(series, x, float64(now()-start)/float64(n), "ns")
}

// now is the elapsed time or, with -cpu, the CPU time of the process, in nanoseconds.
func now() int64 {
	if !*cpuTime {
		return int64(time.Since(started))
	}
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

var started = time.Now()

// onProcs calls f with GOMAXPROCS n.
func onProcs(n int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	f()
}

// bothProcs calls f with one P and with two, and the name of the series.
func bothProcs(f func(series string)) {
	onProcs(1, func() { f("1 P") })
	onProcs(2, func() { f("2 P") })
}

// resident returns the resident bytes of the process.
func resident() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	var size, pages int
	fmt.Sscan(string(b), &size, &pages)
	return pages * os.Getpagesize()
}
