package exectrace

import (
	"sort"
	"strings"
)

// Names that the trace format gives to ranges.
const (
	markPhase  = "GC concurrent mark phase"
	markAssist = "GC mark assist"
	stopGC     = "stop-the-world (GC "
	stopAny    = "stop-the-world"
	sweep      = "GC incremental sweep"
)

// Labels of the goroutines that mark begin so. Those that only mark on processors with nothing else
// to do have idleWorker.
const (
	workerPrefix = "GC ("
	idleWorker   = "GC (idle)"
)

// findCollections lists the collections and gives each the pauses and assists that belong
// to it: assists lie within marking; the first pause begins it and the second ends it, and
// as a pause includes the time the processors need to stop, either can reach out of the
// cycle. So a pause belongs to the cycle that it overlaps or else to the next one.
func (t *Trace) findCollections() {
	for _, r := range t.Ranges {
		if r.Name == None || t.Names[r.Name] != markPhase {
			continue
		}
		c := Collection{Start: r.Start, End: r.End, Cut: r.Start == 0 || r.End == t.Duration}
		c.Before = at(t.Heap, r.Start)
		c.After = at(t.Heap, r.End)
		c.Goal = at(t.Goal, r.Start)
		c.Peak = peak(t.Heap, r.Start, r.End)
		t.Collections = append(t.Collections, c)
	}
	if len(t.Collections) == 0 {
		return
	}
	for _, r := range t.Ranges {
		if r.Name != None && strings.HasPrefix(t.Names[r.Name], stopGC) {
			if c := t.collectionAt(r.Start); c != nil {
				c.Pauses++
				c.Paused += r.End - r.Start
			}
		}
	}
	for _, m := range t.Marks {
		if t.Names[m.Name] == markAssist {
			if c := t.collectionAt(m.Start); c != nil {
				c.Assist += m.End - m.Start
			}
		}
	}
}

// collectionAt returns the collection under way at a time, else the next one, else nil.
func (t *Trace) collectionAt(time int64) *Collection {
	i := sort.Search(len(t.Collections), func(i int) bool { return t.Collections[i].End >= time })
	if i == len(t.Collections) {
		return nil
	}
	return &t.Collections[i]
}

// at returns the value at a time, 0 before the first point.
func at(points []Point, time int64) uint64 {
	i := sort.Search(len(points), func(i int) bool { return points[i].Time > time })
	if i == 0 {
		return 0
	}
	return points[i-1].Value
}

// peak returns the largest value in from <= t <= to.
func peak(points []Point, from, to int64) uint64 {
	highest := at(points, from)
	i := sort.Search(len(points), func(i int) bool { return points[i].Time > from })
	for ; i < len(points) && points[i].Time <= to; i++ {
		highest = max(highest, points[i].Value)
	}
	return highest
}

// Sum is what a selection of collections amounts to.
type Sum struct {
	Count  int     `json:"count"`
	First  int64   `json:"first"` // start of the first, ns
	Last   int64   `json:"last"`  // end of the last, ns
	Wall   int64   `json:"wall"`  // ns in which one was under way
	Mean   int64   `json:"mean"`  // Wall / Count
	Min    int64   `json:"min"`   // the shortest
	Max    int64   `json:"max"`   // the longest
	Share  float64 `json:"share"` // Wall as a share of the whole trace
	Pauses int     `json:"pauses"`
	Paused int64   `json:"paused"`
	Assist int64   `json:"assist"`
	Peak   uint64  `json:"peak"` // largest heap from First to Last, bytes
}

// Sum adds up the collections whose indices are selected; indices out of range count for
// nothing.
func (t *Trace) Sum(selected []int) Sum {
	var s Sum
	for _, i := range selected {
		if i < 0 || i >= len(t.Collections) {
			continue
		}
		c := t.Collections[i]
		d := c.End - c.Start
		if s.Count == 0 {
			s.First, s.Last, s.Min = c.Start, c.End, d
		}
		s.Count++
		s.First, s.Last = min(s.First, c.Start), max(s.Last, c.End)
		s.Min, s.Max = min(s.Min, d), max(s.Max, d)
		s.Wall += d
		s.Pauses += c.Pauses
		s.Paused += c.Paused
		s.Assist += c.Assist
	}
	if s.Count > 0 {
		s.Mean = s.Wall / int64(s.Count)
		s.Share = float64(s.Wall) / float64(max(1, t.Duration))
		s.Peak = peak(t.Heap, s.First, s.Last)
	}
	return s
}

// PeakHeap returns the largest heap of the whole trace in bytes, 0 if it is not recorded.
func (t *Trace) PeakHeap() uint64 { return peak(t.Heap, 0, t.Duration) }
