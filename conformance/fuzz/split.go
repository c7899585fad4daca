package main

import (
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// packages is a program divided into three: base has types, variables, generic functions and all
// that the functions that run have in common; lib has those of these with small numbers, and main
// the others. So packages inline from each other, know each other's summaries, and have instances
// of the same generic functions.
type packages struct{ base, lib, main string }

// split divides a program; lib gets its functions below number n. What one package uses of another
// is given an exported name.
func split(text string, n int) (*packages, error) {
	fset, f := parse(text)
	if f == nil {
		return nil, errRefused
	}
	s := &splitter{n: n, info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("main", fset, []*ast.File{f}, s.info); err != nil {
		return nil, err
	}
	s.export(f)
	var p packages
	for i, to := range []struct {
		text    *string
		name    string
		imports string
	}{
		{&p.base, "base", ""},
		{&p.lib, "lib", ". \"fuzz/base\"\n"},
		{&p.main, "main", ". \"fuzz/base\"\n. \"fuzz/lib\"\n"},
	} {
		part := &ast.File{Name: ast.NewIdent(to.name)}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); !(ok && g.Tok == token.IMPORT) && s.home(d) == i {
				part.Decls = append(part.Decls, d)
			}
		}
		body := strings.TrimPrefix(render(fset, part), "package "+to.name+"\n")
		*to.text = "package " + to.name + "\n\nimport (\n" + to.imports + s.imports(f, part) + ")\n" + body
	}
	return &p, nil
}

// splitter divides a file whose identifiers info knows.
type splitter struct {
	n    int
	info *types.Info
}

const (
	inBase = iota
	inLib
	inMain
)

// home is the package of a declaration.
func (s *splitter) home(d ast.Decl) int {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv != nil {
		return inBase
	}
	if f.Name.Name == "main" {
		return inMain
	}
	number, found := strings.CutPrefix(strings.TrimPrefix(f.Name.Name, exported), "f")
	if n, err := strconv.Atoi(number); found && err == nil {
		if n < s.n {
			return inLib
		}
		return inMain
	}
	return inBase
}

// exported goes before names to export them.
const exported = "X"

// export renames what is used from other packages, and all fields, lest the same unnamed struct be
// two types.
func (s *splitter) export(f *ast.File) {
	homes := map[types.Object]int{}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && s.info.Defs[id] != nil {
				homes[s.info.Defs[id]] = s.home(d)
			}
			return true
		})
	}
	rename := map[types.Object]bool{}
	for o := range homes {
		if v, ok := o.(*types.Var); ok && v.IsField() && !v.Embedded() {
			rename[o] = true
		}
	}
	for _, d := range f.Decls {
		home := s.home(d)
		ast.Inspect(d, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if o := origin(s.info.Uses[id]); o != nil {
				if h, ours := homes[o]; ours && h != home {
					rename[o] = true
				}
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := s.info.Defs[id]
		if o == nil {
			o = origin(s.info.Uses[id])
		}
		if o != nil && rename[o] && !id.IsExported() && id.Name != "_" {
			id.Name = exported + id.Name
		}
		return true
	})
}

// origin is the declared field or method behind that of an instance.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return o
}

// imports are the lines for those of f's imports that part uses.
func (s *splitter) imports(f, part *ast.File) string {
	var used []string
	for _, d := range part.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if p, ok := s.info.Uses[id].(*types.PkgName); ok {
					used = append(used, strconv.Quote(p.Imported().Path())+"\n")
				}
			}
			return true
		})
	}
	slices.Sort(used)
	return strings.Join(slices.Compact(used), "")
}
