package main

import (
	"fmt"
	"runtime"
	"time"
)

// figures of one search, as far as the process itself can see them.
type figures struct {
	program     time.Duration
	collections uint32
	pause       time.Duration // the world stood still
	peak        uint64        // bytes
}

// measure runs s over the n documents in dir and checks what it found.
func measure(s search, dir string, n int, want counts) (figures, error) {
	documents := make([]string, n)
	for i := range documents {
		documents[i] = documentName(dir, i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := watchHeap()
	start := time.Now()
	found, err := s(topic, documents)
	took := time.Since(start)
	highest := peak()
	runtime.ReadMemStats(&after)
	if err != nil {
		return figures{}, err
	}
	if found != want {
		return figures{}, fmt.Errorf("found %d items in %d documents, want %d in %d", found.items, found.documents, want.items, want.documents)
	}
	return figures{
		program:     took,
		collections: after.NumGC - before.NumGC,
		pause:       time.Duration(after.PauseTotalNs - before.PauseTotalNs),
		peak:        max(highest, after.HeapAlloc),
	}, nil
}

// watchHeap samples the size of the heap until the function that it returns is called,
// which returns the largest size seen.
func watchHeap() func() uint64 {
	stop := make(chan struct{})
	result := make(chan uint64)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		highest := uint64(0)
		var m runtime.MemStats
		for {
			select {
			case <-tick.C:
				runtime.ReadMemStats(&m)
				highest = max(highest, m.HeapAlloc)
			case <-stop:
				result <- highest
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-result
	}
}
