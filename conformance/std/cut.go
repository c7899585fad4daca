package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// A cutter takes out of the external tests of a package what cannot be compiled without names
// that only the package's own test files declare. Whole declarations go, and with them those
// that refer to them; the others keep their lines and columns, since tests look at positions.
type cutter struct {
	fset    *token.FileSet
	pkg     string            // name of the package under test, and its import path
	hidden  map[string]string // names that its test files declare: the file
	given   map[string]bool   // those that the suite declares itself, in the package of the tests
	files   []*testFile
	decls   map[string][]*testDecl // by what they declare
	reasons map[string]string      // by names of tests that were cut: the hidden name to blame
}

// testFile is a file of external tests.
type testFile struct {
	name  string // without directory
	text  []byte
	tree  *ast.File
	dot   bool // it imports the package under test as .
	decls []*testDecl
}

// testDecl is a top-level function, or one specification of types, variables or constants.
type testDecl struct {
	file     *testFile
	from, to token.Pos
	names    []string // what it declares; for a method, its receiver's type
	method   bool     // a method goes with its type
	function bool
	uses     map[string]bool // names of the package that it refers to
	lacks    string          // why it is cut: a hidden name
}

// newCutter reads the test files of the package in dir, which are for this platform. The suite's
// own declarations are in the file given.
func newCutter(dir, pkg, given string) (*cutter, error) {
	c := &cutter{fset: token.NewFileSet(), pkg: pkg, hidden: map[string]string{}, given: map[string]bool{},
		decls: map[string][]*testDecl{}, reasons: map[string]string{}}
	own, err := parser.ParseFile(c.fset, given, nil, 0)
	if err != nil {
		return nil, err
	}
	for name := range own.Scope.Objects {
		c.given[name] = true
	}
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if ok, err := context.MatchFile(dir, filepath.Base(name)); err != nil || !ok {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := c.read(name); err != nil {
			return nil, err
		}
	}
	for _, f := range c.files {
		c.split(f)
	}
	return c, nil
}

// read takes in one file: names of the package's own test files, declarations of the others.
func (c *cutter) read(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(c.fset, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(tree.Name.Name, "_test") {
		for name := range tree.Scope.Objects {
			if ast.IsExported(name) && !c.given[name] {
				c.hidden[name] = filepath.Base(c.fset.File(tree.Pos()).Name())
			}
		}
		return nil
	}
	f := &testFile{name: filepath.Base(name), text: text, tree: tree}
	for _, spec := range tree.Imports {
		if spec.Path.Value == `"`+c.pkg+`"` && spec.Name != nil && spec.Name.Name == "." {
			f.dot = true
		}
	}
	c.files = append(c.files, f)
	return nil
}

// split lists the declarations of a file with what they refer to.
func (c *cutter) split(f *testFile) {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range f.tree.Unresolved {
		unresolved[id] = true
	}
	add := func(node ast.Node, doc *ast.CommentGroup, names ...string) *testDecl {
		d := &testDecl{file: f, from: node.Pos(), to: node.End(), names: names, uses: map[string]bool{}}
		if doc != nil {
			d.from = doc.Pos() // its directives are for what it stands above
		}
		c.references(d, node, unresolved)
		f.decls = append(f.decls, d)
		for _, name := range names {
			c.decls[name] = append(c.decls[name], d)
		}
		return d
	}
	for _, decl := range f.tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl, decl.Doc, decl.Name.Name).function = true
				continue
			}
			add(decl, decl.Doc, receiver(decl)).method = true
		case *ast.GenDecl:
			switch {
			case decl.Tok == token.IMPORT:
			case decl.Tok == token.CONST || !decl.Lparen.IsValid():
				// Constants of a group may depend on their places in it.
				var names []string
				for _, spec := range decl.Specs {
					names = append(names, declared(spec)...)
				}
				add(decl, decl.Doc, names...)
			default:
				for _, spec := range decl.Specs {
					add(spec, nil, declared(spec)...)
				}
			}
		}
	}
}

// references notes the names of the package, and the hidden names, that a declaration uses.
func (c *cutter) references(d *testDecl, node ast.Node, unresolved map[*ast.Ident]bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if ok && id.Name == c.pkg && unresolved[id] && c.hidden[n.Sel.Name] != "" {
				d.lacks = n.Sel.Name
			}
		case *ast.Ident:
			// The parser resolves within a file; what is unresolved is another file's or imported.
			if unresolved[n] && d.file.dot && c.hidden[n.Name] != "" {
				d.lacks = n.Name
			}
			if unresolved[n] || n.Obj != nil && d.file.tree.Scope.Lookup(n.Name) == n.Obj {
				d.uses[n.Name] = true
			}
		}
		return true
	})
}

func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func declared(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, id := range spec.Names {
			names = append(names, id.Name)
		}
		return names
	}
	return nil
}

// dropTests cuts the tests that are left in a file.
func (f *testFile) dropTests() {
	for _, d := range f.decls {
		if d.lacks == "" && d.isTest() {
			d.lacks = "not chosen"
		}
	}
}

// exclude cuts a test for a reason of the list.
func (c *cutter) exclude(file, test, reason string) bool {
	for _, d := range c.decls[test] {
		if d.file.name == file && d.isTest() {
			d.lacks = reason
			return true
		}
	}
	return false
}

// spread cuts benchmarks, and what refers to declarations that are cut, until nothing does.
func (c *cutter) spread() {
	for _, f := range c.files {
		for _, d := range f.decls {
			if d.function && strings.HasPrefix(d.names[0], "Benchmark") {
				d.lacks = "a benchmark"
			}
		}
	}
	for again := true; again; {
		again = false
		for _, f := range c.files {
			for _, d := range f.decls {
				if d.lacks == "" {
					d.lacks = c.blame(d)
					again = again || d.lacks != ""
				}
			}
		}
	}
	for _, f := range c.files {
		for _, d := range f.decls {
			if d.lacks != "" && d.isTest() {
				c.reasons[d.names[0]] = d.lacks
			}
		}
	}
}

// blame is the hidden name because of which a declaration has to go, or "".
func (c *cutter) blame(d *testDecl) string {
	for _, name := range slices.Sorted(maps.Keys(d.uses)) {
		for _, used := range c.decls[name] {
			if used.lacks != "" {
				return used.lacks
			}
		}
	}
	if d.method {
		for _, t := range c.decls[d.names[0]] {
			if t.lacks != "" {
				return t.lacks
			}
		}
	}
	return ""
}

// isTest tells that the declaration is a test, an example or a fuzz target.
func (d *testDecl) isTest() bool {
	if !d.function || d.names[0] == "TestMain" {
		return false
	}
	name := d.names[0]
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz")
}

// offset of a position in the file's text.
func (f *testFile) offset(pos token.Pos) int { return int(pos - f.tree.FileStart) }

// tests lists the tests of a file that are left.
func (f *testFile) tests() []string {
	var names []string
	for _, d := range f.decls {
		if d.lacks == "" && d.isTest() {
			names = append(names, d.names[0])
		}
	}
	sort.Strings(names)
	return names
}

// left is the file's text with blanks in place of what is cut. Names that the suite declares lose
// their qualifier, and imports that nobody uses any more are made blank.
func (c *cutter) left(f *testFile) []byte {
	text := slices.Clone(f.text)
	for _, d := range f.decls {
		if d.lacks != "" {
			blank(text[f.offset(d.from):f.offset(d.to)])
		}
	}
	used := map[string]bool{}
	for _, d := range f.decls {
		if d.lacks != "" {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if n == nil || n.End() <= d.from || n.Pos() >= d.to {
				return n == f.tree
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok {
				if id.Name == c.pkg && c.given[sel.Sel.Name] {
					blank(text[f.offset(id.Pos()):f.offset(sel.Sel.Pos())])
				} else {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	// From the end, so that offsets hold.
	for _, spec := range slices.Backward(f.tree.Imports) {
		if name := importName(spec); name != "_" && !used[name] && (name != "." || !c.usesDot(f)) {
			text = slices.Replace(text, f.offset(spec.Pos()), f.offset(spec.End()), []byte("_ "+spec.Path.Value)...)
		}
	}
	return text
}

// usesDot tells that what is left of the file uses an exported name that nobody declares, which
// must be one of the package that is imported as a dot.
func (c *cutter) usesDot(f *testFile) bool {
	for _, d := range f.decls {
		if d.lacks != "" {
			continue
		}
		for name := range d.uses {
			if ast.IsExported(name) && len(c.decls[name]) == 0 && !c.given[name] {
				return true
			}
		}
	}
	return false
}

// importName is the name by which a file knows an import.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	parts := strings.Split(strings.Trim(spec.Path.Value, `"`), "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) == 2 && last[0] == 'v' {
		return parts[len(parts)-2]
	}
	return last
}

// blank overwrites everything but line ends.
func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}

// explain says which tests are cut and why, one a line.
func (c *cutter) explain() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.reasons)) {
		if reason := c.reasons[name]; c.hidden[reason] != "" {
			fmt.Fprintf(&b, "%s needs %s of %s\n", name, reason, c.hidden[reason])
		} else {
			fmt.Fprintf(&b, "%s %s\n", name, reason)
		}
	}
	return b.String()
}
