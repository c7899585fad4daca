package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// Restrictions of gc's that are not in go/types: programs beyond them are rejected in the same
// words. Loam has one of its own.

// foreign are the packages of std, all of them experiments, that Loam cannot compile, and why.
var foreign = map[string]string{
	"simd/archsimd":  "Loam has no GOEXPERIMENT=simd: the package's functions are known to the official compiler only",
	"runtime/secret": "Loam has no GOEXPERIMENT=runtimesecret: the package erases the official run-time system's stacks and objects",
}

// restrictions checks a package that has no type errors.
func (e *Errors) restrictions(fset *token.FileSet, files []*ast.File, info *types.Info, sizes types.Sizes) {
	cycles := interfaceCycles{}
	for _, f := range files {
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if why := foreign[path]; why != "" {
				e.Add(fset.Position(spec.Path.Pos()), "cannot import "+path+": "+why)
			}
		}
		e.hugeArrays(fset, f, info, sizes)
		var declared []declaredAt // with the places of their names
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				declared = append(declared, declaredAt{n.Pos(), n.End(), n.Names[0].Pos()})
			case *ast.AssignStmt:
				declared = append(declared, declaredAt{n.Pos(), n.End(), n.Pos()})
			case *ast.InterfaceType:
				if t, ok := info.TypeOf(n).(*types.Interface); ok && cycles.visit(t) {
					e.Add(fset.Position(n.Pos()), "invalid recursive type: anonymous interface refers to itself (see https://go.dev/issue/56103)")
					cycles.report()
				}
			case *ast.ChanType:
				const most = 1 << 16 // a channel's run-time type has the element's size in 16 bits
				if t, ok := info.TypeOf(n).(*types.Chan); ok && concrete(t.Elem()) && sizes.Sizeof(t.Elem()) >= most {
					e.Add(fset.Position(innermost(declared, n.Pos())), "channel element type too large (>64kB)")
				}
			}
			return true
		})
	}
}

// declaredAt is a declaration or an assignment, and where gc says what is wrong with a type in it.
type declaredAt struct{ from, to, place token.Pos }

// innermost is the place of the last of the spans that pos is in, pos itself if there is none.
func innermost(spans []declaredAt, pos token.Pos) token.Pos {
	for i := len(spans) - 1; i >= 0; i-- {
		if spans[i].from <= pos && pos < spans[i].to {
			return spans[i].place
		}
	}
	return pos
}

// hugeArrays reports the array types that need more memory than gc has addresses for, one a
// declaration, at the declared name.
func (e *Errors) hugeArrays(fset *token.FileSet, f *ast.File, info *types.Info, sizes types.Sizes) {
	const most = 1 << 50
	report := func(name *ast.Ident, part ast.Node) {
		found := false
		ast.Inspect(part, func(n ast.Node) bool {
			if a, ok := n.(*ast.ArrayType); ok && !found && a.Len != nil && info.TypeOf(a) != nil && concrete(info.TypeOf(a)) {
				if size := sizes.Sizeof(info.TypeOf(a)); size < 0 || size >= most {
					found = true
					e.Add(fset.Position(name.Pos()), fmt.Sprintf("type %v larger than address space", info.TypeOf(a)))
				}
			}
			return !found
		})
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			report(fd.Name, fd.Type)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if _, top := d.(*ast.GenDecl); top { // gc does not compute sizes of local types as such
					report(n.Name, n.Type)
				}
			case *ast.ValueSpec:
				if n.Type != nil {
					report(n.Names[0], n.Type)
				}
			}
			return true
		})
	}
}

// interfaceCycles finds interface literals that occur, by way of other literals only, in their own
// methods. A value is whether the type is on such a cycle; while a search goes on, whether it is
// being looked at.
type interfaceCycles map[*types.Interface]bool

// visit reports whether t refers to itself or to a literal that is being looked at. Named types end
// the search: what is below them is searched for its own sake.
func (c interfaceCycles) visit(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Interface:
		if known, ok := c[t]; ok {
			return known
		}
		c[t] = true
		for i := range t.NumMethods() {
			if c.visit(t.Method(i).Type()) {
				return true
			}
		}
		c[t] = false
	case *types.Pointer:
		return c.visit(t.Elem())
	case *types.Slice:
		return c.visit(t.Elem())
	case *types.Array:
		return c.visit(t.Elem())
	case *types.Chan:
		return c.visit(t.Elem())
	case *types.Map:
		return c.visit(t.Key()) || c.visit(t.Elem())
	case *types.Signature:
		return c.visit(t.Params()) || c.visit(t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if c.visit(t.At(i).Type()) {
				return true
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if c.visit(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// report marks the cycle just found as told, so that its other members are not.
func (c interfaceCycles) report() {
	for t := range c {
		c[t] = false
	}
}

// concrete reports whether t has a size: it contains no type parameter outside of pointers and the
// like.
func concrete(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if !concrete(t.TypeArgs().At(i)) {
				return false
			}
		}
		return t.TypeParams().Len() == 0 || t.TypeArgs().Len() > 0
	case *types.Array:
		return concrete(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if !concrete(t.Field(i).Type()) {
				return false
			}
		}
	}
	return true
}
