package exectrace

import (
	"bytes"
	"sync"
	"testing"
)

// BenchmarkRead reads a trace of goroutines that hand values to each other.
func BenchmarkRead(b *testing.B) {
	data := record(b, func() {
		var wg sync.WaitGroup
		for range 100 {
			there, back := make(chan int), make(chan int)
			wg.Go(func() {
				for v := range there {
					back <- v
				}
				close(back)
			})
			wg.Go(func() {
				for i := range 1800 {
					there <- i
					<-back
				}
				close(there)
			})
		}
		wg.Wait()
	}).Bytes()
	events := 0
	for b.Loop() {
		t, err := Read(bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		events = t.Events
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}
