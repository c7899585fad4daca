package plan

import (
	"go/types"
	"strings"

	"loam/internal/escape"
	"loam/internal/mid"
)

// # Exact frames
//
// The collector scans frames conservatively: a pointer that is not needed any more keeps its object
// alive until the register or spill slot it is in is used for something else. That is a matter of
// time for collections that come by themselves. But who calls runtime.GC wants to see what is dead:
// a finalizer run, a weak pointer empty, memory returned. So functions that call it, or that call a
// function of their package that does, have exact frames:
//
//   - A pointer that lives across a call lives in a slot of its own, its home, and nowhere else.
//     (The slot's address escapes, so LLVM can keep a copy in a register from one call to the next,
//     but not across.)
//   - Before such a call all homes and all other slots of the frame whose value no later
//     instruction can read are cleared, and the callee-saved registers, which then hold nothing of
//     this frame's. So is the stack below, where calls that have returned left their frames: those
//     of the call are made of clean memory.
//   - Where a deferred call collects, the same is done before each instruction that may panic.
//   - The frame is cleared when it is entered: it has words for alignment that nobody writes, and a
//     goroutine that leaves its P at the entry, which is after the caller has cleared the stack,
//     puts the caller's registers there.
//
// What remains inexact are the frames of callers in other packages.

// maxExact is the number of instructions up to which a function gets an exact frame.
const maxExact = 4000

// FrameOf plans f's frame if f calls a collector or waits; it returns nil if not: the frame is
// scanned conservatively.
func FrameOf(f *mid.Func, p *Package, how *Options) *Frame {
	if f.Size() > maxExact || p.about.Runtime {
		return nil
	}
	fr := &Frame{f: f, how: how}
	if !p.CallsCollector(f) && !p.HelpsCollector(f) {
		if !fr.waits(p) {
			return nil
		}
		return fr
	}
	fr.Collects, fr.Clean = true, true
	fr.eachDefined(func(v mid.Value, def mid.Instr) {
		if fr.wantsHome(v, def) {
			fr.Homes = append(fr.Homes, v)
		}
	})
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			if d, ok := in.(*mid.Defer); ok && p.CollectingCall(f, d) {
				fr.Defers = true
			}
		}
	}
	return fr
}

// text is the plan of the frame for people.
func (fr *Frame) text(f *mid.Func) string {
	words := []string{"exact where it waits"}
	if fr.Collects {
		words = []string{"exact"}
	}
	if fr.Defers {
		words = append(words, "a deferred call collects")
	}
	if fr.Clean {
		words = append(words, "cleared on entry")
	}
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			switch fr.Waits[in] {
			case BriefWait:
				words = append(words, "waits briefly at "+at(in))
			case LongWait:
				words = append(words, "waits at "+at(in))
			}
		}
	}
	homes := "homes"
	for _, v := range fr.Homes {
		homes += " " + v.Name()
	}
	if len(fr.Homes) > 0 {
		words = append(words, homes)
	}
	return strings.Join(words, ", ")
}

// eachDefined calls give with all values that may have homes, and what defines them, nil for those
// that exist at the function's entry.
func (fr *Frame) eachDefined(give func(v mid.Value, def mid.Instr)) {
	for _, p := range fr.f.Params {
		give(p, nil)
	}
	for _, v := range fr.f.FreeVars {
		// A captured value that lives in the frame is there at all times.
		if !fr.inFrame(v) && (escape.ByValue(v) || !fr.how.Big(v.Type())) {
			give(v, nil)
		}
	}
	for _, blk := range fr.f.Body() {
		for _, in := range blk.Instrs {
			if v, ok := in.(mid.Value); ok {
				give(v, in)
			}
		}
	}
}

// inFrame reports whether v is the address of a captured variable of which the frame has a copy.
func (fr *Frame) inFrame(v *mid.FreeVar) bool {
	return escape.ByValue(v) && fr.how.Copied(under(v.Type()).(*types.Pointer).Elem())
}

// wantsHome reports whether v, which def defines, holds pointers and lives across a call.
func (fr *Frame) wantsHome(v mid.Value, def mid.Instr) bool {
	return fr.mayHaveHome(v) && outlivesCall(v, def)
}

// mayHaveHome reports whether v holds pointers, and is small enough.
func (fr *Frame) mayHaveHome(v mid.Value) bool {
	if v.Type() == nil || !mid.IsLocal(v) {
		return false
	}
	switch v.Type().(type) {
	case *types.Tuple:
		return false
	}
	if isOpaque(v.Type()) {
		return false
	}
	return !fr.how.Big(v.Type()) && fr.how.Pointers(v.Type())
}

// isOpaque reports whether t is the type of iterators, which has no memory layout.
func isOpaque(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface, *types.Struct,
		*types.Array, *types.Named, *types.TypeParam:
		return false
	}
	return true
}

// outlivesCall reports whether v may be used after a call that comes after its definition.
func outlivesCall(v mid.Value, def mid.Instr) bool {
	uses := v.Referrers()
	if def == nil {
		return len(uses) > 0
	}
	left := 0
	for _, u := range uses {
		if _, phi := u.(*mid.Phi); phi || u.Block() != def.Block() {
			return true
		}
		left++
	}
	seen := false
	for _, in := range def.Block().Instrs {
		if in == def {
			seen = true
			continue
		}
		if !seen {
			continue
		}
		for _, u := range uses {
			if u == in {
				left--
			}
		}
		if left == 0 {
			return false
		}
		if mayCall(in) {
			return true
		}
	}
	return false
}

// mayCall reports whether in's code contains a call.
func mayCall(in mid.Instr) bool {
	switch in.(type) {
	case *mid.FieldAddr, *mid.Field, *mid.IndexAddr, *mid.Index, *mid.Extract, *mid.Phi, *mid.Store, *mid.Jump, *mid.If, *mid.ChangeType:
		return false
	}
	return true
}
