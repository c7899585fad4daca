package exectrace

import "sort"

// Weigh chooses what a flame graph's widths stand for.
type Weigh int

const (
	BySamples  Weigh = iota // ticks of the CPU profile
	ByWaiting               // ns that goroutines waited, by where they stopped
	BySyscall               // ns in system calls
	ByRunnable              // ns that goroutines waited for a P after they gave it up or lost it
)

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

// Flame adds up stacks over from <= t < to. g is the index of the only goroutine to look
// at, or None for all of them.
func (t *Trace) Flame(weigh Weigh, g int, from, to int64) *Node {
	byStack := map[int32]int64{}
	if weigh == BySamples {
		first := sort.Search(len(t.Samples), func(i int) bool { return t.Samples[i].Time >= from })
		for _, s := range t.Samples[first:] {
			if s.Time >= to {
				break
			}
			if g == None || int(s.G) == g {
				byStack[s.Stack]++
			}
		}
	} else {
		want := map[Weigh]State{ByWaiting: Waiting, BySyscall: Syscall, ByRunnable: Runnable}[weigh]
		low, high := 0, len(t.Goroutines)
		if g != None {
			low, high = g, g+1
		}
		for i := low; i < high; i++ {
			for _, s := range t.SpansOf(i, from, to) {
				if s.State == want {
					byStack[s.Stack] += clip(s.Start, s.End, from, to)
				}
			}
		}
	}
	root := &Node{Name: "all"}
	for stack, value := range byStack {
		root.Value += value
		n := root
		if stack == None {
			n.child("(no stack)").Value += value
			continue
		}
		frames := t.Stacks[stack]
		for i := len(frames) - 1; i >= 0; i-- {
			n = n.child(frames[i].Func)
			n.Value += value
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
