package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/version"
	"path/filepath"
	"strconv"
	"strings"
)

// DebugSettings says which settings //go:debug lines may have. The go command enters the lines of a
// program into what go list prints without a look at them; it checks them when it compiles, which
// is our part.
type DebugSettings struct {
	GOROOT    string
	Toolchain string // version of the SDK

	known   map[string]bool
	removed map[string]*removedSetting
}

// A removedSetting is a name that Go has not any more.
type removedSetting struct {
	since string // the minor version of Go
	// values that are refused: up to Go 1.26 all (nil), then those that asked for the behaviour
	// that is gone
	old map[string]bool
}

// read finds the names in the table of package internal/godebugs.
func (d *DebugSettings) read() error {
	if d.known != nil {
		return nil
	}
	d.known, d.removed = map[string]bool{}, map[string]*removedSetting{}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(d.GOROOT, "src/internal/godebugs/table.go"), nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		entry, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := map[string]string{}
		var old ast.Expr
		for _, elt := range entry.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				key, _ := kv.Key.(*ast.Ident)
				if value, ok := kv.Value.(*ast.BasicLit); ok && key != nil {
					fields[key.Name] = value.Value
				} else if key != nil && key.Name == "Old" {
					old = kv.Value
				}
			}
		}
		name, err := strconv.Unquote(fields["Name"])
		switch {
		case err != nil:
		case fields["Removed"] != "":
			d.removed[name] = &removedSetting{fields["Removed"], oldValues(f, old)}
		default:
			d.known[name] = true
		}
		return true
	})
	return nil
}

// oldValues returns the values of a removed setting that the table refuses: the strings that the
// function it names for that, or has there, compares with.
func oldValues(table *ast.File, predicate ast.Expr) map[string]bool {
	var body ast.Node = predicate
	if name, ok := predicate.(*ast.Ident); ok {
		for _, d := range table.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == name.Name {
				body = fd.Body
			}
		}
	}
	if predicate == nil {
		return nil
	}
	values := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if value, err := strconv.Unquote(lit.Value); err == nil {
				values[value] = true
			}
		}
		return true
	})
	return values
}

// check finds what is wrong with the //go:debug lines of a package.
func (d *DebugSettings) check(e *Errors, fset *token.FileSet, files []*ast.File) error {
	first := map[string]token.Position{}
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if c.Pos() > f.Package || !strings.HasPrefix(c.Text, "//go:debug") {
					continue
				}
				if err := d.read(); err != nil {
					return err
				}
				pos := fset.Position(c.Pos())
				key, fault := d.fault(c.Text)
				if at, again := first[key]; fault == "" && key != "" && again {
					previous := []SourceError{{Pos: at, Msg: "previous //go:debug"}}
					e.List = append(e.List, SourceError{Pos: pos, Msg: "repeated //go:debug for " + key, Notes: previous})
				} else if fault != "" {
					e.Add(pos, "invalid //go:debug: "+fault)
				} else {
					first[key] = pos
				}
			}
		}
	}
	return nil
}

// fault returns the setting of a line, and what is wrong with it. A line without one may be another
// directive.
func (d *DebugSettings) fault(line string) (key, fault string) {
	space := strings.IndexAny(line, " \t")
	if space < 0 {
		if line == "//go:debug" {
			return "", "missing key=value"
		}
		return "", ""
	}
	key, value, ok := strings.Cut(strings.TrimSpace(line[space:]), "=")
	removed := d.removed[key]
	switch {
	case !ok:
		return key, "missing key=value"
	case strings.ContainsAny(key, " \t"):
		return key, "key contains space"
	case strings.ContainsAny(value, " \t"):
		return key, "value contains space"
	case strings.Contains(key, ","):
		return key, "key contains comma"
	case strings.Contains(value, ","):
		return key, "value contains comma"
	case key == "default" && !version.IsValid(value):
		return key, "value for default= must be goVERSION"
	case key == "default" && version.Compare(value, d.Toolchain) > 0:
		return key, fmt.Sprintf("default=%s too new (toolchain is %s)", value, d.Toolchain)
	case removed != nil && removed.old == nil:
		return key, fmt.Sprintf("use of removed //go:debug setting %q, see https://go.dev/doc/godebug#go-1%s", key, removed.since)
	case removed != nil && removed.old[value]:
		return key, fmt.Sprintf("removed GODEBUG %q set to old value %q (https://go.dev/doc/godebug#go-1%s)", key, value, removed.since)
	case removed != nil:
		return key, ""
	case key != "default" && !d.known[key]:
		return key, fmt.Sprintf("unknown //go:debug setting %q", key)
	}
	return key, ""
}
