package schedtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const schedDir = "../sched"

// TestParts wants each part of a P to be written in the files alone that the comment of its type
// names (rt/sched/p.go).
func TestParts(t *testing.T) {
	fset := token.NewFileSet()
	state, err := parser.ParseFile(fset, filepath.Join(schedDir, "p.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	writers := partWriters(t, state)
	files, err := filepath.Glob(filepath.Join(schedDir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	used := map[string][]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		for _, w := range writes(parsed) {
			part, ok := partOf(w, writers)
			if !ok {
				continue
			}
			used[part] = append(used[part], name)
			if !slices.Contains(writers[part], name) {
				t.Errorf("%v: P.%s is written by %s", fset.Position(w.Pos()), part, strings.Join(writers[part], ", "))
			}
		}
	}
	for part, files := range writers {
		for _, f := range files {
			if !slices.Contains(used[part], f) {
				t.Errorf("%s does not write P.%s", f, part)
			}
		}
	}
}

// partWriters returns, by the names of P's parts, which files the comments of their types name as
// their writers.
func partWriters(t *testing.T, file *ast.File) map[string][]string {
	byType := map[string][]string{}
	parts := map[string]string{}
	for _, d := range file.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		spec := gen.Specs[0].(*ast.TypeSpec)
		if named := regexp.MustCompile(`Written by ([^:]*)\.go\b`).FindString(strings.ReplaceAll(gen.Doc.Text(), "\n", " ")); named != "" {
			byType[spec.Name.Name] = regexp.MustCompile(`\w+\.go`).FindAllString(named, -1)
		}
		if s, ok := spec.Type.(*ast.StructType); ok && spec.Name.Name == "P" {
			for _, f := range s.Fields.List {
				if typ, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 1 {
					parts[f.Names[0].Name] = typ.Name
				}
			}
		}
	}
	writers := map[string][]string{}
	for part, typ := range parts {
		if files := byType[typ]; files != nil {
			writers[part] = files
		}
	}
	if len(writers) < 8 {
		t.Fatalf("few parts name their writers: %v", writers)
	}
	return writers
}

// writes returns what a file assigns to, and what it gives the addresses of to functions that do
// not only load.
func writes(file *ast.File) (list []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				list = append(list, n.Lhs...)
			}
		case *ast.IncDecStmt:
			list = append(list, n.X)
		case *ast.CallExpr:
			fun, ok := n.Fun.(*ast.SelectorExpr)
			if ok && strings.HasPrefix(fun.Sel.Name, "Load") {
				return true
			}
			for _, a := range n.Args {
				if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
					list = append(list, u.X)
				}
			}
		}
		return true
	})
	return list
}

// partOf returns the part of a P that is written: X.part.field, or an element of it.
func partOf(e ast.Expr, parts map[string][]string) (string, bool) {
	if i, ok := e.(*ast.IndexExpr); ok {
		e = i.X
	}
	field, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	of, ok := field.X.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	_, ok = parts[of.Sel.Name]
	return of.Sel.Name, ok
}
