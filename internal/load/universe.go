package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/gcexportdata"

	"loam/internal/inline"
	"loam/internal/layout"
	"loam/internal/mid/syntax"
	"loam/internal/timeline"
)

// A Universe holds the type-checked packages of one link: all of them see each other's types
// as identical objects. It is not for concurrent use.
type Universe struct {
	Fset *token.FileSet
	Code *syntax.Universe // what functions are made from

	// Show maps the file names of Package to those in compiled code (Names). All positions, in
	// diagnostics, export data and debug information, carry the latter, which do not depend
	// on where the shadow GOROOT, the SDK and the module cache are.
	Show func(name string) string

	Sizes layout.Sizes // of all types of checked packages; run-time layouts depend on them

	Wishes func(p *Package) Wishes // the user's for a package, nil for none

	Debug *DebugSettings // what //go:debug lines may say, nil for anything

	// Hot tells of declared functions which a profile calls hot; nil: there is none.
	Hot func(p *Package, fd *ast.FuncDecl) bool

	Compiler string // the SDK's, which words syntax errors; "" for none

	Stubs Stubs // of packages that were compiled before, nil if none are kept

	Lane *timeline.Lane // where the phases of checking are recorded, nil if they are not

	checked map[string]*Checked       // by Package.ImportPath
	imports map[string]*types.Package // by type path, for export data
	lines   lineSet
	wanted  wanted
}

// Checked is a package as the universe knows it.
type Checked struct {
	Types  *types.Package
	Code   *syntax.Package
	Info   *types.Info // nil when it came from export data, and after Forget
	Files  []*ast.File // the same
	Bodies bool        // all function bodies are there, not only those that others need
	Export bool        // it came from export data

	Inlinable string   // text of the functions that other packages may inline, if Bodies
	Lends     []string // names (Lent) of those whose bodies they may need, but for generic ones

	of *Package

	embeds map[*ast.ValueSpec][]string // go:embed directives, without the slashes
}

// Wishes are what the user wants of one package.
type Wishes struct {
	AllErrors bool   // report any number of errors
	FullNames bool   // in messages: where cgo has put what is wrong, which is then named as in C
	Lang      string // the language version, "" for that of its module; std's packages keep theirs
}

// NewUniverse returns an empty universe.
func NewUniverse() *Universe {
	fset := token.NewFileSet()
	u := &Universe{
		Fset:    fset,
		Show:    func(name string) string { return name },
		checked: map[string]*Checked{},
		imports: map[string]*types.Package{"unsafe": types.Unsafe},
	}
	u.Code = syntax.NewUniverse(fset, &u.Sizes)
	u.checked["unsafe"] = &Checked{Types: types.Unsafe, Code: u.Code.Add(types.Unsafe, nil, nil, false)}
	return u
}

// LangOf is the language version in which p is written.
func (u *Universe) LangOf(p *Package) string {
	if lang := u.wishes(p).Lang; lang != "" && !p.Standard {
		return lang
	}
	return p.GoVersion()
}

func (u *Universe) wishes(p *Package) Wishes {
	if u.Wishes == nil {
		return Wishes{}
	}
	return u.Wishes(p)
}

// Get returns the package if it has been checked or read.
func (u *Universe) Get(p *Package) *Checked { return u.checked[p.ImportPath] }

func (u *Universe) add(p *Package, c *Checked) {
	c.of = p
	u.checked[p.ImportPath] = c
	if TypePath(p) != "main" {
		u.imports[p.Path()] = c.Types
	}
}

// ReadExport enters p from export data that WriteExport made. All packages that p imports
// must be in the universe, so that the data refers to their objects and makes none anew.
func (u *Universe) ReadExport(p *Package, data []byte) (*Checked, error) {
	t, err := gcexportdata.Read(bytes.NewReader(data), u.Fset, u.imports, p.Path())
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %v", p.ImportPath, err)
	}
	c := &Checked{Types: t, Export: true}
	c.Code = u.Code.Add(t, nil, nil, false)
	u.add(p, c)
	return c, nil
}

// WriteExport returns the package's export data. It is the same whether what p imports came from
// sources or from export data.
func (u *Universe) WriteExport(c *Checked) ([]byte, error) {
	var buf bytes.Buffer
	if err := gcexportdata.Write(&buf, u.lines.of(u.Fset), c.Types); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// HasGenericCode reports whether other packages may need function bodies of files: those of
// generic functions and of methods of generic types.
func HasGenericCode(files []*ast.File) bool {
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && isGeneric(fd) {
				return true
			}
		}
	}
	return false
}

// Lent is the name of a declared function among those of its package whose bodies others may need.
// It is "" for what is generic, and needed in any case.
func Lent(f *types.Func) string {
	s := f.Signature()
	if s.TypeParams().Len() > 0 || s.RecvTypeParams().Len() > 0 {
		return ""
	}
	if s.Recv() == nil {
		return f.Name()
	}
	t := types.Unalias(s.Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.TypeArgs().Len() == 0 {
		return named.Obj().Name() + "." + f.Name()
	}
	return ""
}

func (u *Universe) hot(p *Package, fd *ast.FuncDecl) bool { return u.Hot != nil && u.Hot(p, fd) }

func isGeneric(fd *ast.FuncDecl) bool {
	if fd.Type.TypeParams != nil {
		return true
	}
	if fd.Recv == nil || len(fd.Recv.List) != 1 {
		return false
	}
	t := ast.Unparen(fd.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch t.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// stripBodies removes the bodies that no other package can need. Initialisers stay, they give
// variables their types.
func (u *Universe) stripBodies(p *Package, f *ast.File) {
	decls := f.Decls[:0]
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && !u.othersNeed(p, fd) {
			if fd.Recv == nil && (fd.Name.Name == "init" || fd.Name.Name == "_") {
				continue
			}
			fd.Body = nil
		}
		decls = append(decls, d)
	}
	f.Decls = decls
}

// othersNeed reports whether other packages may need the body of a function of p: if it is generic,
// or small enough to inline. So it is if it declares types, because local types are told apart by
// their rank in the package.
func (u *Universe) othersNeed(p *Package, fd *ast.FuncDecl) bool {
	return neededUncalled(fd) || inline.Candidate(fd, u.hot(p, fd))
}

// neededUncalled reports whether other packages may need fd's body although they do not call it.
func neededUncalled(fd *ast.FuncDecl) bool { return isGeneric(fd) || declaresTypes(fd.Body) }

func declaresTypes[N ast.Node](body N) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.TypeSpec); ok {
			found = true
		}
		return !found
	})
	return found
}

// A Stubs keeps the stubs of packages between builds. A stub is what other packages need of a
// package's source files: most of their text is blank (see blanks), in a form that takes as much
// room and time as what is left. The data is of all files of a package, in their order. It differs
// where Universe.Hot does.
type Stubs interface {
	Load(p *Package) (data []byte, ok bool)
	Store(p *Package, data []byte)
}
