package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// Of a heap with many holes, each too small for the next object, the holes are given back when it grows. What is free and takes memory is a
// small part of what is in use.
func main() {
	const piece, pieces, large = 64 << 10, 1024, 32 << 20
	debug.SetGCPercent(100)
	kept := make([][]byte, 0, pieces)
	var dropped [][]byte
	for i := range pieces {
		b := make([]byte, piece)
		for j := range b {
			b[j] = 1
		}
		if i%2 == 0 {
			kept = append(kept, b)
		} else {
			dropped = append(dropped, b)
		}
	}
	dropped = nil
	runtime.GC()
	runtime.GC()
	kept = append(kept, make([]byte, large))
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(kept)
	if free := m.HeapIdle - m.HeapReleased; free > m.HeapInuse/8 {
		fmt.Println(free, "bytes are free and were not given back,", m.HeapInuse, "are in use")
		os.Exit(1)
	}
}
