package exectrace

import (
	"cmp"
	"slices"
)

// finish closes what is open at the end of the trace and brings the tables into order.
func (b *builder) finish() *Trace {
	t := b.t
	t.Duration = b.now
	for _, g := range b.order {
		if t.Goroutines[g.index].Alive {
			t.Goroutines[g.index].End = b.now
		}
		b.closeSpan(g, traceEnds)
		b.closeRegions(g)
	}
	b.closeTasks()
	for _, p := range b.procs {
		if p.inUse != None {
			t.ProcSpans = append(t.ProcSpans, Range{Start: p.inUse, End: b.now, Name: None, G: None, Proc: p.index})
		}
	}
	for _, r := range b.open {
		b.endRange(r)
	}
	t.sortProcs()
	t.groupSpans()
	t.groupByProc()
	t.groupByThread()
	slices.SortStableFunc(t.Regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.G, b.G), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Depth, b.Depth))
	})
	slices.SortStableFunc(t.Ranges, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(t.Samples, func(a, b Sample) int { return cmp.Compare(a.Time, b.Time) })
	t.findCollections()
	return t
}

// sortProcs numbers the Ps by their ids; until now they are in the order of appearance.
func (t *Trace) sortProcs() {
	ids := slices.Clone(t.Procs)
	slices.Sort(t.Procs)
	to := make([]int32, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(t.Procs, id)
		to[i] = int32(at)
	}
	move := func(p *int32) {
		if *p != None {
			*p = to[*p]
		}
	}
	for i := range t.Spans {
		move(&t.Spans[i].Proc)
	}
	for i := range t.Samples {
		move(&t.Samples[i].Proc)
	}
	for _, ranges := range [][]Range{t.ProcSpans, t.Ranges, t.Marks} {
		for i := range ranges {
			move(&ranges[i].Proc)
		}
	}
}

// groupSpans puts the spans of each goroutine side by side. They come ordered by their ends,
// and those of one goroutine do not overlap, so a stable distribution leaves them in order.
func (t *Trace) groupSpans() {
	next := make([]int, len(t.Goroutines)+1)
	for i := range t.Spans {
		next[t.Spans[i].G+1]++
	}
	for g := range t.Goroutines {
		next[g+1] += next[g]
		t.Goroutines[g].First, t.Goroutines[g].Last = next[g], next[g+1]
	}
	grouped := make([]Span, len(t.Spans))
	for _, s := range t.Spans {
		grouped[next[s.G]] = s
		next[s.G]++
	}
	t.Spans = grouped
}

// groupByProc makes the tables that are looked at by P.
func (t *Trace) groupByProc() {
	for i := range t.Spans {
		if s := &t.Spans[i]; s.State == Running && s.Proc != None {
			t.OnProc = append(t.OnProc, int32(i))
		}
	}
	slices.SortFunc(t.OnProc, func(i, j int32) int {
		a, b := &t.Spans[i], &t.Spans[j]
		return cmp.Or(cmp.Compare(a.Proc, b.Proc), cmp.Compare(a.Start, b.Start))
	})
	t.ProcFirst = make([]int, len(t.Procs)+1)
	for _, i := range t.OnProc {
		t.ProcFirst[t.Spans[i].Proc+1]++
	}
	for p := range t.Procs {
		t.ProcFirst[p+1] += t.ProcFirst[p]
	}
	for _, ranges := range [][]Range{t.ProcSpans, t.Marks} {
		slices.SortFunc(ranges, func(a, b Range) int {
			return cmp.Or(cmp.Compare(a.Proc, b.Proc), cmp.Compare(a.Start, b.Start))
		})
	}
}

// groupByThread makes the table that is looked at by thread.
func (t *Trace) groupByThread() {
	for i := range t.Spans {
		if t.Spans[i].Thread != None {
			t.OnThread = append(t.OnThread, int32(i))
		}
	}
	slices.SortFunc(t.OnThread, func(i, j int32) int {
		a, b := &t.Spans[i], &t.Spans[j]
		return cmp.Or(cmp.Compare(t.Threads[a.Thread], t.Threads[b.Thread]), cmp.Compare(a.Start, b.Start))
	})
	ids := slices.Clone(t.Threads)
	slices.Sort(t.Threads)
	to := make([]int32, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(t.Threads, id)
		to[i] = int32(at)
	}
	t.ThreadFrom = make([]int, len(t.Threads)+1)
	for _, i := range t.OnThread {
		s := &t.Spans[i]
		s.Thread = to[s.Thread]
		t.ThreadFrom[s.Thread+1]++
	}
	for m := range t.Threads {
		t.ThreadFrom[m+1] += t.ThreadFrom[m]
	}
}
