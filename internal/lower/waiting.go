package lower

import (
	"go/token"
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// # Goroutines that serve
//
// A connection's goroutine waits for the next request in a frame that has seen those before, and it
// may wait forever. What the collector, which scans frames conservatively, finds there of an old
// request is never free: LLVM leaves dead values in spill slots until something else needs these,
// and a frame has words, for alignment or for paths not taken, that nobody writes at all and that
// hold what an earlier goroutine left on this stack. So a function whose own loops all wait for
// something and that a go statement starts, or that starts goroutines in them, as those that accept
// connections do, has
//
//   - an exact frame (exact.go), in which what is dead at the start of a round is cleared there;
//   - a frame that is cleared when it is entered (clearOnEntry).
//
// The functions of the run-time system in which goroutines wait ask for the latter by a directive,
// loam:clear.
//
// Both cost some stores for each time that the goroutine waits, which costs more. Functions with
// loops that only compute keep their values in registers, as do those that call runtime.GC, whose
// frames are exact in another way, before those calls.

// clearOnEntry are the attributes of a function whose frame is cleared: LLVM's prologue calls what
// it takes for the probe of a big frame, and that clears it (rt/stack/clear.gas).
const clearOnEntry = `"probe-stack"="loam.clear_frame" "stack-probe-size"="16"`

// rounds returns the heads of f's loops if f serves, otherwise nil.
func (m *module) rounds(f *mid.Func) map[*mid.Block]bool {
	if !m.started(f) && (m.shared(f) || !startsInLoop(f)) {
		return nil
	}
	heads := map[*mid.Block]bool{}
	for _, blk := range f.Body() {
		for _, head := range blk.Succs {
			if !head.Dominates(blk) { // gotos into loops make some of which this cannot be said
				continue
			}
			if m.loopWaits(f, head, blk) {
				heads[head] = true
			} else if !inlined(head) {
				return nil
			}
		}
	}
	if len(heads) == 0 {
		return nil
	}
	return heads
}

// inlined tells whether head, of a loop, is of a function that was inlined. If its loop does not
// wait it counts no more than it would in a function of its own.
func inlined(head *mid.Block) bool { return head.Instrs[len(head.Instrs)-1].Site() != nil }

// loopWaits tells whether the loop of f from head to last and back waits somewhere.
func (m *module) loopWaits(f *mid.Func, head, last *mid.Block) bool {
	seen := map[*mid.Block]bool{head: true}
	if m.blockWaits(f, head) {
		return true
	}
	for work := []*mid.Block{last}; len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk] {
			continue
		}
		if m.blockWaits(f, blk) {
			return true
		}
		seen[blk] = true
		work = append(work, blk.Preds...)
	}
	return false
}

// started tells whether a go statement starts f: one in the function that f is a literal of, or one
// anywhere in this package if f is declared here.
func (m *module) started(f *mid.Func) bool {
	if p := f.Parent(); p != nil {
		if m.goLiterals[p] == nil {
			of := map[*mid.Func]bool{}
			for _, t := range starts(p) {
				of[t] = true
			}
			if m.goLiterals == nil {
				m.goLiterals = map[*mid.Func]map[*mid.Func]bool{}
			}
			m.goLiterals[p] = of
		}
		return m.goLiterals[p][f]
	}
	if f.Pkg != m.pkg || m.shared(f) {
		return false
	}
	if m.goTargets == nil {
		m.goTargets = map[*mid.Func]bool{}
		m.eachDeclared(m.noteStarts)
	}
	return m.goTargets[f]
}

func (m *module) noteStarts(f *mid.Func) {
	for _, t := range starts(f) {
		m.goTargets[t] = true
	}
	for _, literal := range f.AnonFuncs() {
		m.noteStarts(literal)
	}
}

// starts lists the functions that go statements of f start, but for those that only a running
// program knows.
func starts(f *mid.Func) (list []*mid.Func) {
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			if g, ok := in.(*mid.Go); ok {
				if t := g.Call.StaticCallee(); t != nil {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// startsInLoop tells whether f has a go statement that it may reach again.
func startsInLoop(f *mid.Func) bool {
	for _, blk := range f.Body() {
		if slices.ContainsFunc(blk.Instrs, func(in mid.Instr) bool { _, ok := in.(*mid.Go); return ok }) && shape.Of(f).InLoop(blk) {
			return true
		}
	}
	return false
}

// blockWaits tells whether blk, of f, waits for another goroutine or for the world, or calls what
// does. Methods of interfaces are taken to, functions of other packages without that trait are
// not.
func (m *module) blockWaits(f *mid.Func, blk *mid.Block) bool {
	for _, in := range blk.Instrs {
		waits := false
		switch in := in.(type) {
		case *mid.Send:
			waits = true
		case *mid.UnOp:
			waits = in.Op == token.ARROW
		case *mid.Select:
			waits = in.Blocking
		case *mid.Call:
			g := in.Call.StaticCallee()
			waits = in.Call.IsInvoke() || g != nil && (m.has(g, parks) || declaredIn(g) == declaredIn(f) && m.waits(g))
		}
		if waits {
			return true
		}
	}
	return false
}

// waits tells whether f has a block that does.
func (m *module) waits(f *mid.Func) bool {
	known, ok := m.waiting[f]
	if !ok {
		m.waiting[f] = false // what a recursive call adds is found by the others
		known = slices.ContainsFunc(f.Body(), func(blk *mid.Block) bool { return m.blockWaits(f, blk) })
		m.waiting[f] = known
	}
	return known
}
