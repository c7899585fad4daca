package load

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"strconv"
	"strings"

	"loam/internal/linkname"
)

// A directive is a //go: comment. It is about the declaration whose first token follows it, with
// other comments at most in between.
type directive struct {
	pos    token.Pos // of the text
	text   string    // without the slashes
	verb   string    // its first word
	target target
}

// target is what a directive can be about.
type target struct {
	// *ast.File for the package clause, *ast.FuncDecl, or the spec; nil if the directive is about
	// nothing
	node  ast.Node
	token token.Token // PACKAGE, FUNC, IMPORT, CONST, TYPE, VAR
	local bool        // in a function
}

// directives finds the directives of f. Faults that gc's parser finds are reported to bad.
func directives(f *ast.File, src []byte, bad func(pos token.Pos, msg string)) (list []directive) {
	if !strings.Contains(string(src), "//go:") {
		return nil
	}
	targets := targetsOf(f)
	var s scanner.Scanner
	own := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(own, src, nil, scanner.ScanComments)
	line, open := 0, 0 // where the last token ended; list[open:] wait for the next token
	for {
		p, tok, lit := s.Scan()
		offset := own.Offset(p)
		switch {
		case tok == token.COMMENT:
			text, ok := strings.CutPrefix(strings.TrimRight(lit, "\r\n"), "//")
			if !ok || !strings.HasPrefix(text, "go:") {
				continue
			}
			pos := f.FileStart + token.Pos(offset+len("//"))
			if own.Line(p) == line {
				bad(pos, "misplaced compiler directive")
				continue
			}
			verb, _, _ := strings.Cut(text, " ")
			list = append(list, directive{pos: pos, text: text, verb: verb})
			continue
		case tok == token.SEMICOLON && lit == "\n":
			continue
		case tok != token.EOF:
			line = own.Line(p) + strings.Count(lit, "\n")
		}
		for ; open < len(list); open++ {
			list[open].target = targets[f.FileStart+token.Pos(offset)]
			list[open].check(bad)
		}
		if tok == token.EOF {
			return list
		}
	}
}

// targetsOf returns what directives of f can be about, by the position of the first token.
func targetsOf(f *ast.File) map[token.Pos]target {
	targets := map[token.Pos]target{f.Package: {f, token.PACKAGE, false}}
	top := map[ast.Node]bool{}
	for _, d := range f.Decls {
		top[d] = true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			targets[n.Pos()] = target{n, token.FUNC, false}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				pos := spec.Pos()
				if !n.Lparen.IsValid() {
					pos = n.Pos()
				}
				targets[pos] = target{spec, n.Tok, !top[n]}
			}
		}
		return true
	})
	return targets
}

// functionDirectives are those that only functions have. A true one is for the run-time system's
// own packages.
var functionDirectives = map[string]bool{
	"go:noescape": false, "go:norace": false, "go:nosplit": false, "go:noinline": false, "go:nocheckptr": false,
	"go:cgo_unsafe_args": false, "go:uintptrkeepalive": false, "go:uintptrescapes": false, "go:registerparams": false,
	"go:systemstack": true, "go:nowritebarrier": true, "go:nowritebarrierrec": true, "go:yeswritebarrierrec": true,
}

// cgoDirectives are what cgo writes into files, with their arguments: how many at least and at
// most, and which one is quoted, 0 for none.
var cgoDirectives = map[string]struct {
	usage             string
	least, most, text int
}{
	"go:cgo_dynamic_linker": {`"path"`, 1, 1, 1},
	"go:cgo_export_dynamic": {"local [remote]", 1, 2, 0},
	"go:cgo_export_static":  {"local [remote]", 1, 2, 0},
	"go:cgo_import_dynamic": {`local [remote ["library"]]`, 1, 3, 3},
	"go:cgo_import_static":  {"local", 1, 1, 0},
	"go:cgo_ldflag":         {`"arg"`, 1, 1, 1},
}

// checkCgo reports what is wrong with one of cgo's. Only cgo may write them, but for the import of
// a symbol from a library that is named.
func (d *directive) checkCgo(words []string, bad func(token.Pos, string)) {
	if d.verb != "go:cgo_import_dynamic" || len(words) < 4 {
		bad(d.pos, fmt.Sprintf("//%s only allowed in cgo-generated code", d.text))
	}
	want, ok := cgoDirectives[d.verb]
	if !ok {
		return
	}
	n := len(words) - 1
	quoted := want.text == 0 || n < want.text || strings.HasPrefix(words[want.text], `"`) && strings.HasSuffix(words[want.text], `"`)
	if n < want.least || n > want.most || !quoted {
		bad(d.pos, "usage: //"+d.verb+" "+want.usage)
	}
}

// check reports what is wrong with d by itself, or if it is about nothing.
func (d *directive) check(bad func(token.Pos, string)) {
	words := strings.Fields(d.text)
	_, functions := functionDirectives[d.verb]
	switch {
	case d.verb == d.text && (linkname.Is(d.verb) || strings.HasPrefix(d.verb, "go:wasm")):
		// no directives without arguments
	case linkname.Is(d.verb):
		if len(words) < 2 || len(words) > 3 {
			bad(d.pos, "usage: //"+d.verb+" localname [linkname]")
		}
	case d.verb == "go:embed":
		if len(words) == 1 {
			bad(d.pos, "usage: //go:embed pattern...")
		} else if d.target.node == nil {
			bad(d.pos, "misplaced go:embed directive")
		}
	case d.verb == "go:wasmimport" && len(words) != 3:
		bad(d.pos, "usage: //go:wasmimport importmodule importname")
	case d.verb == "go:wasmexport" && len(words) != 2:
		bad(d.pos, "usage: //go:wasmexport exportname")
	case strings.HasPrefix(d.verb, "go:cgo_"):
		d.checkCgo(words, bad)
	case functionDirectives[d.verb]:
		bad(d.pos, fmt.Sprintf("//%s only allowed in runtime", d.verb))
	case d.verb == "go:uintptrkeepalive":
		bad(d.pos, fmt.Sprintf("//%s is only allowed in the standard library", d.verb))
	case (functions || d.verb == "go:build") && d.target.node == nil:
		bad(d.pos, "misplaced compiler directive")
	}
}

// directives reports what gc's type checker does not look at in the directives of a package without
// errors: those that are about something else than they should, and names that do not exist.
func (e *Errors) directives(fset *token.FileSet, files []*ast.File, lists [][]directive, pkg *types.Package) {
	linked := map[types.Object]bool{}
	for i, f := range files {
		imports := map[string]bool{}
		for _, im := range f.Imports {
			if path, err := strconv.Unquote(im.Path.Value); err == nil {
				imports[path] = true
			}
		}
		var embeds ast.Node // the last spec whose first go:embed has been looked at
		for _, d := range lists[i] {
			msg := ""
			_, functions := functionDirectives[d.verb]
			switch about := d.target.token; {
			case linkname.Is(d.verb) && d.verb != d.text:
				msg = e.linkname(d, imports["unsafe"], pkg, linked)
			case d.target.node == nil:
			case d.verb == "go:embed" && about != token.VAR:
				msg = "misplaced go:embed directive"
			case d.verb == "go:embed" && embeds != d.target.node:
				embeds = d.target.node
				msg = e.embedFault(d.target, imports["embed"])
			case functions && about != token.FUNC, d.verb == "go:build" && about != token.PACKAGE:
				msg = "misplaced compiler directive"
			case d.verb == "go:noescape" && d.target.node.(*ast.FuncDecl).Body != nil:
				fd := d.target.node.(*ast.FuncDecl)
				at := fd.Name.Pos()
				if fd.Recv != nil {
					at = fd.Recv.Pos()
				}
				e.Add(fset.Position(at), "can only use //go:noescape with external func implementations")
			}
			if msg != "" {
				e.Add(fset.Position(d.pos), msg)
			}
		}
	}
}

// linkname tells what is wrong with the directive d, a go:linkname or go:linknamestd. linked has
// the objects with such a directive so far.
func (e *Errors) linkname(d directive, unsafe bool, pkg *types.Package, linked map[types.Object]bool) string {
	words := strings.Fields(d.text)
	if !unsafe {
		return "//" + d.verb + ` only allowed in Go files that import "unsafe"`
	}
	if remote := words[len(words)-1]; len(words) == 3 && strings.Contains(remote, "[") && strings.Contains(remote, "]") {
		return "//" + d.verb + " reference of an instantiation is not allowed"
	}
	switch obj := pkg.Scope().Lookup(words[1]).(type) {
	case *types.Func, *types.Var:
		if linked[obj] {
			return "duplicate //" + d.verb + " for " + words[1]
		}
		linked[obj] = true
		return ""
	}
	if version.Compare(e.Lang, "go1.18") < 0 {
		return ""
	}
	return "//" + d.verb + " must refer to declared function or variable"
}

// embedFault tells why a variable cannot have a go:embed directive; imported: the file imports
// package embed.
func (e *Errors) embedFault(t target, imported bool) string {
	spec := t.node.(*ast.ValueSpec)
	switch {
	case !imported:
		return `go:embed requires import "embed" (or import _ "embed", if package is not used)`
	case len(spec.Names) > 1:
		return "go:embed cannot apply to multiple vars"
	case len(spec.Values) > 0:
		return "go:embed cannot apply to var with initializer"
	case t.local:
		return "go:embed cannot apply to var inside func"
	case version.Compare(e.Lang, "go1.16") < 0:
		return fmt.Sprintf("go:embed requires go1.16 or later (-lang was set to %s; check go.mod)", e.Lang)
	}
	return ""
}
