package load

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loam/internal/linkname"
)

// maxErrors is after how many errors of a package gc stops.
const maxErrors = 10

// Errors are the faults found in one package's sources. Its text is what gc prints.
type Errors struct {
	Package *Package
	List    []SourceError
	All     bool   // do not stop after gc's number
	Lang    string // the package's language version

	branches int  // how many at the beginning of List are about branches and labels
	complete bool // the fault entered last takes no notes: its message has the other place
}

// SourceError is one fault; Notes are further lines about the same fault.
type SourceError struct {
	Pos   token.Position
	Msg   string
	Notes []SourceError
}

// Add enters a fault that was found after type checking.
func (e *Errors) Add(pos token.Position, msg string) {
	e.List = append(e.List, SourceError{Pos: pos, Msg: msg})
}

func (e *Errors) addSyntax(err error, src []byte) {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		e.Add(token.Position{}, err.Error())
		return
	}
	garbled := 0 // last line with bytes that are not UTF-8; gc names the first of them
	for i, se := range list {
		if se.Msg == "illegal UTF-8 encoding" || strings.HasPrefix(se.Msg, "illegal character U+FFFD ") {
			if garbled == se.Pos.Line {
				continue
			}
			garbled = se.Pos.Line
		}
		if i > 0 && strings.HasSuffix(se.Msg, "found 'EOF'") {
			continue // a consequence: gc's parser finds its way back otherwise
		}
		if se.Msg == "illegal character U+0000" {
			continue // reported as NUL before
		}
		msg := syntaxMessage(se.Msg)
		if se.Pos.Offset >= len(src) { // go/scanner ends the last line where the file does not
			msg = strings.Replace(msg, "unexpected newline", "unexpected EOF", 1)
		}
		e.Add(syntaxPosition(se.Pos, msg, src), msg)
	}
}

// syntaxPosition is where gc sees a fault that go/parser reports at pos: what is missing at
// the end of a line or of the file is missing there, not where the last token or the
// literal begins.
func syntaxPosition(pos token.Position, msg string, src []byte) token.Position {
	if pos.Offset < 0 || pos.Offset > len(src) {
		return pos
	}
	rest := src[pos.Offset:]
	switch {
	case msg == "newline in string":
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			pos.Column += end
		}
	case strings.Contains(msg, "unexpected EOF") && len(rest) == 0 && bytes.HasSuffix(src, []byte("\n")):
		pos.Line, pos.Column = pos.Line+1, 1 // go/scanner does not count a last line without text
	case strings.Contains(msg, "unexpected EOF"):
		if lines := bytes.Count(rest, []byte("\n")); lines > 0 {
			pos.Line += lines
			pos.Column = 1
			rest = rest[bytes.LastIndexByte(rest, '\n')+1:]
		}
		pos.Column += len(rest)
	}
	return pos
}

// addType enters a type error. go/types reports the further lines of a message as errors of
// their own, which start with a tab. Faults of branches come before all others: gc finds them while
// it parses.
//
// fileVersion returns the language version that a file's build constraint asks for and gets, "" if
// there is none.
func (e *Errors) addType(err types.Error, files []*ast.File, fileVersion func(*token.FileSet, token.Pos) string) {
	pos := err.Fset.Position(err.Pos)
	if words, ok := branchWords(err, files); ok {
		e.List = slices.Insert(e.List, e.branches, SourceError{Pos: pos, Msg: words})
		e.branches++
		e.complete = true
		return
	}
	if note, ok := strings.CutPrefix(err.Msg, "\t"); ok && len(e.List) > 0 {
		if e.complete {
			return
		}
		last := &e.List[len(e.List)-1]
		last.Notes = append(last.Notes, SourceError{Pos: pos, Msg: note})
		return
	}
	e.complete = false
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

// gcPosition is where gc sees a type error. That an argument's type cannot be inferred or does not
// satisfy its constraint, or that an operand has no index, go/types reports where the call or the
// operand begins, gc at the parenthesis or bracket.
func gcPosition(err types.Error, files []*ast.File) token.Pos {
	pos := err.Pos
	call, indexed := inCall.FindStringSubmatch(err.Msg), strings.HasPrefix(err.Msg, "cannot index ")
	if call == nil && !indexed {
		return pos
	}
	for _, f := range files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool { // the innermost expression is the last
			switch n := n.(type) {
			case *ast.CallExpr:
				if call != nil && n.Pos() == err.Pos && (call[1] == "" || types.ExprString(n.Fun) == call[1]) {
					pos = n.Lparen
				}
			case *ast.IndexExpr:
				if indexed && n.Pos() == err.Pos && strings.HasPrefix(err.Msg, "cannot index "+types.ExprString(n.X)+" (") {
					pos = n.Lbrack
				}
			}
			return true
		})
	}
	return pos
}

var inCall = regexp.MustCompile(`^in call to (.+), (?:cannot infer |.* does not satisfy )|^\S.* does not satisfy `)

// dropUnusedLabels drops the remark that a label is not used where a statement that uses it wrongly
// was found, as gc does.
func (e *Errors) dropUnusedLabels() {
	wrong := map[string]bool{}
	for _, se := range e.List {
		if m := wrongLabel.FindStringSubmatch(se.Msg); m != nil {
			wrong["label "+m[1]+" defined and not used"] = true
		}
	}
	e.List = slices.DeleteFunc(e.List, func(se SourceError) bool { return wrong[se.Msg] })
}

var wrongLabel = regexp.MustCompile(`^invalid (?:break|continue) label (\S+)$`)

var needsNewerGo = regexp.MustCompile(`requires go[0-9.]+ or later$`)

// missingBodies reports functions without a body and without a go:linkname directive, in a
// package that has no assembly which could supply them.
func (e *Errors) missingBodies(fset *token.FileSet, files []*ast.File) {
	linked := map[string]bool{}
	for _, f := range files {
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
				e.Add(fset.Position(fd.Name.Pos()), "missing function body")
			}
		}
	}
}

// maxSymbol is the size of the biggest variable that gc's linker takes. Loam's programs have
// the same bounds: addresses of data are 32 bits wide.
const maxSymbol = 2000000000

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

// Error formats the faults as gc and the go command print them together.
func (e *Errors) Error() string { return e.Format(func(name string) string { return name }) }

// Format is Error with file names mapped by show. As with gc, the faults found first are the ones
// that are printed, and the files come in the order in which the first fault of each was found.
func (e *Errors) Format(show func(string) string) string {
	// gc does not say of a line what it has just said
	list := slices.CompactFunc(slices.Clone(e.List), func(a, b SourceError) bool {
		return a.Pos.Filename == b.Pos.Filename && a.Pos.Line == b.Pos.Line && a.Msg == b.Msg
	})
	sortUnused(list)
	stops := len(list) >= maxErrors && !e.All
	var last SourceError
	if stops {
		list = list[:maxErrors]
		last = list[maxErrors-1]
	}
	files := map[string]int{}
	for _, se := range list {
		if _, seen := files[se.Pos.Filename]; !seen {
			files[se.Pos.Filename] = len(files)
		}
	}
	slices.SortStableFunc(list, func(x, y SourceError) int {
		a, b := x.Pos, y.Pos
		return cmp.Or(files[a.Filename]-files[b.Filename], a.Line-b.Line, a.Column-b.Column)
	})
	position := func(p token.Position) string {
		// Behind a //line directive without a column: before Go 1.27 gc shows the name that it gives.
		if p.Column == 0 && version.Compare(e.Package.Release, "go1.27") < 0 {
			name, own := strings.CutPrefix(p.Filename, e.Package.Dir+"/")
			if !own {
				name = show(name)
			}
			return fmt.Sprintf("%s:%d", name, p.Line)
		}
		if p.Column == 0 {
			return fmt.Sprintf("%s:%d", show(p.Filename), p.Line)
		}
		return fmt.Sprintf("%s:%d:%d", show(p.Filename), p.Line, p.Column)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s", e.Package.ImportPath)
	printed := ""
	for _, se := range list {
		msg := e.shortMention(se.Msg, show)
		line := position(se.Pos) + ": " + msg
		if !se.Pos.IsValid() {
			line = msg
		}
		if line == printed {
			continue
		}
		printed = line
		b.WriteString("\n" + line)
		for _, n := range se.Notes {
			b.WriteString("\n\t" + position(n.Pos) + ": " + n.Msg)
		}
	}
	if stops {
		fmt.Fprintf(&b, "\n%s: too many errors", position(last.Pos))
	}
	return b.String()
}

// sortUnused puts what is said about unused variables one after another into the order in which gc
// finds them: it looks at a function's variables by the names of their files, which differ behind
// //line directives.
func sortUnused(list []SourceError) {
	for i := 0; i < len(list); i++ {
		from := i
		for i < len(list) && strings.HasPrefix(list[i].Msg, "declared and not used: ") {
			i++
		}
		slices.SortStableFunc(list[from:i], func(x, y SourceError) int {
			a, b := x.Pos, y.Pos
			return cmp.Or(strings.Compare(a.Filename, b.Filename), a.Line-b.Line, a.Column-b.Column)
		})
	}
}

// mention is a position in the text of a message.
var mention = regexp.MustCompile(`(?:declared|already defined|block starting|declaration of .+) at (.+?)(:\d+:\d+)\)?$`)

// shortMention shortens the file name in a message. The go command replaces the package's
// directory, or the innermost one above it that holds the file, by its short name, which is a dot
// for the working directory.
func (e *Errors) shortMention(msg string, show func(string) string) string {
	m := mention.FindStringSubmatchIndex(msg)
	if m == nil {
		return msg
	}
	name := msg[m[2]:m[3]]
	short := show(name)
	ownDir := strings.HasPrefix(name, e.Package.Dir+"/") && !strings.HasPrefix(show(e.Package.Dir+"/x"), "./")
	if !ownDir && !filepath.IsAbs(short) && !strings.HasPrefix(short, ".") {
		short = "./" + short
	}
	return msg[:m[2]] + short + msg[m[3]:]
}

// ShortPath is how the go command shows a file: relative to the directory dir if that is
// shorter, with ./ for files right in it.
func ShortPath(dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil || len(rel) >= len(name) {
		return name
	}
	if !strings.Contains(rel, string(filepath.Separator)) {
		return "./" + rel
	}
	return rel
}
