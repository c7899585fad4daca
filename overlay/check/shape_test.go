package check

import (
	"go/types"
	"strings"
	"testing"
)

// A function is where a symbol is declared: a package-level function, by its import path and its
// own name.
type function struct{ pkg, name string }

// compareShapes holds how each function without a body is called against how the function with its
// symbol expects it. The types may have different names: what counts is how values of them are
// passed (docs/abi.md).
func (s *scan) compareShapes(t *testing.T, pkgs map[string]*types.Package) {
	compared := 0
	for _, w := range s.wants {
		body, ok := s.bodies[w.symbol]
		if !ok || w.local == "" {
			continue
		}
		want, have := signature(pkgs, function{w.pkg, w.local}), signature(pkgs, body)
		if want == nil || have == nil || want.TypeParams().Len() > 0 {
			continue
		}
		compared++
		if shapeOf(want) != shapeOf(have) {
			t.Errorf("%s is declared in %s as\n\t%v (%s)\nand defined in %s as\n\t%v (%s)", w.symbol, w.pkg, want, shapeOf(want),
				body.pkg, have, shapeOf(have))
		}
	}
	if compared < 200 {
		t.Errorf("only %d functions compared", compared)
	}
}

func signature(pkgs map[string]*types.Package, f function) *types.Signature {
	p := pkgs[f.pkg]
	if p == nil {
		return nil
	}
	if obj, ok := p.Scope().Lookup(f.name).(*types.Func); ok {
		return obj.Signature()
	}
	return nil
}

// shapeOf describes parameters and results: w is an integer or a pointer, f and d are floats, B is
// what goes by address.
func shapeOf(sig *types.Signature) string {
	tuple := func(list *types.Tuple) string {
		var parts []string
		for i := range list.Len() {
			l := leaves(list.At(i).Type())
			if len(l) > 4 || strings.Contains(l, "B") {
				l = "B"
			}
			parts = append(parts, l)
		}
		return strings.Join(parts, ",")
	}
	return "(" + tuple(sig.Params()) + ")(" + tuple(sig.Results()) + ")"
}

// leaves returns the scalars that a value consists of.
func leaves(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.String:
			return "ww"
		case u.Kind() == types.Float32:
			return "f"
		case u.Kind() == types.Float64:
			return "d"
		case u.Kind() == types.Complex64:
			return "ff"
		case u.Kind() == types.Complex128:
			return "dd"
		}
		return "w"
	case *types.Slice:
		return "www"
	case *types.Interface:
		return "ww"
	case *types.Struct:
		var b strings.Builder
		for i := range u.NumFields() {
			b.WriteString(leaves(u.Field(i).Type()))
		}
		return b.String()
	case *types.Array:
		switch u.Len() {
		case 0:
			return ""
		case 1:
			return leaves(u.Elem())
		}
		return "B"
	}
	return "w"
}
