// Package layout knows the sizes of types in memory: those of gc on amd64, as types.SizesFor has
// them.
//
// go/types computes the size of a struct from its fields' sizes several times over at each level,
// which takes exponential time where structs and arrays nest. Here each type is visited once, by a
// Sizes that remembers structs and arrays. While a package is being checked its types are not
// complete, so nothing may be remembered from one question to the next: that is Incomplete.
package layout

import (
	"go/types"
	"math"
)

// leaves answers for all types but structs and arrays.
var leaves = types.SizesFor("gc", "amd64")

// Sizes is a types.Sizes that remembers what it has computed, for types that are complete. Its zero
// value is ready. It is not for concurrent use.
type Sizes struct {
	known map[types.Type]extent // structs and arrays
}

// Incomplete is a types.Sizes for types that may still change between two calls.
type Incomplete struct{}

// extent is size and alignment in bytes; the size is negative if it does not fit into an int64.
type extent struct{ size, align int64 }

func (s *Sizes) Sizeof(t types.Type) int64  { return s.of(t).size }
func (s *Sizes) Alignof(t types.Type) int64 { return s.of(t).align }

// Offsetsof returns the offsets of fields in bytes, -1 from the first on that does not fit.
func (s *Sizes) Offsetsof(fields []*types.Var) []int64 {
	offsets, _ := s.place(fields)
	return offsets
}

func (Incomplete) Sizeof(t types.Type) int64             { return new(Sizes).Sizeof(t) }
func (Incomplete) Alignof(t types.Type) int64            { return new(Sizes).Alignof(t) }
func (Incomplete) Offsetsof(fields []*types.Var) []int64 { return new(Sizes).Offsetsof(fields) }

func (s *Sizes) of(t types.Type) extent {
	u := t.Underlying()
	switch u.(type) {
	case *types.Struct, *types.Array:
	default:
		return extent{leaves.Sizeof(u), leaves.Alignof(u)}
	}
	if e, ok := s.known[u]; ok {
		return e
	}
	var e extent
	switch u := u.(type) {
	case *types.Array:
		e = s.of(u.Elem())
		switch n := max(u.Len(), 0); {
		case n == 0:
			e.size = 0
		case e.size > math.MaxInt64/n:
			e.size = -1
		case e.size > 0:
			e.size *= n
		}
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		_, e = s.place(fields)
	}
	if s.known == nil {
		s.known = map[types.Type]extent{}
	}
	s.known[u] = e
	return e
}

// place lays fields out one after the other, and returns their offsets and the extent of a struct
// of them.
func (s *Sizes) place(fields []*types.Var) ([]int64, extent) {
	offsets := make([]int64, len(fields))
	all := extent{0, 1}
	for i, f := range fields {
		e := s.of(f.Type())
		all.align = max(all.align, e.align)
		offsets[i] = aligned(all.size, e.align)
		// The address of a last field without size must not be that of what follows the struct.
		if i == len(fields)-1 && e.size == 0 && offsets[i] > 0 {
			e.size = 1
		}
		if all.size = -1; offsets[i] >= 0 && e.size >= 0 && e.size <= math.MaxInt64-offsets[i] {
			all.size = offsets[i] + e.size
		}
	}
	all.size = aligned(all.size, all.align)
	return offsets, all
}

// aligned is n rounded up to a multiple of align, negative if n is or if the result does not fit.
func aligned(n, align int64) int64 {
	if n < 0 || n > math.MaxInt64-(align-1) {
		return -1
	}
	return (n + align - 1) / align * align
}

// PointerShaped reports whether a value of type t is one word that is a pointer: a pointer, map,
// channel or function, or a struct or array that has nothing else in it but what has no size. An
// interface holds such a value itself instead of the address of a copy, and package reflect counts
// on it, as it makes types of its own by this rule. A pointer to what is never in Go's heap is
// none to the collector: reflect refuses to make such values because their pointers are not. With
// methods it is one all the same: its methods take the pointer that an interface holds.
func PointerShaped(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		n, _ := types.Unalias(u.Elem()).(*types.Named)
		return n != nil && n.NumMethods() > 0 || !notInHeap(u.Elem())
	case *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() == 1 && PointerShaped(u.Elem())
	case *types.Struct:
		last := u.NumFields() - 1 // there is padding behind a last field without size
		if last < 0 || !PointerShaped(u.Field(last).Type()) {
			return false
		}
		for i := range last {
			if (Incomplete{}).Sizeof(u.Field(i).Type()) != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// notInHeap reports whether values of type t are never in Go's heap, such as C's structs whose
// fields are not known: a first field says so.
func notInHeap(t types.Type) bool {
	for {
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Name() == "nih" && n.Obj().Pkg() != nil &&
			n.Obj().Pkg().Path() == "internal/runtime/sys" {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if u.NumFields() == 0 {
				return false
			}
			t = u.Field(0).Type()
		case *types.Array:
			t = u.Elem()
		default:
			return false
		}
	}
}
