package lower

import (
	"go/types"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// keepPointers keeps the objects alive whose addresses call c takes as uintptr
// (unsafe.Pointer, rule 4), until release is called, behind it.
func (b *checks) keepPointers(c *mid.CallCommon) (release func()) {
	var kept []ir.Value
	keep := func(v mid.Value) {
		if conv, ok := v.(*mid.Convert); ok && basicKind(conv.Type()) == types.Uintptr && basicKind(conv.X.Type()) == types.UnsafePointer {
			kept = append(kept, b.operand(conv.X))
		}
	}
	for _, a := range c.Args {
		keep(a)
		if s, ok := a.(*mid.Slice); ok && plan.UintptrArgs(s.X) {
			for _, r := range s.X.Referrers() {
				if ia, ok := r.(*mid.IndexAddr); ok {
					for _, st := range ia.Referrers() {
						if st, ok := st.(*mid.Store); ok {
							keep(st.Val)
						}
					}
				}
			}
		}
	}
	if b.exact != nil {
		return b.holdExactly(kept)
	}
	// The code that uses them last clears the register they are in: otherwise this frame would,
	// conservatively, hold them until it reuses it.
	return func() {
		for _, p := range kept {
			b.Asm(amd64.Forget, ir.Ptr, p)
		}
	}
}

// holdExactly keeps pointers in slots of an exact frame, in which nothing is left of them after
// release.
func (b *checks) holdExactly(pointers []ir.Value) (release func()) {
	var slots []ir.Value
	for _, p := range pointers {
		slot := b.Func.Alloca(8, 8)
		b.StoreAs(p, slot, ir.Access{Volatile: true})
		slots = append(slots, slot)
	}
	return func() {
		for _, s := range slots {
			b.zeroVolatile(s, 8)
		}
	}
}

// shadeAddress shades a captured uintptr: it may be a pointer that the statement keeps alive
// (closureObject).
func (b *checks) shadeAddress(t types.Type, v ir.Value) {
	if basicKind(t) == types.Uintptr && !b.m.noHeap && v.IsLocal() {
		b.shadePointer(b.Cast(ir.IntToPtr, v, ir.Ptr))
	}
}

// shadeUintptr does the same for a store into an array of variadic uintptr arguments on the heap.
func (b *checks) shadeUintptr(in *mid.Store) {
	if ia, ok := in.Addr.(*mid.IndexAddr); ok && plan.UintptrArgs(ia.X) && !b.inFrame(ia.X) {
		b.shadeAddress(in.Val.Type(), b.operand(in.Val))
	}
}
