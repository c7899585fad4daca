package load

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
)

// A call has the function's name in it. So of the bodies in stubs, a package can come to look only
// at those whose names are in its text, or in bodies of which that is so, at any depth: of a
// hundred, these are some five. The others are not checked, and no SSA is made of them. What
// embedding promotes has no call in a text, so users of stubs ask about each function that they
// look at (Withheld).

// Limit makes the universe drop the bodies of these stubs that user does not want, which is about
// to be checked and looks at functions of the names unnamed besides. It may be called again for
// another package. It returns false if that wants what the universe has dropped already.
func (u *Universe) Limit(user *Package, unnamed map[string]bool, stubs []*Package) (ok bool, err error) {
	w := &u.wanted
	if w.all {
		return true, nil
	}
	if w.names == nil {
		*w = wanted{names: map[string]bool{}, files: map[string][]*ast.File{}, bodies: map[string][]*ast.FuncDecl{}, checked: map[string]bool{}}
	}
	var fresh []string
	want := func(name string) {
		if !w.names[name] {
			w.names[name] = true
			fresh = append(fresh, name)
		}
	}
	wantIn := func(body ast.Node) {
		ast.Inspect(body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				want(id.Name)
			}
			return true
		})
	}
	for _, p := range stubs {
		files, err := u.parseStub(p)
		if err != nil {
			return false, err
		}
		w.files[p.ImportPath] = files
		for _, f := range files {
			for _, d := range f.Decls {
				switch fd, ok := d.(*ast.FuncDecl); {
				case !ok || fd.Body == nil:
				case neededUncalled(fd) || w.names[fd.Name.Name]:
					wantIn(fd.Body)
				default:
					w.bodies[fd.Name.Name] = append(w.bodies[fd.Name.Name], fd)
				}
			}
		}
	}
	if err := u.identifiers(user, want); err != nil {
		return false, err
	}
	for name := range unnamed {
		want(name)
	}
	ok = true
	for len(fresh) > 0 {
		name := fresh[len(fresh)-1]
		fresh = fresh[:len(fresh)-1]
		ok = ok && !w.checked[name]
		for _, fd := range w.bodies[name] {
			if fd.Body != nil {
				wantIn(fd.Body)
			}
		}
		delete(w.bodies, name)
	}
	return ok, nil
}

// Limited reports whether the universe has dropped bodies that some package might want.
func (u *Universe) Limited() bool { return u.wanted.names != nil }

// identifiers calls visit with those in the text of p.
func (u *Universe) identifiers(p *Package, visit func(name string)) error {
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var s scanner.Scanner
		own := token.NewFileSet()
		s.Init(own.AddFile(name, -1, len(text)), text, nil, 0)
		for {
			_, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.IDENT {
				visit(lit)
			}
		}
	}
	return nil
}

// limited returns the files of a stub without the bodies that nobody wants, nil if the stub has
// not been limited.
func (u *Universe) limited(p *Package) []*ast.File {
	w := &u.wanted
	w.all = w.all || w.names == nil
	files := w.files[p.ImportPath]
	delete(w.files, p.ImportPath)
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && !w.names[fd.Name.Name] && !neededUncalled(fd) {
				fd.Body = nil
				w.checked[fd.Name.Name] = true
			}
		}
	}
	return files
}

// Withheld reports whether others may need f's body, and the universe has dropped it (Limit). f is
// of a package that was read as a stub.
func (u *Universe) Withheld(f *types.Func) bool {
	return u.wanted.names != nil && !u.wanted.names[f.Name()] && Lent(f) != ""
}
