package cgo

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"loam/internal/linkname"
)

// gc's compiler lays the parameters and results of functions with this pragma into one block of
// memory as C would, and the function passes the address of the first.
const unsafeArgs = "//go:cgo_unsafe_args"

// An edit replaces the text from one offset to another.
type edit struct {
	from, to int
	text     string
}

// rewrite makes the file with C's types and functions one for any compiler of Go: the functions
// that call C have their block of arguments as a variable, and no pragmas are left. exports are
// the symbols of functions that C calls, dynamic those that shared libraries may look for.
func rewrite(src []byte) (text []byte, exports, dynamic []string, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "_cgo_gotypes.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var edits []edit
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || !hasPragma(fd.Doc, unsafeArgs) {
			continue
		}
		if err := callsC(fd, src, at, &edits); err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %v", fd.Name.Name, err)
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:cgo_") {
				continue
			}
			if name, ok := strings.CutPrefix(c.Text, "//go:cgo_export_static "); ok {
				exports = append(exports, strings.Fields(name)[0])
			}
			if name, ok := strings.CutPrefix(c.Text, "//go:cgo_export_dynamic "); ok {
				dynamic = append(dynamic, strings.Fields(name)[0])
			}
			text := "//"
			if name, ok := strings.CutPrefix(c.Text, "//go:cgo_import_static "); ok {
				text = "//" + linkname.Extern + name
			}
			edits = append(edits, edit{at(c.Pos()), at(c.End()), text})
		}
	}
	return apply(src, edits), exports, dynamic, nil
}

func hasPragma(doc *ast.CommentGroup, pragma string) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		if c.Text == pragma {
			return true
		}
	}
	return false
}

// callsC gives a function its block of arguments, around the statement that makes the call. A
// statement behind that never runs lets the arguments escape: C gets no addresses in stacks, and
// the check of pointers sees all that they lead to.
func callsC(fd *ast.FuncDecl, src []byte, at func(token.Pos) int, edits *[]edit) error {
	var call ast.Stmt
	var address *ast.UnaryExpr
	for _, s := range fd.Body.List {
		ast.Inspect(s, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && address == nil {
				call, address = s, u
			}
			return address == nil
		})
	}
	if address == nil {
		return fmt.Errorf("no call of C")
	}
	var fields, stores, load strings.Builder
	for _, p := range fd.Type.Params.List {
		for _, name := range p.Names {
			fmt.Fprintf(&fields, "%s %s; ", name.Name, src[at(p.Type.Pos()):at(p.Type.End())])
			fmt.Fprintf(&stores, "%s.%s = %s; ", block, name.Name, name.Name)
		}
	}
	if r := fd.Type.Results.List[0]; len(r.Names) == 1 {
		if typ := string(src[at(r.Type.Pos()):at(r.Type.End())]); typ != "_Ctype_void" {
			fmt.Fprintf(&fields, "_ [0]uintptr; %s %s", r.Names[0].Name, typ)
			fmt.Fprintf(&load, "; %s = %s.%s", r.Names[0].Name, block, r.Names[0].Name)
		}
	}
	*edits = append(*edits,
		edit{at(call.Pos()), at(call.Pos()), fmt.Sprintf("var %s struct { %s }; %s", block, &fields, &stores)},
		edit{at(address.X.Pos()), at(address.X.End()), block},
		edit{at(call.End()), at(call.End()), load.String()})
	return nil
}

// block is the name of the variable that has a call's arguments and result.
const block = "_cgo_block"

// apply makes edits, which do not overlap.
func apply(src []byte, edits []edit) []byte {
	var out bytes.Buffer
	last := 0
	for _, e := range sorted(edits) {
		out.Write(src[last:e.from])
		out.WriteString(e.text)
		last = e.to
	}
	out.Write(src[last:])
	return out.Bytes()
}

// stackless takes the question out of a C file how far the goroutine's stack has moved: stacks stay
// where they are.
func stackless(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const asked, answered = "extern char* _cgo_topofstack(void);",
		"static inline __attribute__((unused)) char* _cgo_topofstack(void) { return (char*)0; }"
	return os.WriteFile(name, bytes.ReplaceAll(text, []byte(asked), []byte(answered)), 0o666)
}
