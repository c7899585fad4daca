package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"strings"

	"loam/internal/inline"
	"loam/internal/layout"
	"loam/internal/mid/syntax"
)

// Reading says how much of a package is checked.
type Reading int

const (
	Whole Reading = iota
	Stub          // what other packages need (stub.go)
)

// CheckSource parses and type-checks p from its sources. All packages that p imports must be in the
// universe. As a stub, p was compiled before: only bodies that other packages instantiate are kept,
// and errors are not reported. The error is an *Errors if the sources are at fault.
func (u *Universe) CheckSource(p *Package, how Reading) (*Checked, error) {
	stub := how == Stub
	wishes := u.wishes(p)
	errs := &Errors{Package: p, All: wishes.AllErrors, InC: wishes.FullNames && len(p.CgoFiles) > 0, Lang: u.LangOf(p)}
	s, err := u.parse(p, stub, errs)
	if err != nil {
		return nil, err
	}
	defer u.Lane.Begin(p.ImportPath, "check").End()
	if stub {
		return u.checkStub(p, s, errs.Lang)
	}
	t, info, err := u.check(p, s, errs.Lang, func(info *types.Info, fault types.Error) {
		place := gcPosition(fault, s.files)
		fault.Msg = gcWords(fault, s.files)
		if errs.olderThan("go1.27") {
			fault.Msg = olderOperand(fault, s.files)
		}
		fault.Pos = place
		errs.addType(fault, s.files, s.fileVersion(info))
	})
	if err := u.beyondTypes(p, s, t, info, errs, err); err != nil {
		return nil, err
	}
	c := &Checked{Types: t, Info: info, Files: s.files, Bodies: true, Inlinable: s.inlinable, embeds: embeds(s.dirs)}
	for _, fd := range s.lends {
		if f, ok := info.Defs[fd.Name].(*types.Func); ok && Lent(f) != "" {
			c.Lends = append(c.Lends, Lent(f))
		}
	}
	c.Code = u.Code.Add(t, s.files, info, true)
	u.add(p, c)
	return c, nil
}

// checkStub checks a stub. A declaration that was left out and is missing all the same makes an
// error: then all are read.
func (u *Universe) checkStub(p *Package, s parsed, lang string) (*Checked, error) {
	missing := false
	note := func(_ *types.Info, fault types.Error) { missing = missing || !fault.Soft }
	t, info, _ := u.check(p, s, lang, note)
	if missing && u.wanted.only {
		files, err := u.parseStub(p)
		if err != nil {
			return nil, err
		}
		s.files = files
		t, info, _ = u.check(p, s, lang, note)
	}
	t.MarkComplete()
	info.InitOrder = nil
	c := &Checked{Types: t, Info: info, Files: s.files}
	c.Code = u.Code.Add(t, s.files, info, false)
	u.add(p, c)
	return c, nil
}

// check type-checks the files of p.
func (u *Universe) check(p *Package, s parsed, lang string, fault func(*types.Info, types.Error)) (*types.Package, *types.Info, error) {
	info := syntax.NewInfo()
	conf := types.Config{
		Importer:  importer{u, p},
		Sizes:     layout.Incomplete{},
		GoVersion: lang,
		Error:     func(err error) { fault(info, err.(types.Error)) },
	}
	t, err := conf.Check(TypePath(p), u.Fset, s.files, info)
	return t, info, err
}

// parsed are the files of a package, as the parser leaves them.
type parsed struct {
	files     []*ast.File
	dirs      [][]directive // by file, unless the package is a stub
	lends     []*ast.FuncDecl
	inlinable string
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

// parse parses the files of p, and finds what their comments say.
func (u *Universe) parse(p *Package, stub bool, errs *Errors) (s parsed, err error) {
	if stub {
		if s.files, err = u.limited(p); s.files == nil && err == nil {
			s.files, err = u.parseStub(p)
		}
		return s, err
	}
	defer u.Lane.Begin(p.ImportPath, "parse").End()
	var refused []error            // go/parser's reasons
	var ofTokens scanner.ErrorList // what go/scanner says of characters and literals
	for _, name := range p.GoFiles {
		f, src, err := u.parseFile(name)
		if err != nil {
			if f == nil {
				return s, err
			}
			if again, faults := u.parseFaulty(name, src, errs); again != nil {
				f, ofTokens = again, append(ofTokens, faults...)
			} else {
				refused = append(refused, err)
			}
		}
		errs.genericMethods(u.Fset, f)
		u.lend(&s, p, f, src)
		s.dirs = append(s.dirs, directives(f, src, func(pos token.Pos, msg string) {
			if !p.Standard {
				errs.addMild(u.Fset.Position(pos), msg)
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
	} else if len(ofTokens) > 0 {
		u.lexicalFaults(p, errs, ofTokens)
	}
	if len(errs.List) > errs.mild {
		return s, errs
	}
	return s, nil
}

func (u *Universe) parseFile(name string) (*ast.File, []byte, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := parser.ParseFile(u.Fset, u.Show(name), src, parser.ParseComments|parser.SkipObjectResolution)
	u.lines.note(u.Fset, f, src)
	return f, src, err
}

// beyondTypes complains of what gc complains of and go/types does not, and returns all complaints;
// without any, what go/types has returned.
func (u *Universe) beyondTypes(p *Package, s parsed, t *types.Package, info *types.Info, errs *Errors, checked error) error {
	for _, f := range s.files {
		errs.uninstantiated(u.Fset, f, info)
	}
	errs.placeKept(u.Fset, s.files)
	errs.dropUnusedLabels()
	if len(errs.List) == 0 && checked == nil && !p.Standard {
		if errs.restrictions(u.Fset, s.files, info, &u.Sizes); len(errs.List) == 0 {
			errs.directives(u.Fset, s.files, s.dirs, t)
			if len(p.SFiles) == 0 {
				errs.missingBodies(u.Fset, s.files)
			}
		}
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
