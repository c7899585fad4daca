package browsertest

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/exp/trace"
)

// A reference is what these tests themselves find in a trace, by plain counting.
type reference struct {
	collections []collection
	heap        []heapPoint
	goroutines  int
	waits       int // from runnable to running, whole ones
	samples     int
	duration    int64

	tasks, regions map[string]int // how many began, by type
	logs           int            // of the program
	stopped        int64          // ns in which the world was stopped
	threads        int            // that ran goroutines
}

type collection struct{ start, end int64 }
type heapPoint struct {
	time  int64
	bytes uint64
}

func readReference(t testing.TB, file string) *reference {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, err := trace.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{tasks: map[string]int{}, regions: map[string]int{}}
	stops, stopSince := 0, int64(0)
	threads := map[trace.ThreadID]bool{}
	first := int64(-1)
	seen := map[trace.GoID]bool{}
	since := map[trace.GoID]bool{} // became runnable within the trace
	for {
		ev, err := reader.ReadEvent()
		if errors.Is(err, io.EOF) {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind() == trace.EventSync {
			continue
		}
		if first < 0 {
			first = int64(ev.Time())
		}
		now := int64(ev.Time()) - first
		r.duration = max(r.duration, now)
		switch ev.Kind() {
		case trace.EventTaskBegin:
			r.tasks[ev.Task().Type]++
		case trace.EventRegionBegin:
			r.regions[ev.Region().Type]++
		case trace.EventLog:
			if !strings.HasPrefix(ev.Log().Category, "loam/") {
				r.logs++
			}
		case trace.EventRangeBegin, trace.EventRangeEnd:
			if strings.HasPrefix(ev.Range().Name, "stop-the-world") {
				if ev.Kind() == trace.EventRangeBegin {
					if stops == 0 {
						stopSince = now
					}
					stops++
				} else if stops--; stops == 0 {
					r.stopped += now - stopSince
				}
			}
			if ev.Range().Name != "GC concurrent mark phase" {
				continue
			}
			if ev.Kind() == trace.EventRangeBegin {
				r.collections = append(r.collections, collection{now, -1})
			} else {
				r.collections[len(r.collections)-1].end = now
			}
		case trace.EventMetric:
			if m := ev.Metric(); m.Name == "/memory/classes/heap/objects:bytes" {
				r.heap = append(r.heap, heapPoint{now, m.Value.Uint64()})
			}
		case trace.EventStackSample:
			r.samples++
		case trace.EventStateTransition:
			st := ev.StateTransition()
			if st.Resource.Kind != trace.ResourceGoroutine {
				continue
			}
			g := st.Resource.Goroutine()
			seen[g] = true
			r.goroutines = len(seen)
			from, to := st.Goroutine()
			if m := ev.Thread(); m != trace.NoThread && (to == trace.GoRunning || to == trace.GoSyscall) {
				threads[m] = true
				r.threads = len(threads)
			}
			if to == trace.GoRunning && since[g] {
				r.waits++
			}
			since[g] = to == trace.GoRunnable && (from != trace.GoUndetermined && from != trace.GoRunnable || since[g])
		}
	}
}

// sums adds up the collections that overlap a window.
type sums struct {
	count, wall, mean int64
	peak              uint64
}

func (r *reference) sum(from, to int64) sums {
	var s sums
	first, last := int64(-1), int64(-1)
	for _, c := range r.collections {
		if c.end < 0 { // cut off by the end of the trace
			c.end = r.duration
		}
		if c.start > to || c.end < from {
			continue
		}
		s.count++
		s.wall += c.end - c.start
		if first < 0 {
			first = c.start
		}
		last = c.end
	}
	if s.count > 0 {
		s.mean = s.wall / s.count
	}
	for i, p := range r.heap {
		held := i+1 == len(r.heap) || r.heap[i+1].time > first // the value at the beginning counts
		if p.time <= last && (p.time > first || held) {
			s.peak = max(s.peak, p.bytes)
		}
	}
	return s
}
