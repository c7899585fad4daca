// Memory measures allocation together with its collection: one load a run, named by the argument,
// so that no load finds the heap of another. Of each it prints time, peak memory, the pauses of the
// cycles (both stops of a cycle together), how many cycles there were, and the CPU time of the
// whole process. bench runs it under both compilers in turn:
//
//	go run ./bench -program memory -each alloc32,alloc1k,trees,graph,cache,json,xml,buffers,pool
package main

import (
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A load runs once; its result says that it did what it was to do.
var loads = map[string]func() error{
	"alloc32": alloc32,
	"alloc1k": alloc1k,
	"trees":   trees,
	"graph":   func() error { return graph(2_000_000) },
	"cache":   func() error { return cache(1_000_000) },
	"json":    jsonDecode,
	"xml":     xmlDecode,
	"buffers": buffers,
	"pool":    pool,

	// These take gigabytes, or half a minute.
	"graph1g":  func() error { return graph(11_000_000) },
	"cache10m": func() error { return cache(10_000_000) },
	"running":  running,
	"parked":   parked,
}

func main() {
	if len(os.Args) != 2 || loads[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: memory LOAD, one of "+strings.Join(slices.Sorted(maps.Keys(loads)), " "))
		os.Exit(2)
	}
	name := os.Args[1]
	start := time.Now()
	if err := loads[name](); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
	wall := time.Since(start)
	figure := func(what string, v float64, unit string) {
		fmt.Printf("%s\t%s\t\t%g\t%s\n", name, what, v, unit)
	}
	figure("time", float64(wall.Milliseconds()), "ms")
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
	figure("CPU", float64((u.Utime.Nano()+u.Stime.Nano())/1e6), "ms")
	figure("peak memory", float64(u.Maxrss)/1024, "MB")
	var st debug.GCStats
	debug.ReadGCStats(&st)
	figure("cycles", float64(st.NumGC), "")
	if len(st.Pause) == 0 {
		return
	}
	slices.Sort(st.Pause)
	quantile := func(q float64) float64 {
		return float64(st.Pause[int(q*float64(len(st.Pause)-1)+0.5)].Nanoseconds()) / 1e3
	}
	figure("pause p50", quantile(0.5), "µs")
	figure("pause p99", quantile(0.99), "µs")
	figure("pause max", quantile(1), "µs")
}
