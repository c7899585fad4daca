package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/trace"
)

func counts() (n [4]uint64) {
	m := []metrics.Sample{
		{Name: "/sched/pauses/stopping/gc:seconds"}, {Name: "/sched/pauses/total/gc:seconds"},
		{Name: "/sched/pauses/stopping/other:seconds"}, {Name: "/sched/pauses/total/other:seconds"},
	}
	metrics.Read(m)
	for i := range m {
		for _, c := range m[i].Value.Float64Histogram().Counts {
			n[i] += c
		}
	}
	return n
}

func main() {
	debug.SetGCPercent(-1)
	runtime.GC()
	dump, err := os.CreateTemp("", "")
	if err != nil {
		panic(err)
	}
	os.Remove(dump.Name())
	for _, c := range []struct {
		name       string
		collection bool
		f          func()
	}{
		{"GC", true, runtime.GC},
		{"FreeOSMemory", true, debug.FreeOSMemory},
		{"GOMAXPROCS", false, func() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)) }},
		{"GoroutineProfile", false, func() { runtime.GoroutineProfile(make([]runtime.StackRecord, 1)) }},
		{"Stack", false, func() { runtime.Stack(make([]byte, 64), true) }},
		{"WriteHeapDump", false, func() { debug.WriteHeapDump(dump.Fd()) }},
		{"trace", false, func() { trace.Start(io.Discard); trace.Stop() }},
	} {
		before := counts()
		c.f()
		after := counts()
		for i := range after {
			// The first two are of collections, the others not.
			if grown := after[i] > before[i]; grown != (i < 2 == c.collection) {
				fmt.Println(c.name, "counts", before, "to", after)
				os.Exit(1)
			}
		}
	}
}
