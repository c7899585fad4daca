package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loam/internal/linkname"
)

// addType enters a type error. go/types reports the further lines of a message as errors of
// their own, which start with a tab. Faults of branches come before all others: gc finds them while
// it parses.
//
// fileVersion returns the language version that a file's build constraint asks for and gets, "" if
// there is none.
func (e *Errors) addType(err types.Error, files []*ast.File, fileVersion func(*token.FileSet, token.Pos) string) {
	pos := err.Fset.Position(err.Pos)
	if words, ok := branchWords(err, files); ok {
		e.List = slices.Insert(e.List, e.mild+e.branches, SourceError{Pos: pos, Msg: words})
		e.branches++
		e.complete = true
		return
	}
	if e.isLeftOver(pos, err.Msg) || isNoValue(err.Msg) {
		e.complete = true
		return
	}
	if note, ok := strings.CutPrefix(err.Msg, "\t"); ok && len(e.List) > 0 {
		if e.complete {
			return
		}
		last := &e.List[len(e.List)-1]
		last.Notes = append(last.Notes, SourceError{Pos: pos, Msg: e.olderWords(note)})
		return
	}
	e.complete = false
	e.dropRangeFault(pos, err.Msg)
	msg := e.olderWords(err.Msg)
	if needsNewerGo.MatchString(msg) {
		if v := fileVersion(err.Fset, err.Pos); v != "" {
			msg += fmt.Sprintf(" (file declares //go:build %s)", v)
		} else {
			msg += fmt.Sprintf(" (-lang was set to %s; check go.mod)", e.Lang)
		}
	}
	e.Add(pos, msg)
}

// dropUnusedLabels drops the remark that a label is not used where a statement that uses it wrongly
// was found, as gc does. Of several labels of that name it is the one before the statement.
func (e *Errors) dropUnusedLabels() {
	for _, se := range slices.Clone(e.List) {
		m := wrongLabel.FindStringSubmatch(se.Msg)
		if m == nil {
			continue
		}
		unused := -1
		for i, label := range e.List {
			if label.Msg == "label "+m[1]+" defined and not used" && label.Pos.Filename == se.Pos.Filename &&
				label.Pos.Line <= se.Pos.Line && (unused < 0 || label.Pos.Line > e.List[unused].Pos.Line) {
				unused = i
			}
		}
		if unused >= 0 {
			e.List = slices.Delete(e.List, unused, unused+1)
		}
	}
}

// missingBodies reports functions without a body and without a go:linkname directive in a file that
// may have one, in a package that has no assembly which could supply them.
func (e *Errors) missingBodies(fset *token.FileSet, files []*ast.File) {
	linked := map[string]bool{}
	for _, f := range files {
		if !importsUnsafe(f) {
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if words, ok := linkname.Parse(c.Text); ok && len(words) > 0 {
					linked[words[0]] = true
				}
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body == nil && (fd.Recv != nil || !linked[fd.Name.Name]) {
				pos := fd.Name.Pos()
				if fd.Recv != nil {
					pos = fd.Recv.Opening
				}
				e.Add(fset.Position(pos), "missing function body")
			}
		}
	}
}

func importsUnsafe(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(im *ast.ImportSpec) bool {
		path, err := strconv.Unquote(im.Path.Value)
		return err == nil && path == "unsafe"
	})
}

// bigVariables reports package variables that no program can hold.
func (e *Errors) bigVariables(fset *token.FileSet, pkg *types.Package, sizes types.Sizes) {
	for _, name := range pkg.Scope().Names() {
		v, ok := pkg.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		if size := sizes.Sizeof(v.Type()); size > maxSymbol || size < 0 {
			e.Add(fset.Position(v.Pos()), fmt.Sprintf("%s.%s: symbol too large (%d bytes > %d bytes)", pkg.Path(), name, size, maxSymbol))
		}
	}
}

var wrongLabel = regexp.MustCompile(`^invalid (?:break|continue) label (\S+)$`)

var needsNewerGo = regexp.MustCompile(`requires go[0-9.]+ or later$`)

// maxSymbol is the size of the biggest variable that gc's linker takes. Loam's programs have
// the same bounds: addresses of data are 32 bits wide.
const maxSymbol = 2000000000
