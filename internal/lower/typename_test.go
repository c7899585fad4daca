package lower

import (
	"go/token"
	"go/types"
	"testing"
)

// TestDescribed: identical types have one spelling in debug information.
func TestDescribed(t *testing.T) {
	p := types.NewPackage("example.com/a.b", "a")
	alias := types.NewAlias(types.NewTypeName(token.NoPos, p, "A", nil), types.NewSlice(types.Typ[types.Int]))
	named := types.NewNamed(types.NewTypeName(token.NoPos, p, "N", nil), types.Typ[types.Int], nil)
	p.Scope().Insert(named.Obj())
	empty := types.NewInterfaceType(nil, nil)
	m := &symbols{}
	for _, c := range []struct {
		t    types.Type
		want string
	}{
		{types.Universe.Lookup("any").Type(), "interface {}"},
		{types.Unalias(types.Universe.Lookup("any").Type()), "interface {}"},
		{types.NewMap(types.Universe.Lookup("rune").Type(), empty), "map[int32]interface {}"},
		{types.NewPointer(alias), "*[]int"},
		{types.NewSlice(named), "[]example.com/a%2eb.N"},
	} {
		if got := m.described(c.t); got != c.want {
			t.Errorf("%v is described as %q, want %q", c.t, got, c.want)
		}
	}
}
