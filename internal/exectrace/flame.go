package exectrace

import (
	"slices"
	"sort"
)

// Weigh chooses what the widths of a flame graph, and the values of a profile, stand for.
type Weigh int

const (
	BySamples  Weigh = iota // ticks of the CPU profile
	ByWaiting               // ns that goroutines waited, by where they stopped
	ByNetwork               // of these, for the network
	BySync                  // of these, for something else
	BySyscall               // ns in system calls
	ByRunnable              // ns that goroutines waited for a P after they gave it up or lost it
)

// weighs reports whether a span counts.
func (t *Trace) weighs(w Weigh, s *Span) bool {
	switch w {
	case ByWaiting:
		return s.State == Waiting
	case ByNetwork:
		return s.State == Waiting && t.isNetwork(s)
	case BySync:
		return s.State == Waiting && !t.isNetwork(s)
	case BySyscall:
		return s.State == Syscall
	case ByRunnable:
		return s.State == Runnable
	}
	return false
}

func (t *Trace) isNetwork(s *Span) bool { return s.Reason != None && t.Reasons[s.Reason] == "network" }

// A Part of the trace is what a question is about: a window of time, and, unless they are empty,
// the goroutines of one group, and the regions of one name.
type Part struct {
	From, To int64
	By       By
	Key      string
	Region   string
}

// each calls f for the goroutines in the part, with the windows of time in which they are; regions
// within each other are one window.
func (t *Trace) each(p Part, f func(g int, from, to int64)) {
	if p.Region == "" {
		for g := range t.Goroutines {
			if p.Key == "" || t.KeyOf(g, p.By) == p.Key {
				f(g, p.From, p.To)
			}
		}
		return
	}
	g, end := int32(None), int64(0)
	for i := range t.Regions {
		r := &t.Regions[i]
		if r.Name != p.Region || p.Key != "" && t.KeyOf(int(r.G), p.By) != p.Key {
			continue
		}
		if r.G != g {
			g, end = r.G, 0
		}
		from := max(r.Start, end, p.From)
		end = max(end, r.End)
		if to := min(end, p.To); from < to {
			f(int(g), from, to)
		}
	}
}

// byStack adds up a part of the trace by where goroutines were.
func (t *Trace) byStack(weigh Weigh, p Part) map[int32]Weight {
	sums := map[int32]Weight{}
	add := func(stack int32, value int64) {
		w := sums[stack]
		w.Count++
		w.Value += value
		sums[stack] = w
	}
	if weigh == BySamples {
		whole := p.Key == "" && p.Region == ""
		windows := map[int32][][2]int64{}
		if !whole {
			t.each(p, func(g int, from, to int64) { windows[int32(g)] = append(windows[int32(g)], [2]int64{from, to}) })
		}
		first := sort.Search(len(t.Samples), func(i int) bool { return t.Samples[i].Time >= p.From })
		for _, s := range t.Samples[first:] {
			if s.Time >= p.To {
				break
			}
			if whole || slices.ContainsFunc(windows[s.G], func(w [2]int64) bool { return s.Time >= w[0] && s.Time < w[1] }) {
				add(s.Stack, 1)
			}
		}
		return sums
	}
	t.each(p, func(g int, from, to int64) {
		spans := t.SpansOf(g, from, to)
		for i := range spans {
			if s := &spans[i]; t.weighs(weigh, s) {
				add(s.Stack, clip(s.Start, s.End, from, to))
			}
		}
	})
	return sums
}

// A Weight is how often something happened, and for how long all together.
type Weight struct{ Count, Value int64 }

// A Node of a flame graph: a function, and those that it called. Value includes the
// children's.
type Node struct {
	Name     string  `json:"name"`
	Value    int64   `json:"value"`
	Children []*Node `json:"children,omitempty"`
	index    map[string]*Node
}

func (n *Node) child(name string) *Node {
	c := n.index[name]
	if c == nil {
		c = &Node{Name: name}
		if n.index == nil {
			n.index = map[string]*Node{}
		}
		n.index[name] = c
		n.Children = append(n.Children, c)
	}
	return c
}

// Flame adds up the stacks of a part of the trace.
func (t *Trace) Flame(weigh Weigh, p Part) *Node {
	root := &Node{Name: "all"}
	for stack, w := range t.byStack(weigh, p) {
		root.Value += w.Value
		n := root
		if stack == None {
			n.child("(no stack)").Value += w.Value
			continue
		}
		frames := t.Stacks[stack]
		for i := len(frames) - 1; i >= 0; i-- {
			n = n.child(frames[i].Func)
			n.Value += w.Value
		}
	}
	root.sort()
	return root
}

// sort orders children by name, so that the same function is at the same place in every
// window's picture.
func (n *Node) sort() {
	sort.Slice(n.Children, func(i, j int) bool { return n.Children[i].Name < n.Children[j].Name })
	for _, c := range n.Children {
		c.sort()
	}
}
