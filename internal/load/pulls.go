package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loam/internal/linkname"
)

// A Pulls finds what packages pull out of the official run-time system by go:linkname that Loam's
// does not have, and out of shared libraries. That would show when the program is linked, after
// everything has been compiled, and tell nobody where it comes from.
type Pulls struct {
	Config *Config
	units  []*Package

	ours, theirs map[string]bool // symbols of package runtime, made when the first is asked for
}

// NewPulls returns a Pulls for a build of pkgs, the run-time system among them.
func NewPulls(c *Config, pkgs []*Package) *Pulls { return &Pulls{Config: c, units: pkgs} }

// A pull is a function without a body, or a variable without a value, that a directive gives
// another package's symbol.
type pull struct {
	local, symbol string
	pos           token.Position
}

// Check returns an *Errors if p uses such a symbol. What it declares and does not use, the linker
// never looks for.
func (s *Pulls) Check(p *Package) error {
	if p.Standard {
		return nil
	}
	var pulls []pull
	errs := &Errors{Package: p}
	libraries := map[string]bool{}
	files := map[string]*ast.File{}
	fset := token.NewFileSet()
	directive := []byte("//" + linkname.Directives[0] + " ")
	for _, name := range p.GoFiles {
		src, err := os.ReadFile(p.Source(name))
		if err != nil { // reported where it is compiled
			continue
		}
		dynamic := bytes.Contains(src, []byte("//"+importDynamic+" "))
		if !dynamic && !(bytes.Contains(src, directive) && bytes.Contains(src, []byte(" runtime."))) {
			continue
		}
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		files[name] = f
		for _, group := range f.Comments {
			for _, c := range group.List {
				pos := fset.Position(c.Pos())
				pos.Column += len("//") // as in all messages about directives
				words, ok := linkname.Parse(c.Text)
				if ok && len(words) == 2 && strings.HasPrefix(words[1], "runtime.") && s.missing(words[1]) {
					pulls = append(pulls, pull{local: words[0], symbol: words[1], pos: pos})
				}
				if l := library(c.Text); l != "" && !libraries[l] {
					libraries[l] = true
					errs.Add(pos, fmt.Sprintf("//%s: the shared library %s cannot be had, because Loam's programs are static%s", importDynamic, l, by(p)))
				}
			}
		}
	}
	for _, pl := range pulls {
		if declaredOnly, used := usesPull(p, files, pl.local); declaredOnly && used {
			errs.Add(pl.pos, fmt.Sprintf("//go:linkname of %s: that exists only in the official toolchain's programs%s", pl.symbol, by(p)))
		}
	}
	if len(errs.List) > 0 {
		return errs
	}
	return nil
}

// importDynamic is the directive by which packages other than cgo's take symbols out of a shared
// library, without cgo.
const importDynamic = "go:cgo_import_dynamic"

// library is the shared library that a comment imports from, "" if it does not.
func library(comment string) string {
	words := strings.Fields(comment)
	if len(words) < 4 || words[0] != "//"+importDynamic {
		return ""
	}
	return strings.Trim(words[3], `"`)
}

// by says whose the package is.
func by(p *Package) string {
	if p.Module == nil || p.Module.Main {
		return ""
	}
	return " (module " + strings.TrimSpace(p.Module.Path+" "+p.Module.Version) + ")"
}

// usesPull tells of a name of p whether it is declared without body and value, and whether anything
// else in the package mentions it. files are those parsed so far.
func usesPull(p *Package, files map[string]*ast.File, local string) (declaredOnly, used bool) {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(local) + `\b`)
	for _, name := range p.SFiles {
		if src, err := os.ReadFile(p.Source(name)); err == nil && word.Match(src) {
			used = true
		}
	}
	for _, name := range p.GoFiles {
		f := files[name]
		if f == nil {
			src, err := os.ReadFile(p.Source(name))
			if err != nil || !word.Match(src) {
				continue
			}
			if f, err = parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution); err != nil {
				continue
			}
			files[name] = f
		}
		var declared *ast.Ident
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == local && d.Body == nil {
					declared = d.Name
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Values) == 0 {
						if i := slices.IndexFunc(v.Names, func(id *ast.Ident) bool { return id.Name == local }); i >= 0 {
							declared = v.Names[i]
						}
					}
				}
			}
		}
		declaredOnly = declaredOnly || declared != nil
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == local && id != declared {
				used = true
			}
			return true
		})
	}
	return declaredOnly, used
}

// missing reports whether the official run-time system has a symbol and Loam's does not.
func (s *Pulls) missing(symbol string) bool {
	if s.ours == nil {
		s.ours, s.theirs = map[string]bool{}, map[string]bool{}
		for _, p := range s.units {
			if p.Path() == "runtime" || strings.HasPrefix(p.Path(), RuntimePrefix+"/") {
				addSymbols(s.ours, p.Path(), p.GoFiles)
				addLabels(s.ours, gasLabel, p.GasFiles)
			}
		}
		delete(s.ours, "runtime.sched") // has two counts only, for assembly that reads them
		ctx := build.Default
		ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
		dir := filepath.Join(s.Config.GOROOT, "src", "runtime")
		if theirs, err := ctx.ImportDir(dir, 0); err == nil {
			in := func(names []string) (list []string) {
				for _, name := range names {
					list = append(list, filepath.Join(dir, name))
				}
				return list
			}
			addSymbols(s.theirs, "runtime", in(theirs.GoFiles))
			addLabels(s.theirs, asmText, in(theirs.SFiles))
		}
	}
	return s.theirs[symbol] && !s.ours[symbol]
}

// addSymbols adds what the files of the package at path define, by itself and for others.
func addSymbols(set map[string]bool, path string, files []string) {
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		links := map[string]string{}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if words, ok := linkname.Parse(c.Text); ok && len(words) == 2 {
					links[words[0]] = words[1]
				}
			}
		}
		add := func(local string) {
			symbol := links[local]
			if symbol == "" {
				symbol = path + "." + local
			}
			set[symbol] = true
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case d.Recv != nil:
					set[path+"."+methodName(d)] = true
				case d.Body != nil:
					add(d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, id := range v.Names {
							add(id.Name)
						}
					}
				}
			}
		}
	}
}

// methodName is a method's part of its symbol, (*T).M or T.M.
func methodName(d *ast.FuncDecl) string {
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return "(*" + id.Name + ")." + d.Name.Name
		}
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

var (
	gasLabel = regexp.MustCompile(`(?m)^(?:FUNC\(|\s*\.globl\s+|\s*variable\s+)"?runtime\.([^"\s)]+)`)
	asmText  = regexp.MustCompile(`(?m)^TEXT\s+(?:runtime)?·([^\s(<]+)(?:<ABIInternal>)?\(SB\)`)
)

// addLabels adds the symbols of package runtime whose names a pattern finds in files of assembly.
func addLabels(set map[string]bool, pattern *regexp.Regexp, files []string) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for _, m := range pattern.FindAllSubmatch(text, -1) {
			set["runtime."+string(m[1])] = true
		}
	}
}
