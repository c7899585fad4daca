package lower

import (
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Second forms: a function that makes objects and only returns them (escape.Facts.Made) is
// also there as sym·made, which takes the memory for them as its last parameter. A caller
// whose frame these objects do not leave passes a slot. The second form has the same names
// and lines for tracebacks as the function itself.

// emitSecond defines the second form of f.
func (m *module) emitSecond(f *mid.Func) {
	sym := secondSym(m.funcSym(f))
	m.define(sym, func() ir.Definition { return m.lowerForm(f, sym, m.made(f)) })
}

const secondSuffix = "·made"

func secondSym(sym string) string { return sym + secondSuffix }

// made returns the objects of f's second form, nil if there is none here.
func (m *module) made(f *mid.Func) *escape.Frame {
	if m.in.Escape == nil {
		return nil
	}
	return m.in.Escape.Made(f)
}

// exportsSecond tells whether other packages may call f's second form: their summaries of
// exported functions mention it (escape.Facts.Exported).
func (m *module) exportsSecond(f *mid.Func) bool {
	return m.made(f) != nil && !m.shared(f) && f.Object() != nil && f.Object().Exported() && m.pkg.Pkg.Name() != "main"
}

// secondRef returns the code of f's second form as an operand.
func (m *module) secondRef(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	sym := secondSym(m.funcSym(f))
	if m.owns(f) {
		if !m.hasSecond[f] {
			m.hasSecond[f] = true
			m.seconds = append(m.seconds, f)
		}
	} else if !m.out.Defined(sym) {
		s := m.sigOf(f.Signature)
		m.out.Declare(m.ref(sym), entry(ordinary, s.ret, append(m.llparams(s), ir.Ptr)...))
	}
	return m.ref(sym)
}

// slot returns memory of the frame for the object that v makes, this function's or, in a second
// form, the caller's. It is not zeroed. ok is false if the object has to be on the heap.
func (b *fn) slot(v mid.Value, size, align int64) (p ir.Value, ok bool) {
	if b.made != nil {
		if off, ok := b.made.Offsets[v]; ok {
			if size == 0 {
				return b.m.zeroBase(), true // as if it were on the heap, where it is to the caller
			}
			return b.gep(madeParam, off), true
		}
	}
	if b.onStack(v) && b.hasRoom(size) {
		return b.frameSlot(size, align), true
	}
	return ir.Value{}, false
}

// inCaller tells whether v makes its object in the caller's frame.
func (b *fn) inCaller(v mid.Value) bool {
	if b.made == nil {
		return false
	}
	_, ok := b.made.Offsets[v]
	return ok
}

// callSecond calls the second form of the callee if what it makes can be in this frame or the
// caller's. ok is false if the ordinary form has to be called.
func (b *fn) callSecond(in *mid.Call, f *mid.Func) (ok bool) {
	e := b.m.in.Escape
	if e == nil || b.m.noHeap || b.m.in.Flags.NoInline {
		return false
	}
	size := e.MadeSize(in)
	if size == 0 {
		return false
	}
	owned := b.ownedSlots()
	p, ok := b.slot(in, size, 8)
	if !ok {
		return false
	}
	if b.ownedSlots() > owned {
		b.exact.slots[owned].made = true
	}
	args := append(b.args(&in.Call), p)
	release := b.keepPointers(&in.Call)
	b.calling = in
	b.setResults(in, b.emitCall(b.m.sigOf(f.Signature), b.m.secondRef(f), ir.Value{}, args))
	b.calling = nil
	release()
	return true
}
