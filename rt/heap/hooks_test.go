package heap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"
)

// TestHooksComplete: who gives the heap a struct of functions gives all of them. A missing one is a
// call of nil in the middle of a collection.
func TestHooksComplete(t *testing.T) {
	for file, structs := range map[string][]any{
		"../sched/scan.go":            {World{}, Stacks{}, Workers{}},
		"../../overlay/runtime/gc.go": {Calls{}},
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range structs {
			typ := reflect.TypeOf(s)
			set := fieldsSet(parsed, typ.Name())
			for i := range typ.NumField() {
				if name := typ.Field(i).Name; !set[name] {
					t.Errorf("%s gives no %s.%s", file, typ.Name(), name)
				}
			}
		}
	}
	for _, part := range []any{alone.world, alone.stacks, alone.workers, alone.calls} {
		v := reflect.ValueOf(part)
		for i := range v.NumField() {
			if v.Field(i).IsNil() {
				t.Errorf("alone has no %s.%s", v.Type().Name(), v.Type().Field(i).Name)
			}
		}
	}
}

// fieldsSet returns the fields that a literal of heap's type name sets in file.
func fieldsSet(file *ast.File, name string) map[string]bool {
	set := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if of, ok := lit.Type.(*ast.SelectorExpr); ok && of.Sel.Name == name {
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					set[kv.Key.(*ast.Ident).Name] = true
				}
			}
		}
		return true
	})
	return set
}
