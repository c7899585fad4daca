package link

import "container/heap"

// initOrder returns the packages whose initialisers run, in the order that the language
// specifies: sorted by import path, always the first one whose imports are done. The
// runtime and what it imports come before everything else. Packages that have nothing to
// initialise, neither themselves nor below, take no part in the order.
func initOrder(p *Program) []*Package {
	takesPart := map[*Package]bool{}
	for _, n := range p.Packages { // dependencies first
		part := n.HasInit
		for _, d := range n.Deps {
			part = part || takesPart[d]
		}
		takesPart[n] = part
	}
	done := map[*Package]bool{}
	var order []*Package
	schedule := func(root *Package) {
		waiting := map[*Package]int{}
		users := map[*Package][]*Package{}
		var ready packageHeap
		var visit func(*Package)
		visit = func(n *Package) {
			if _, seen := waiting[n]; seen || done[n] || !takesPart[n] {
				return
			}
			waiting[n] = 0
			for _, d := range n.Deps {
				if takesPart[d] && !done[d] {
					visit(d)
					waiting[n]++
					users[d] = append(users[d], n)
				}
			}
			if waiting[n] == 0 {
				heap.Push(&ready, n)
			}
		}
		visit(root)
		for ready.Len() > 0 {
			n := heap.Pop(&ready).(*Package)
			done[n] = true
			if n.HasInit {
				order = append(order, n)
			}
			for _, u := range users[n] {
				if waiting[u]--; waiting[u] == 0 {
					heap.Push(&ready, u)
				}
			}
		}
	}
	schedule(p.Runtime)
	schedule(p.Main)
	return order
}

// packageHeap is a heap of packages by import path.
type packageHeap []*Package

func (h packageHeap) Len() int           { return len(h) }
func (h packageHeap) Less(i, j int) bool { return h[i].Path() < h[j].Path() }
func (h packageHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *packageHeap) Push(x any)        { *h = append(*h, x.(*Package)) }
func (h *packageHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
