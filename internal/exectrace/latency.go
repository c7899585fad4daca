package exectrace

import "math/bits"

// A Bucket counts durations in Low <= d < High, in ns.
type Bucket struct {
	Low   int64 `json:"low"`
	High  int64 `json:"high"`
	Count int   `json:"count"`
}

// Latency is how long goroutines that could run waited for a P.
type Latency struct {
	Count   int          `json:"count"`
	Summary Distribution `json:"summary"`
	Buckets []Bucket     `json:"buckets"`
}

// Latency looks at the waits for a P that ended with from <= t < to. If key is not empty,
// only goroutines of that group count. Waits that the beginning of the trace cut off are
// left out. Buckets are half powers of two apart, as wide as the data needs.
func (t *Trace) Latency(by By, key string, from, to int64) Latency {
	var waits []int64
	for g := range t.Goroutines {
		if key != "" && t.KeyOf(g, by) != key {
			continue
		}
		for _, s := range t.SpansOf(g, from, to+1) {
			if s.State == Runnable && !s.Cut && s.End >= from && s.End < to {
				waits = append(waits, s.End-s.Start)
			}
		}
	}
	l := Latency{Count: len(waits), Summary: distribution(waits)}
	l.Buckets = histogram(waits)
	return l
}

// histogram counts durations, which are sorted.
func histogram(sorted []int64) []Bucket {
	buckets := []Bucket{}
	if len(sorted) == 0 {
		return buckets
	}
	first, last := bucketOf(sorted[0]), bucketOf(sorted[len(sorted)-1])
	for i := first; i <= last; i++ {
		buckets = append(buckets, Bucket{Low: bucketStart(i), High: bucketStart(i + 1)})
	}
	for _, v := range sorted {
		buckets[bucketOf(v)-first].Count++
	}
	return buckets
}

// Bucket 0 holds 0 and 1 ns; buckets 2k-1 and 2k halve what lies from 2^k to 2^(k+1).
func bucketOf(d int64) int {
	if d < 2 {
		return 0
	}
	k := bits.Len64(uint64(d)) - 1
	half := int(d>>(k-1)) & 1
	return 2*k - 1 + half
}

func bucketStart(i int) int64 {
	if i == 0 {
		return 0
	}
	k := (i + 1) / 2
	start := int64(1) << k
	if i%2 == 0 {
		start += start / 2
	}
	return start
}
