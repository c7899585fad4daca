package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"

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

	// Settings are the user's for a package, nil for none: report any number of errors; the language
	// version, "" for that of its module. Std's packages keep theirs.
	Settings func(p *Package) (allErrors bool, lang string)

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
	if _, lang := u.settings(p); lang != "" && !p.Standard {
		return lang
	}
	return p.GoVersion()
}

func (u *Universe) settings(p *Package) (allErrors bool, lang string) {
	if u.Settings == nil {
		return false, ""
	}
	return u.Settings(p)
}

// Get returns the package if it has been checked or read.
func (u *Universe) Get(p *Package) *Checked { return u.checked[p.ImportPath] }

func (u *Universe) parseFile(name string) (*ast.File, []byte, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := parser.ParseFile(u.Fset, u.Show(name), src, parser.ParseComments|parser.SkipObjectResolution)
	u.lines.note(u.Fset, f, src)
	return f, src, err
}

// TypePath is the path that the package's types carry: "main" for a program's main package,
// the import path otherwise (a main package under test included).
func TypePath(p *Package) string {
	if p.Name == "main" && p.ForTest == "" {
		return "main"
	}
	return p.Path()
}

// CheckSource parses and type-checks p from its sources. All packages that p imports must be in the
// universe. With stub set, p was compiled before: only bodies that other packages instantiate are
// kept, and errors are not reported. The error is an *Errors if the sources are at fault.
func (u *Universe) CheckSource(p *Package, stub bool) (*Checked, error) {
	all, _ := u.settings(p)
	errs := &Errors{Package: p, All: all, Lang: u.LangOf(p)}
	s, err := u.parse(p, stub, errs)
	if err != nil {
		return nil, err
	}
	defer u.Lane.Begin(p.ImportPath, "check").End()
	info := syntax.NewInfo()
	conf := types.Config{
		Importer:  importer{u, p},
		Sizes:     layout.Incomplete{},
		GoVersion: errs.Lang,
		Error: func(err error) {
			if !stub {
				fault := err.(types.Error)
				fault.Pos, fault.Msg = gcPosition(fault, s.files), gcWords(fault, s.files)
				errs.addType(fault, s.files, s.fileVersion(info))
			}
		},
	}
	t, err := conf.Check(TypePath(p), u.Fset, s.files, info)
	if stub {
		t.MarkComplete()
		info.InitOrder = nil
	} else if err := u.beyondTypes(p, s, t, info, errs, err); err != nil {
		return nil, err
	}
	c := &Checked{Types: t, Info: info, Files: s.files, Bodies: !stub, Inlinable: s.inlinable, embeds: embeds(s.dirs)}
	for _, fd := range s.lends {
		if f, ok := info.Defs[fd.Name].(*types.Func); ok && Lent(f) != "" {
			c.Lends = append(c.Lends, Lent(f))
		}
	}
	c.Code = u.Code.Add(t, s.files, info, !stub)
	u.add(p, c)
	return c, nil
}

// parsed are the files of a package, as the parser leaves them.
type parsed struct {
	files     []*ast.File
	dirs      [][]directive // by file, unless the package is a stub
	lends     []*ast.FuncDecl
	inlinable string
}

// parse parses the files of p, and finds what their comments say.
func (u *Universe) parse(p *Package, stub bool, errs *Errors) (s parsed, err error) {
	if stub {
		if s.files = u.limited(p); s.files == nil {
			s.files, err = u.parseStub(p)
		}
		return s, err
	}
	defer u.Lane.Begin(p.ImportPath, "parse").End()
	var refused []error // go/parser's reasons
	for _, name := range p.GoFiles {
		f, src, err := u.parseFile(name)
		if err != nil {
			if f == nil {
				return s, err
			}
			if again := u.parseFaulty(name, src, errs); again != nil {
				f = again
			} else {
				refused = append(refused, err)
			}
		}
		errs.genericMethods(u.Fset, f)
		u.lend(&s, p, f, src)
		s.dirs = append(s.dirs, directives(f, src, func(pos token.Pos, msg string) {
			if !p.Standard {
				errs.Add(u.Fset.Position(pos), msg)
			}
		}))
		s.files = append(s.files, f)
	}
	if u.Debug != nil && !p.Standard {
		// Looked at before the compiler sees the package, and told without its other faults.
		lines := &Errors{Package: p, All: true}
		if err := u.Debug.check(lines, u.Fset, s.files); err != nil {
			return s, err
		}
		if len(lines.List) > 0 {
			return s, lines
		}
	}
	if len(refused) > 0 {
		u.syntaxErrors(p, errs, refused)
	}
	if len(errs.List) > errs.mild {
		return s, errs
	}
	return s, nil
}

// fileVersion is the release that a file's build constraint gives it, by a position in the file, or
// nothing if it has that of the package.
func (s *parsed) fileVersion(info *types.Info) func(*token.FileSet, token.Pos) string {
	return func(_ *token.FileSet, pos token.Pos) string {
		for _, f := range s.files {
			if f.FileStart <= pos && pos < f.FileEnd && f.GoVersion != "" && f.GoVersion == info.FileVersions[f] {
				return f.GoVersion
			}
		}
		return ""
	}
}

// beyondTypes complains of what gc complains of and go/types does not, and returns all complaints;
// without any, what go/types has returned.
func (u *Universe) beyondTypes(p *Package, s parsed, t *types.Package, info *types.Info, errs *Errors, checked error) error {
	for _, f := range s.files {
		errs.uninstantiated(u.Fset, f, info)
	}
	if len(errs.List) == 0 && !p.Standard && len(p.SFiles) == 0 {
		errs.missingBodies(u.Fset, s.files)
	}
	errs.placeKept()
	errs.dropUnusedLabels()
	if len(errs.List) == 0 && checked == nil && !p.Standard {
		errs.restrictions(u.Fset, s.files, info, &u.Sizes)
		errs.directives(u.Fset, s.files, s.dirs, t)
	}
	if len(errs.List) == 0 {
		errs.bigVariables(u.Fset, t, &u.Sizes)
	}
	if len(errs.List) > 0 {
		if !p.Standard {
			u.askCompiler(p, errs, nil) // go/parser takes some things that gc does not
		}
		return errs
	}
	return checked
}

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

// importer resolves the imports of one package within the universe.
type importer struct {
	u *Universe
	p *Package
}

func (im importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	id := path
	if to, ok := im.p.ImportMap[path]; ok {
		id = to
	}
	c := im.u.checked[id]
	if c == nil {
		return nil, fmt.Errorf("package %s was not loaded", path)
	}
	return c.Types, nil
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

// lend adds to s the functions of f whose bodies other packages may need. The text of those that
// they may inline, each with its line number, is what a change of makes dependents stale.
func (u *Universe) lend(s *parsed, p *Package, f *ast.File, src []byte) {
	var text strings.Builder
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || !u.othersNeed(p, fd) {
			continue
		}
		s.lends = append(s.lends, fd)
		if !inline.Candidate(fd, u.hot(p, fd)) {
			continue
		}
		from, to := u.Fset.PositionFor(fd.Pos(), false), u.Fset.PositionFor(fd.End(), false)
		if from.Offset <= to.Offset && to.Offset <= len(src) { // not so after a syntax error
			fmt.Fprintf(&text, "%d %s\n", from.Line, src[from.Offset:to.Offset])
		}
	}
	s.inlinable += text.String()
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

// othersNeed tells whether other packages may need the body of a function of p: if it is generic,
// or small enough to inline. So it is if it declares types, because local types are told apart by
// their rank in the package.
func (u *Universe) othersNeed(p *Package, fd *ast.FuncDecl) bool {
	return neededUncalled(fd) || inline.Candidate(fd, u.hot(p, fd))
}

// neededUncalled tells whether other packages may need fd's body although they do not call it.
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
