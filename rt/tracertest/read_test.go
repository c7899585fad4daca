package tracertest

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/exp/trace"
)

// figures are what a trace says of a program's collections and of its heap.
type figures struct {
	span        time.Duration // from the first event to the last
	collections int
	// while a collection was under way, from when the world was asked to stop for it, as gctrace
	// counts
	gc     time.Duration
	each   []time.Duration // the collections' parts of gc
	heap   mean
	peak   uint64 // of the heap, in bytes
	events map[string]int
}

// share is the part of the time in which a collection was under way.
func (f *figures) share() float64 { return float64(f.gc) / float64(f.span) }

// mean is the average of a quantity over time.
type mean struct {
	sum, last float64
	at, from  trace.Time
}

func (m *mean) set(at trace.Time, v uint64) {
	if m.from == 0 {
		m.from, m.at = at, at
	}
	m.sum += m.last * float64(at-m.at)
	m.last, m.at = float64(v), at
}

func (m *mean) value() float64 { return m.sum / float64(max(m.at-m.from, 1)) }

// read follows a trace from beginning to end; visit, if not nil, sees each event.
func read(r io.Reader, visit func(ev *trace.Event)) (*figures, error) {
	tr, err := trace.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	f := &figures{events: map[string]int{}}
	var first, last, stopSince, gcSince trace.Time
	for {
		ev, err := tr.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("after %v: %w", last.Sub(first), err)
		}
		if visit != nil {
			visit(&ev)
		}
		f.events[ev.Kind().String()]++
		if ev.Kind() == trace.EventSync {
			continue
		}
		if first == 0 {
			first = ev.Time()
		}
		last = ev.Time()
		switch ev.Kind() {
		case trace.EventStateTransition:
			st := ev.StateTransition()
			if st.Resource.Kind != trace.ResourceGoroutine {
				break
			}
			if from, _ := st.Goroutine(); from == trace.GoNotExist && st.Stack == trace.NoStack {
				return nil, fmt.Errorf("goroutine %d is created without a function", st.Resource.Goroutine())
			}
		case trace.EventRangeBegin, trace.EventRangeActive:
			switch name := ev.Range().Name; {
			case strings.HasPrefix(name, "stop-the-world (GC "):
				stopSince = last
			case name == "GC concurrent mark phase" && gcSince == 0:
				gcSince = cmp.Or(stopSince, last)
			}
		case trace.EventRangeEnd:
			if strings.HasPrefix(ev.Range().Name, "stop-the-world (GC ") {
				stopSince = 0
			}
			if ev.Range().Name == "GC concurrent mark phase" && gcSince != 0 {
				f.collections++
				f.gc += last.Sub(gcSince)
				f.each = append(f.each, last.Sub(gcSince))
				gcSince = 0
			}
		case trace.EventMetric:
			if m := ev.Metric(); m.Name == "/memory/classes/heap/objects:bytes" {
				f.heap.set(last, m.Value.Uint64())
				f.peak = max(f.peak, m.Value.Uint64())
			}
		}
	}
	f.span = last.Sub(first)
	return f, nil
}
