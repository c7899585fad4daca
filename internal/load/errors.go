package load

import (
	"cmp"
	"fmt"
	"go/token"
	"go/version"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxErrors is after how many errors of a package gc stops.
const maxErrors = 10

// Errors are the faults found in one package's sources. Its text is what gc prints.
type Errors struct {
	Package *Package
	List    []SourceError
	All     bool   // do not stop after gc's number
	InC     bool   // name as C.x what cgo names otherwise
	Lang    string // the package's language version

	kept []SourceError // faults of statements that go/parser leaves out, until they are placed

	mild     int  // how many at the beginning of List are no faults of syntax to gc (syntax.go)
	branches int  // how many behind them are about branches and labels
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
		if len(e.Package.CgoFiles) > 0 {
			a.Column, b.Column = 0, 0 // cgo's comments have columns of their own, which gc does not compare
		}
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
	if e.InC {
		return cgoName.ReplaceAllString(b.String(), "C.")
	}
	return b.String()
}

// cgoName matches how names that cgo gives to C's begin. With -gcflags=-L gc says where in cgo's
// files a fault is; there the go command takes out both.
var cgoName = regexp.MustCompile(`\b_C2?(?:type|func|var|macro)_\B`)

// sortUnused puts what is said about unused variables of one block one after another into the order
// in which gc finds them: it looks at them by the names of their files, which differ behind //line
// directives. What comes before the one that was found last is in another block.
func sortUnused(list []SourceError) {
	for i := 0; i < len(list); i++ {
		from := i
		for i < len(list) && isUnused(list[i].Msg) && (i == from || list[i].Pos.Offset > list[i-1].Pos.Offset) {
			i++
		}
		slices.SortStableFunc(list[from:i], func(x, y SourceError) int {
			a, b := x.Pos, y.Pos
			return cmp.Or(strings.Compare(a.Filename, b.Filename), a.Line-b.Line, a.Column-b.Column)
		})
	}
}

// mention is a position in the text of a message: at its end, or at that of a comment on a type.
var mention = regexp.MustCompile(`((?:declared|already defined|block starting|declaration of .+|extra init expr|first) at )(.+?)(:\d+:\d+(?:\)?$| \*/))`)

// shortMention shortens the file names in a message. The go command replaces the package's
// directory, or the innermost one above it that holds the file, by its short name, which is a dot
// for the working directory.
func (e *Errors) shortMention(msg string, show func(string) string) string {
	return mention.ReplaceAllStringFunc(msg, func(s string) string {
		m := mention.FindStringSubmatch(s)
		short := show(m[2])
		ownDir := strings.HasPrefix(m[2], e.Package.Dir+"/") && !strings.HasPrefix(show(e.Package.Dir+"/x"), "./")
		if !ownDir && !filepath.IsAbs(short) && !strings.HasPrefix(short, ".") {
			short = "./" + short
		}
		return m[1] + short + m[3]
	})
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

// Diagnostic is an error in the user's program that has its final form, headline included.
type Diagnostic struct{ Text string }

func (d *Diagnostic) Error() string { return d.Text }

// isUnused reports whether a message is about an unused variable: gc has these at a function's end.
func isUnused(msg string) bool { return strings.HasPrefix(msg, "declared and not used: ") }
