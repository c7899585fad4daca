package heap

import (
	"fmt"
	"testing"
)

// A model of one concurrent cycle, explored completely: every order of the steps of the mutators
// and the collector, from every small heap. Objects have one field; there is one global; a mutator
// has two registers and does whatever it likes. It can be stopped between any two steps, so a
// store, the look at the flag and the shading are three. The order of a mutator's own steps is what
// barrier.go and internal/lower promise. Stores are visible at once: the flag changes only with the
// world stopped, and nothing else here relies on the order of a store and a load.
//
// Checked: nothing reachable is unmarked when the cycle ends, and no mark is set after that, when
// sweeping reads them. Variants with one rule left out must fail, or the model shows nothing.

const (
	modelObjects  = 3
	modelMutators = 2
)

type modelMutator struct {
	a, b    int8 // registers: objects, -1 for nil
	pending int8 // stored, not shaded yet; on the stack, hence scanned
	// 0 free, 1 before the look at the flag, 2 before shading, 3 flag seen set before the store, 4
	// clear
	pc      int8
	toRoot  bool // the store to come goes to the global (pc 3, 4)
	scanned bool // since it last ran
	seen    bool // scanned at all
}

type modelState struct {
	phase   int8 // 0 before, 1 marking, 2 after
	root    int8
	field   [modelObjects]int8
	used    [modelObjects]bool
	marked  [modelObjects]bool
	grey    [modelObjects]bool
	rooted  bool // the global was scanned
	mutator [modelMutators]modelMutator
	lost    bool
}

// modelRules are the variants.
type modelRules struct {
	flagFirst   bool // the flag is read before the store
	noRescan    bool // stacks are scanned once
	noRecheck   bool // shade does not look at the flag again
	noInit      bool // no barrier for stores into the newest object
	whiteObject bool // objects are allocated unmarked (must be fine)
	noBarrier   bool
	mutators    int
	objects     int // 0: modelObjects
}

func (s *modelState) shade(p int8) {
	if p >= 0 && !s.marked[p] {
		s.marked[p], s.grey[p] = true, true
	}
}

func (s *modelState) scanStack(i int) {
	m := &s.mutator[i]
	s.shade(m.a)
	s.shade(m.b)
	s.shade(m.pending)
	m.scanned, m.seen = true, true
}

func (s *modelState) trace(o int) {
	s.grey[o] = false
	s.shade(s.field[o])
}

// reachable returns whether something unmarked or unused can be reached.
func (s *modelState) reachesUnmarked(n int) bool {
	var seen [modelObjects]bool
	bad := false
	var visit func(p int8)
	visit = func(p int8) {
		if p < 0 || seen[p] {
			return
		}
		seen[p] = true
		bad = bad || !s.marked[p]
		visit(s.field[p])
	}
	visit(s.root)
	for _, m := range s.mutator[:n] {
		visit(m.a)
		visit(m.b)
		visit(m.pending)
	}
	return bad
}

// next calls f for each state that one step leads to.
func (s modelState) next(r *modelRules, f func(modelState)) {
	for i := range r.mutators {
		s.mutate(r, i, f)
	}
	switch s.phase {
	case 0:
		t := s
		t.phase = 1
		f(t)
	case 1:
		s.collect(r, f)
	}
}

func (s modelState) collect(r *modelRules, f func(modelState)) {
	if !s.rooted {
		t := s
		t.rooted = true
		t.shade(t.root)
		f(t)
	}
	grey, allSeen := false, true
	for i := range r.mutators {
		allSeen = allSeen && s.mutator[i].seen
		if m := s.mutator[i]; !m.scanned && (!m.seen || !r.noRescan) {
			t := s
			t.scanStack(i)
			f(t)
		}
	}
	for o := range s.grey {
		if s.grey[o] {
			grey = true
			t := s
			t.trace(o)
			f(t)
		}
	}
	if grey || !s.rooted || !allSeen {
		return
	}
	// The pause. What it finds is marked in it or, as here, after it.
	t := s
	if !r.noRescan {
		for i := range r.mutators {
			if !t.mutator[i].scanned {
				t.scanStack(i)
			}
		}
	}
	for o := range t.grey {
		if t.grey[o] {
			f(t)
			return
		}
	}
	t.phase = 2
	t.lost = t.reachesUnmarked(r.mutators)
	f(t)
}

func (s modelState) mutate(r *modelRules, i int, f func(modelState)) {
	step := func(change func(t *modelState, m *modelMutator)) {
		t := s
		m := &t.mutator[i]
		m.scanned = false
		change(&t, m)
		f(t)
	}
	m := s.mutator[i]
	switch m.pc {
	case 1:
		step(func(t *modelState, m *modelMutator) {
			if t.phase == 1 {
				m.pc = 2
			} else {
				m.pc, m.pending = 0, -1
			}
		})
		return
	case 2:
		step(func(t *modelState, m *modelMutator) {
			if t.phase == 1 {
				t.shade(m.pending)
			} else if r.noRecheck {
				t.lost = true // a mark that sweeping does not expect
			}
			m.pc, m.pending = 0, -1
		})
		return
	case 3, 4: // variant: the flag was read, now comes the store
		step(func(t *modelState, m *modelMutator) {
			t.store(m)
			if m.pc == 3 {
				m.pc = 2
			} else {
				m.pc, m.pending = 0, -1
			}
		})
		return
	}
	if s.phase == 2 {
		return // only barriers under way matter after the end
	}
	step(func(t *modelState, m *modelMutator) { m.a = t.root })
	step(func(t *modelState, m *modelMutator) { m.b = m.a })
	step(func(t *modelState, m *modelMutator) { m.b = -1 })
	step(func(t *modelState, m *modelMutator) { m.a = -1 })
	if m.a >= 0 {
		step(func(t *modelState, m *modelMutator) { m.b = t.field[m.a] })
		step(func(t *modelState, m *modelMutator) { t.field[m.a] = -1 })
	}
	step(func(t *modelState, m *modelMutator) { t.root = -1 })
	for o := range s.used {
		if r.objects != 0 && o >= r.objects {
			break
		}
		if !s.used[o] {
			step(func(t *modelState, m *modelMutator) {
				t.used[o] = true
				t.field[o] = -1
				t.marked[o] = t.phase == 1 && !r.whiteObject
				m.a = int8(o)
			})
			break
		}
	}
	if m.b < 0 {
		return
	}
	for _, toRoot := range []bool{false, true} {
		if !toRoot && m.a < 0 {
			continue
		}
		step(func(t *modelState, m *modelMutator) {
			m.pending, m.toRoot = m.b, toRoot
			newest := !toRoot && (int(m.a) == modelObjects-1 || !t.used[m.a+1])
			switch {
			case r.noBarrier, r.noInit && newest:
				t.store(m)
				m.pending = -1
			case r.flagFirst:
				m.pc = 4
				if t.phase == 1 {
					m.pc = 3
				}
			default:
				t.store(m)
				m.pc = 1
			}
		})
	}
}

func (s *modelState) store(m *modelMutator) {
	if m.toRoot {
		s.root = m.pending
	} else if m.a >= 0 {
		s.field[m.a] = m.pending
	}
	m.toRoot = false
}

// explore returns the number of states, and whether one of them is wrong.
func exploreModel(r modelRules) (n int, wrong bool) {
	var first modelState
	first.root = -1
	for o := range first.field {
		first.field[o] = -1
	}
	for i := range first.mutator {
		first.mutator[i] = modelMutator{a: -1, b: -1, pending: -1}
	}
	seen := map[modelState]bool{first: true}
	todo := []modelState{first}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s.next(&r, func(t modelState) {
			if t.lost {
				wrong = true
			}
			if !seen[t] {
				seen[t] = true
				todo = append(todo, t)
			}
		})
		if wrong {
			break
		}
	}
	return len(seen), wrong
}

func TestModelOfMarking(t *testing.T) {
	tests := []struct {
		name  string
		rules modelRules
		wrong bool
	}{
		{"as it is", modelRules{mutators: 1}, false},
		{"white objects", modelRules{mutators: 1, whiteObject: true}, false},
		{"no barrier", modelRules{mutators: 1, noBarrier: true}, true},
		{"flag before store", modelRules{mutators: 1, flagFirst: true}, true},
		{"stacks once", modelRules{mutators: 1, noRescan: true}, true},
		{"no second look", modelRules{mutators: 1, noRecheck: true}, true},
		{"no barrier for new objects", modelRules{mutators: 1, noInit: true}, true},
		{"as it is, two mutators", modelRules{mutators: 2, objects: 2}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.rules.mutators > 1 && !test.wrong {
				t.Skip("explores millions of states")
			}
			n, wrong := exploreModel(test.rules)
			t.Log(fmt.Sprint(n), "states")
			if wrong != test.wrong {
				t.Errorf("loses objects or marks: %v, want %v", wrong, test.wrong)
			}
		})
	}
}
