package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// reduce returns a smaller program that still differs in the function of d. It tries edits one
// after the other, keeps those after which the program type-checks and the difference is
// still there, and starts over until no edit helps: first whole declarations, then statements
// in shrinking runs, statements in place of their bodies, and operands in place of expressions.
func reduce(b *bench, text string, d difference) (string, error) {
	r := &reducer{bench: b, d: d, importer: importer.ForCompiler(token.NewFileSet(), "source", nil)}
	text, err := r.only(text)
	if err != nil {
		return "", err
	}
	if !r.differs(text) {
		return "", errors.New("the function alone does not differ")
	}
	for {
		before := len(text)
		for _, pass := range []func(string, int) (string, bool){dropDecl, dropStmts, unwrap, simplify} {
			text = r.pass(text, pass)
		}
		if len(text) >= before {
			return text, nil
		}
	}
}

type reducer struct {
	bench    *bench
	d        difference
	importer types.Importer
}

// pass applies edit number 0, 1, ... of a kind while there are any.
func (r *reducer) pass(text string, edit func(string, int) (string, bool)) string {
	for i := 0; ; {
		next, more := edit(text, i)
		if !more {
			return text
		}
		if next != "" && next != text {
			if fixed, ok := r.compiles(next); ok && r.differs(fixed) {
				text = fixed
				continue // the same number now names something else
			}
		}
		i++
	}
}

// differs asks both compilers. What prints an address, which "%!" shows, differs in any case.
func (r *reducer) differs(text string) bool {
	diffs, err := r.bench.try(text, r.d.mode, r.d.function)
	return err == nil && len(diffs) > 0 && diffs[0].function == r.d.function && !strings.Contains(diffs[0].gc, "%!")
}

// compiles type-checks the program and removes imports that are no longer used.
func (r *reducer) compiles(text string) (string, bool) {
	for range 20 {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "prog.go", text, parser.SkipObjectResolution)
		if err != nil {
			return "", false
		}
		var unused []string
		bad := false
		conf := types.Config{Importer: r.importer, Error: func(err error) {
			msg := err.(types.Error).Msg
			if path, ok := strings.CutSuffix(msg, " imported and not used"); ok {
				unused = append(unused, path)
				return
			}
			bad = true
		}}
		conf.Check("main", fset, []*ast.File{f}, nil)
		if bad {
			return "", false
		}
		if len(unused) == 0 {
			return text, true
		}
		for _, path := range unused {
			text = strings.Replace(text, "\t"+path+"\n", "", 1)
		}
	}
	return "", false
}

// only keeps what the function of d needs: its call in main and all that this refers to.
func (r *reducer) only(text string) (string, error) {
	fset, f := parse(text)
	if f == nil {
		return "", errors.New("cannot parse")
	}
	for _, decl := range f.Decls {
		fd, ok := decl.(*ast.FuncDecl)
		if !ok || fd.Name.Name != "main" || r.d.function == "exit" {
			continue
		}
		fd.Body.List = slices.DeleteFunc(fd.Body.List, func(s ast.Stmt) bool {
			call, ok := s.(*ast.ExprStmt)
			if !ok {
				return false
			}
			c, ok := call.X.(*ast.CallExpr)
			if !ok || len(c.Args) == 0 {
				return true // reset before another function
			}
			lit, ok := c.Args[0].(*ast.BasicLit)
			return ok && lit.Value != `"`+r.d.function+`"`
		})
	}
	f.Decls = reachable(f)
	fixed, ok := r.compiles(render(fset, f))
	if !ok {
		return "", errors.New("the part of the program does not compile")
	}
	return fixed, nil
}

// reachable are the declarations that main needs, by name; methods go with their type.
func reachable(f *ast.File) []ast.Decl {
	byName := map[string][]ast.Node{}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d)
			}
			byName[name] = append(byName[name], d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						byName[n.Name] = append(byName[n.Name], s)
					}
				case *ast.TypeSpec:
					byName[s.Name.Name] = append(byName[s.Name.Name], s)
				}
			}
		}
	}
	keep := map[ast.Node]bool{}
	var visit func(name string)
	visit = func(name string) {
		for _, n := range byName[name] {
			if keep[n] {
				continue
			}
			keep[n] = true
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					visit(id.Name)
				}
				return true
			})
		}
	}
	visit("main")
	var decls []ast.Decl
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !keep[d] {
				continue
			}
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return !keep[s] })
				if len(d.Specs) == 0 {
					continue
				}
			}
		}
		decls = append(decls, decl)
	}
	return decls
}

func receiver(d *ast.FuncDecl) string {
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

func parse(text string) (*token.FileSet, *ast.File) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "prog.go", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, nil
	}
	for _, decl := range f.Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && fd.Doc != nil && !strings.HasPrefix(fd.Doc.List[0].Text, "//go:") {
			fd.Doc = nil
		}
	}
	return fset, f
}

// render prints f with the comments that belong to what is still there.
func render(fset *token.FileSet, f *ast.File) string {
	var docs []*ast.CommentGroup
	for _, decl := range f.Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && fd.Doc != nil {
			docs = append(docs, fd.Doc)
		}
	}
	f.Comments = slices.DeleteFunc(f.Comments, func(c *ast.CommentGroup) bool { return c.Pos() > f.Package && !slices.Contains(docs, c) })
	var b bytes.Buffer
	if format.Node(&b, fset, f) != nil {
		return ""
	}
	return b.String()
}

// dropDecl drops declaration number i, or one of its specs.
func dropDecl(text string, i int) (string, bool) {
	fset, f := parse(text)
	for j, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if ok && g.Tok == token.IMPORT {
			continue
		}
		if i == 0 {
			f.Decls = slices.Delete(f.Decls, j, j+1)
			f.Decls = reachable(f)
			return render(fset, f), true
		}
		i--
	}
	return "", false
}

// lists are the statement lists of the program.
func lists(f *ast.File) []*[]ast.Stmt {
	var ls []*[]ast.Stmt
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			ls = append(ls, &n.List)
		case *ast.CaseClause:
			ls = append(ls, &n.Body)
		case *ast.CommClause:
			ls = append(ls, &n.Body)
		}
		return true
	})
	return ls
}

// dropStmts drops a run of statements: runs of half a list, a quarter, down to one.
func dropStmts(text string, i int) (string, bool) {
	fset, f := parse(text)
	for _, l := range lists(f) {
		for size := len(*l); size > 0; size /= 2 {
			n := (len(*l) + size - 1) / size
			if i < n {
				from, to := i*size, min(i*size+size, len(*l))
				// A variable goes with the statement that uses it for nothing.
				if to < len(*l) && isBlank((*l)[to]) {
					to++
				}
				*l = slices.Delete(slices.Clone(*l), from, to)
				return render(fset, f), true
			}
			i -= n
		}
	}
	return "", false
}

func isBlank(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	return ok && id.Name == "_"
}

// unwrap puts the statements of a block in place of the statement that has it.
func unwrap(text string, i int) (string, bool) {
	fset, f := parse(text)
	for _, l := range lists(f) {
		for j, s := range *l {
			var body []ast.Stmt
			switch s := s.(type) {
			case *ast.BlockStmt:
				body = s.List
			case *ast.IfStmt:
				body = s.Body.List
			case *ast.ForStmt:
				body = s.Body.List
			case *ast.RangeStmt:
				body = s.Body.List
			case *ast.LabeledStmt:
				body = []ast.Stmt{s.Stmt}
			default:
				continue
			}
			if i == 0 {
				*l = slices.Concat((*l)[:j], body, (*l)[j+1:])
				return render(fset, f), true
			}
			i--
		}
	}
	return "", false
}

// simplify puts an operand in place of an expression, as text.
func simplify(text string, i int) (string, bool) {
	fset, f := parse(text)
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	result, done := "", false
	replace := func(whole, part ast.Node) {
		if i == 0 && !done {
			result = text[:offset(whole.Pos())] + text[offset(part.Pos()):offset(part.End())] + text[offset(whole.End()):]
			done = true
		}
		i--
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if done {
			return false
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			replace(n, n.X)
			replace(n, n.Y)
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				replace(n, n.X)
			}
		case *ast.ParenExpr:
			replace(n, n.X)
		case *ast.CallExpr:
			for _, a := range n.Args {
				replace(n, a)
			}
		case *ast.CompositeLit:
			if len(n.Elts) > 0 {
				if i == 0 {
					result = text[:offset(n.Lbrace)+1] + text[offset(n.Rbrace):]
					done = true
				}
				i--
			}
		}
		return true
	})
	return result, done
}
