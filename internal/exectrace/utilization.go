package exectrace

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// What is left of the processors to the program while the collector works. (P. Cheng, G. Blelloch:
// A parallel, real-time garbage collector, PLDI 2001, has minimum mutator utilization as a function
// of the window.)

// Work is what counts as the collector's: a set.
type Work int

const (
	Stops Work = 1 << iota // the world is stopped
	// goroutines that mark, but for those on processors that have nothing else to do
	Background
	Assists // goroutines that help with marking before they may allocate
	Sweeps  // goroutines that sweep before they may allocate
)

// A Floor is the least that the program had of the processors in any window of some width.
type Floor struct {
	Width int64   `json:"width"` // ns
	Least float64 `json:"least"` // mean utilization, from 0 to 1
	At    int64   `json:"at"`    // where such a window begins
}

// Utilization says how the program's share of the processors went.
type Utilization struct {
	Mean   float64 `json:"mean"`
	Floors []Floor `json:"floors"` // by width, from leastWidth to the whole window
}

const (
	leastWidth      = 10_000 // ns
	widthsPerDecade = 12
)

// Utilization looks at from <= t < to.
func (t *Trace) Utilization(work Work, from, to int64) Utilization {
	to = min(to, t.Duration)
	var u Utilization
	u.Floors = []Floor{}
	if to <= from {
		return u
	}
	s := t.shares(work, from, to)
	u.Mean = s.sum[len(s.sum)-1] / float64(to-from)
	for i := 0; ; i++ {
		w := int64(leastWidth * math.Pow(10, float64(i)/widthsPerDecade))
		w = min(w, to-from)
		u.Floors = append(u.Floors, s.floor(w))
		if w == to-from {
			return u
		}
	}
}

// shares is the program's share over time: level[i] from time[i] to time[i+1], which add up to
// sum[i] at time[i].
type shares struct {
	time  []int64
	level []float64
	sum   []float64
}

// A change of how many Ps work for the collector, of how often the world is stopped, or of
// GOMAXPROCS.
type change struct {
	time       int64
	busy, stop int
	limit      int // > 0
}

func (t *Trace) shares(work Work, from, to int64) *shares {
	var list []change
	add := func(start, end int64, busy, stop int) {
		if start, end = max(start, from), min(end, to); start < end {
			list = append(list, change{time: start, busy: busy, stop: stop}, change{time: end, busy: -busy, stop: -stop})
		}
	}
	counts := make([]bool, len(t.Names))
	for i, name := range t.Names {
		counts[i] = work&Assists != 0 && name == markAssist || work&Sweeps != 0 && name == sweep ||
			work&Background != 0 && strings.HasPrefix(name, workerPrefix) && name != idleWorker
	}
	for i := range t.Marks {
		if m := &t.Marks[i]; m.Name != None && counts[m.Name] {
			add(m.Start, m.End, 1, 0)
		}
	}
	if work&Stops != 0 {
		for i := range t.Ranges {
			if r := &t.Ranges[i]; r.Name != None && strings.HasPrefix(t.Names[r.Name], stopAny) {
				add(r.Start, r.End, 0, 1)
			}
		}
	}
	limit := len(t.Procs)
	for _, p := range t.ProcLimit {
		if p.Time <= from || limit == 0 {
			limit = int(p.Value)
		} else if p.Time < to {
			list = append(list, change{time: p.Time, limit: int(p.Value)})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.time, b.time) })

	s := &shares{time: []int64{from}, level: []float64{1}, sum: []float64{0}}
	busy, stop := 0, 0
	for i := 0; i < len(list); {
		at := list[i].time
		for ; i < len(list) && list[i].time == at; i++ {
			busy += list[i].busy
			stop += list[i].stop
			if list[i].limit > 0 {
				limit = list[i].limit
			}
		}
		level := 1 - float64(min(busy, limit))/float64(max(1, limit))
		if stop > 0 {
			level = 0
		}
		s.set(at, level)
	}
	s.set(to, s.level[len(s.level)-1])
	return s
}

// set says what the level is from a time on.
func (s *shares) set(time int64, level float64) {
	n := len(s.time) - 1
	if s.time[n] == time {
		s.level[n] = level
		return
	}
	s.sum = append(s.sum, s.sum[n]+s.level[n]*float64(time-s.time[n]))
	s.time = append(s.time, time)
	s.level = append(s.level, level)
}

// floor finds the window of width w with the least. The sum over a window is linear in where it
// begins while neither end passes a change, so the least is at a window that begins or ends with
// one.
func (s *shares) floor(w int64) Floor {
	first, last := s.time[0], s.time[len(s.time)-1]
	least := Floor{Width: w, Least: math.Inf(1)}
	try := func(begin int64, sum float64) {
		if mean := sum / float64(w); mean < least.Least {
			least.Least, least.At = mean, begin
		}
	}
	// i and j are the last changes not after the window's beginning and its end.
	j := 0
	for i, begin := range s.time {
		end := begin + w
		if end > last {
			break
		}
		for j+1 < len(s.time) && s.time[j+1] <= end {
			j++
		}
		try(begin, s.sum[j]+s.level[j]*float64(end-s.time[j])-s.sum[i])
	}
	i := 0
	for j, end := range s.time {
		begin := end - w
		if begin < first {
			continue
		}
		for i+1 < len(s.time) && s.time[i+1] <= begin {
			i++
		}
		try(begin, s.sum[j]-s.sum[i]-s.level[i]*float64(begin-s.time[i]))
	}
	least.Least = min(1, max(0, least.Least))
	return least
}
