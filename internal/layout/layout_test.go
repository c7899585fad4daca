package layout

import (
	"go/types"
	"math"
	"slices"
	"testing"
)

func TestPointerShaped(t *testing.T) {
	pointer, empty := types.Typ[types.UnsafePointer], types.NewStruct(nil, nil)
	of := func(list ...types.Type) types.Type {
		var fields []*types.Var
		for _, typ := range list {
			fields = append(fields, types.NewField(0, nil, "_", typ, false))
		}
		return types.NewStruct(fields, nil)
	}
	nih := types.NewNamed(types.NewTypeName(0, types.NewPackage("internal/runtime/sys", "sys"), "nih", nil), empty, nil)
	for _, c := range []struct {
		typ  types.Type
		want bool
	}{
		{types.NewPointer(nih), false}, {types.NewPointer(of(of(nih), pointer)), false}, {types.NewPointer(types.NewArray(of(nih), 2)), false},
		{of(types.NewPointer(of(nih))), false}, {types.NewPointer(types.NewPointer(nih)), true}, {types.NewPointer(of(pointer, nih)), true},
		{pointer, true}, {types.NewPointer(empty), true}, {types.Typ[types.Uintptr], false}, {types.NewSlice(pointer), false},
		{types.NewArray(pointer, 1), true}, {types.NewArray(pointer, 0), false}, {types.NewArray(pointer, 2), false},
		{empty, false}, {of(pointer), true}, {of(empty, of(empty), types.NewArray(pointer, 0), pointer), true}, {of(pointer, empty), false},
		{of(types.NewArray(empty, 3), of(empty, types.NewArray(pointer, 1))), true}, {of(types.Typ[types.Bool], pointer), false},
	} {
		if got := PointerShaped(c.typ); got != c.want {
			t.Errorf("%v: %t", c.typ, got)
		}
	}
}

// TestLikeGoTypes compares all nestings of some types, three levels deep, with the answers of
// go/types.
func TestLikeGoTypes(t *testing.T) {
	field := func(typ types.Type) *types.Var { return types.NewField(0, nil, "_", typ, false) }
	struct_ := func(list ...types.Type) types.Type {
		var fields []*types.Var
		for _, typ := range list {
			fields = append(fields, field(typ))
		}
		return types.NewStruct(fields, nil)
	}
	list := []types.Type{
		types.Typ[types.Bool], types.Typ[types.Int16], types.Typ[types.Int32], types.Typ[types.String], types.Typ[types.Complex64],
		types.Typ[types.Complex128], types.Typ[types.UnsafePointer], types.NewSlice(types.Typ[types.Int]), types.NewInterfaceType(nil, nil),
		types.NewSignatureType(nil, nil, nil, nil, nil, false), struct_(), types.NewArray(types.Typ[types.Int64], 0),
		types.NewArray(types.Typ[types.Int8], 1<<50+3), types.NewArray(types.Typ[types.Int64], math.MaxInt64),
		types.NewNamed(types.NewTypeName(0, nil, "T", nil), struct_(types.Typ[types.Int8], types.Typ[types.Int64]), nil),
	}
	s, want := new(Sizes), leaves
	for level := range 3 {
		for _, typ := range list {
			for _, got := range []types.Sizes{s, Incomplete{}} {
				if s, w := got.Sizeof(typ), want.Sizeof(typ); s != w && (s >= 0 || w >= 0) {
					t.Errorf("size of %v: %d, want %d", typ, s, w)
				}
				if a, w := got.Alignof(typ), want.Alignof(typ); a != w {
					t.Errorf("alignment of %v: %d, want %d", typ, a, w)
				}
			}
		}
		var next []types.Type
		for i, a := range list {
			next = append(next, types.NewArray(a, int64(i%4)), struct_(a))
			for j, b := range list {
				if level == 0 || (i+j)%7 == 0 {
					next = append(next, struct_(a, b), struct_(a, b, a))
				}
				fields := []*types.Var{field(a), field(b), field(a)}
				got, w := s.Offsetsof(fields), want.Offsetsof(fields)
				for k := range w {
					w[k], got[k] = max(w[k], -1), max(got[k], -1)
				}
				if !slices.Equal(got, w) {
					t.Errorf("offsets of %v, %v: %d, want %d", a, b, got, w)
				}
			}
		}
		if list = next; len(list) > 120 {
			list = list[:120]
		}
	}
}

// TestDeep asks for a type that go/types would take for ever for.
func TestDeep(t *testing.T) {
	var typ types.Type = types.Typ[types.Int8]
	for range 60 {
		typ = types.NewStruct([]*types.Var{types.NewField(0, nil, "a", types.NewArray(typ, 1), false),
			types.NewField(0, nil, "b", types.NewStruct(nil, nil), false)}, nil)
	}
	if n := new(Sizes).Sizeof(typ); n != 61 {
		t.Errorf("size %d, want 61", n)
	}
}
