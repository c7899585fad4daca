package main

import (
	"bufio"
	"fmt"
	"os"
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
	peak, err := watchHeap()
	if err != nil {
		return figures{}, err
	}
	start := time.Now()
	found, err := s(topic, documents)
	took := time.Since(start)
	highest, heapErr := peak()
	runtime.ReadMemStats(&after)
	if err == nil {
		err = heapErr
	}
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

// watchHeap samples the size of the heap until the function that it returns is called, which
// returns the largest size seen: every ten milliseconds, or with -heap every one. Then each sample
// is a line of the file: milliseconds, bytes of the heap, bytes at which the next collection is
// due.
func watchHeap() (peak func() (uint64, error), err error) {
	interval := 10 * time.Millisecond
	var out *os.File
	if *heapTo != "" {
		interval = time.Millisecond
		if out, err = os.Create(*heapTo); err != nil {
			return nil, err
		}
	}
	stop := make(chan struct{})
	result := make(chan uint64)
	go func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		start := time.Now()
		lines := bufio.NewWriter(out)
		highest := uint64(0)
		var m runtime.MemStats
		for {
			select {
			case now := <-tick.C:
				runtime.ReadMemStats(&m)
				highest = max(highest, m.HeapAlloc)
				if out != nil {
					fmt.Fprintf(lines, "%.3f %d %d\n", now.Sub(start).Seconds()*1000, m.HeapAlloc, m.NextGC)
				}
			case <-stop:
				if out != nil {
					err = lines.Flush()
				}
				result <- highest
				return
			}
		}
	}()
	return func() (uint64, error) {
		close(stop)
		highest := <-result
		if out != nil {
			if closed := out.Close(); err == nil {
				err = closed
			}
		}
		return highest, err
	}, nil
}
