package load

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"slices"
)

// A call has the function's name in it. So of the bodies in stubs, a package can come to look only
// at those whose names are in its text, or in bodies of which that is so, at any depth: of a
// hundred, these are some five. The others are not checked, and no SSA is made of them. What
// embedding promotes has no call in a text, so users of stubs ask about each function that they
// look at (Withheld).
//
// Behind a dot, in any package, stands a method or what another package exports. Elsewhere a name
// is the package's own.
//
// Declarations are left out in the same way, if only one package looks at stubs: those that neither
// its text nor any declaration or body that is left has the name of. A type is left with the
// declarations of all its methods, because they are the type's, named or not. Types that export
// data of other packages refers to come from that data then.

// Wants are what a package wants of stubs besides what its text names.
type Wants struct {
	Unnamed map[string]bool // functions whose bodies it looks at (FullName)
	Types   []string        // types that it asks for by name, behind their packages' paths
	Only    bool            // no other package will look at the stubs
}

// Limit makes the universe drop what user, which is about to be checked, does not want of these
// stubs. It may be called again for another package. It returns false if that wants what the
// universe has dropped already.
func (u *Universe) Limit(user *Package, wants Wants, stubs []*Package) (ok bool, err error) {
	w := &u.wanted
	if w.all {
		return true, nil
	}
	if !w.limits {
		*w = wanted{limits: true, only: wants.Only, number: map[string]int{}, stubs: map[string]*limitedStub{}}
	}
	for _, p := range stubs {
		s, err := u.stub(p)
		if err != nil {
			return false, err
		}
		w.add(p, s)
	}
	if err := u.identifiers(user, func(name string) { w.call(w.of("." + name)) }); err != nil {
		return false, err
	}
	for name := range wants.Unnamed {
		w.call(w.of(function + name))
	}
	for _, name := range wants.Types {
		w.declare(w.of(name))
	}
	return w.follow(), nil
}

// FullName names a function, by its package's path, whose body others may need.
func FullName(f *types.Func) string { return f.Pkg().Path() + "." + Lent(f) }

// function is in front of a FullName among the names that are wanted.
const function = "func "

// wanted is what a universe knows of what is wanted of stubs. Names have numbers: those that may
// stand behind a dot, with the dot; those of a package's declarations, behind its path and a dot;
// and functions by their full names.
type wanted struct {
	all    bool // a stub has been read with all its bodies: so are the others
	limits bool // something is dropped
	only   bool // declarations, too

	number map[string]int
	names  []wantedName            // by number
	fresh  []int                   // names that are wanted, and were not followed
	stubs  map[string]*limitedStub // that are not checked yet, by Package.ImportPath
}

// A wantedName is a name, and what is known of it.
type wantedName struct {
	called   bool         // bodies of functions that have it are wanted
	declared bool         // so are declarations
	dropped  bool         // a stub has lost such a declaration, or body
	parts    []wantedPart // that declare it
	bodies   []wantedPart // functions
}

// A wantedPart is a part of a stub.
type wantedPart struct {
	stub *limitedStub
	part int
}

// A limitedStub is a stub, and which of its parts and of their bodies are wanted.
type limitedStub struct {
	*parted
	number       []int   // of its names, in the universe's list
	declares     [][]int // by part: under which names it is wanted
	has          [][]int // and its body
	kept, bodies []bool
}

// of returns the number of a name.
func (w *wanted) of(name string) int {
	n, ok := w.number[name]
	if !ok {
		n = len(w.names)
		w.number[name] = n
		w.names = append(w.names, wantedName{})
	}
	return n
}

// add enters a stub.
func (w *wanted) add(p *Package, parts *parted) {
	n := len(parts.parts)
	s := &limitedStub{
		parted: parts, declares: make([][]int, n), has: make([][]int, n), kept: make([]bool, n), bodies: make([]bool, n),
	}
	w.stubs[p.ImportPath] = s
	path := TypePath(p) + "."
	for _, name := range parts.names {
		if name[0] != '.' {
			name = path + name
		}
		s.number = append(s.number, w.of(name))
	}
	for i := range s.parts {
		p := &s.parts[i]
		for _, k := range p.names {
			s.declares[i] = w.spellings(s.declares[i], s, k)
		}
		for _, k := range s.declares[i] {
			w.names[k].parts = append(w.names[k].parts, wantedPart{s, i})
		}
		if p.body == 0 || p.whole {
			continue
		}
		s.has[i] = append(w.spellings(nil, s, p.function), w.of(function+path+s.lent(p)))
		for _, k := range s.has[i] {
			w.names[k].bodies = append(w.names[k].bodies, wantedPart{s, i})
		}
	}
	for i := range s.parts {
		if !w.only || s.parts[i].always || slices.ContainsFunc(s.declares[i], func(k int) bool { return w.names[k].declared }) {
			w.keep(s, i)
		}
	}
}

// spellings appends to list the numbers of what a name of a stub is wanted under: itself, and what
// stands for it in other packages.
func (w *wanted) spellings(list []int, s *limitedStub, name int) []int {
	list = append(list, s.number[name])
	if text := s.names[name]; token.IsExported(text) {
		list = append(list, w.of("."+text))
	}
	return list
}

// lent is the name of a function with a body as Lent has it.
func (s *parted) lent(p *part) string {
	name := s.names[p.function]
	if name[0] == '.' {
		return s.names[p.names[0]] + name
	}
	return name
}

// call has bodies and declarations of a name kept.
func (w *wanted) call(n int) {
	if name := &w.names[n]; !name.called {
		name.called, name.declared = true, true
		w.fresh = append(w.fresh, n)
	}
}

// declare has declarations of a name kept.
func (w *wanted) declare(n int) {
	if name := &w.names[n]; !name.declared {
		name.declared = true
		w.fresh = append(w.fresh, n)
	}
}

// follow keeps what the wanted names lead to. It returns false if some of that is dropped.
func (w *wanted) follow() (ok bool) {
	ok = true
	for len(w.fresh) > 0 {
		name := &w.names[w.fresh[len(w.fresh)-1]]
		w.fresh = w.fresh[:len(w.fresh)-1]
		ok = ok && !name.dropped
		for _, p := range name.parts {
			w.keep(p.stub, p.part)
		}
		for _, p := range name.bodies {
			w.keepBody(p.stub, p.part)
		}
	}
	return ok
}

// keep keeps a part, and its body if that is wanted.
func (w *wanted) keep(s *limitedStub, i int) {
	if s.kept[i] {
		return
	}
	s.kept[i] = true
	if w.only {
		for _, n := range s.parts[i].uses {
			w.declare(s.number[n])
		}
	}
	w.keepBody(s, i)
}

// keepBody keeps the body of a part that is kept, if it is wanted.
func (w *wanted) keepBody(s *limitedStub, i int) {
	called := func(k int) bool { return w.names[k].called }
	if s.bodies[i] || !s.kept[i] || !s.parts[i].whole && !slices.ContainsFunc(s.has[i], called) {
		return
	}
	s.bodies[i] = true
	for _, n := range s.parts[i].calls {
		w.call(s.number[n])
	}
}

// drop takes what nobody wants out of the texts, which are as long as before.
func (w *wanted) drop(s *limitedStub) {
	lose := func(list []int) {
		for _, k := range list {
			w.names[k].dropped = true
		}
	}
	for i := range s.parts {
		p := &s.parts[i]
		text := s.texts[p.file]
		switch {
		case !s.kept[i]:
			blankOut(text[p.from:p.to])
			lose(s.declares[i])
		case p.body != 0 && !s.bodies[i]:
			blankOut(text[p.body:p.to])
			lose(s.has[i])
		}
	}
}

// Limited reports whether the universe has dropped bodies that some package might want.
func (u *Universe) Limited() bool { return u.wanted.limits }

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

// limited returns the files of a stub without what nobody wants, nil if the stub has not been
// limited.
func (u *Universe) limited(p *Package) ([]*ast.File, error) {
	w := &u.wanted
	w.all = w.all || !w.limits
	s := w.stubs[p.ImportPath]
	if s == nil {
		return nil, nil
	}
	defer u.Lane.Begin(p.ImportPath, "parse").End()
	delete(w.stubs, p.ImportPath)
	w.drop(s)
	files, err := u.parseTexts(p, s.texts)
	for i, f := range files {
		if bytes.IndexByte(s.texts[i], '\r') >= 0 {
			u.stripBodies(p, f) // its only part is all of it
		}
	}
	return files, err
}

// Withheld reports whether others may need f's body, and the universe has dropped it (Limit). f is
// of a package that was read as a stub.
func (u *Universe) Withheld(f *types.Func) bool {
	w, name := &u.wanted, Lent(f)
	if !w.limits || name == "" {
		return false
	}
	called := func(name string) bool {
		n, ok := w.number[name]
		return ok && w.names[n].called
	}
	isMethod := f.Signature().Recv() != nil
	return !called(function+FullName(f)) && !((isMethod || f.Exported()) && called("."+f.Name())) &&
		(isMethod || !called(f.Pkg().Path()+"."+f.Name()))
}
