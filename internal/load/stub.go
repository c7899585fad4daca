package load

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// parseStub parses what other packages need of p's files.
func (u *Universe) parseStub(p *Package) (files []*ast.File, err error) {
	defer u.Lane.Begin(p.ImportPath, "parse").End()
	s, err := u.stub(p)
	if err != nil {
		return nil, err
	}
	if files, err = u.parseTexts(p, s.texts); err != nil {
		return nil, err
	}
	for _, f := range files {
		u.stripBodies(p, f)
	}
	return files, nil
}

// parseTexts parses the texts of p's stub.
func (u *Universe) parseTexts(p *Package, texts [][]byte) (files []*ast.File, err error) {
	for i, name := range p.GoFiles {
		f, err := parser.ParseFile(u.Fset, u.Show(name), texts[i], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		u.lines.note(u.Fset, f, texts[i])
		files = append(files, f)
	}
	return files, nil
}

// stub returns p's stub, and keeps it if it had to be made.
func (u *Universe) stub(p *Package) (*parted, error) {
	if u.Stubs != nil {
		if data, ok := u.Stubs.Load(p); ok {
			if s, err := decodeParted(data, len(p.GoFiles)); err == nil {
				return s, nil
			}
		}
	}
	var data []byte
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		own := token.NewFileSet()
		f, err := parser.ParseFile(own, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		data = encodeStub(data, text, u.blanks(p, own.File(f.FileStart), f, text))
	}
	texts, _, err := decodeStubs(data, len(p.GoFiles))
	if err != nil {
		return nil, err
	}
	s, err := partsOf(texts)
	if err != nil {
		return nil, err
	}
	if u.Stubs != nil {
		u.Stubs.Store(p, s.encode(data))
	}
	return s, nil
}

// span is a part of a file's text, by offsets, and what stands at its beginning instead.
type span struct {
	from, to int
	instead  string
}

// blanks are the parts of a file of p that no other package can need: bodies of functions, all of
// functions that nobody can call, the values of variables whose types are written beside them, and
// comments that are no directives. There are none in files with carriage returns, of which syntax
// trees do not tell where comments and strings end.
func (u *Universe) blanks(p *Package, file *token.File, f *ast.File, text []byte) (list []span) {
	if bytes.IndexByte(text, '\r') >= 0 {
		return nil
	}
	blank := func(from, to token.Pos) { list = append(list, span{from: file.Offset(from), to: file.Offset(to)}) }
	for _, group := range f.Comments {
		for _, c := range group.List {
			if !isDirective(c.Text) {
				blank(c.Pos(), c.End())
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Body == nil || u.othersNeed(p, d):
			case d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_"):
				from := d.Pos()
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
				blank(from, d.End())
			default:
				blank(d.Body.Pos(), d.Body.End())
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				blankValues(spec.(*ast.ValueSpec), blank)
				list = append(list, blankArrays(spec.(*ast.ValueSpec), file, text)...)
			}
		}
	}
	return list
}

// isDirective tells of comments that mean something to a compiler.
func isDirective(text string) bool {
	for _, head := range []string{"//go:", "//line ", "/*line ", "//loam:", "//export "} {
		if len(text) >= len(head) && text[:len(head)] == head {
			return true
		}
	}
	return false
}

// blankValues blanks what gives variables their values and not their types. Types that are declared
// in there count for the names of others.
func blankValues(spec *ast.ValueSpec, blank func(from, to token.Pos)) {
	if slices.ContainsFunc(spec.Values, declaresTypes) {
		return
	}
	if spec.Type != nil && len(spec.Values) > 0 {
		blank(spec.Type.End(), spec.Values[len(spec.Values)-1].End())
		return
	}
	for _, v := range spec.Values {
		v = ast.Unparen(v)
		if u, ok := v.(*ast.UnaryExpr); ok && u.Op == token.AND {
			v = ast.Unparen(u.X)
		}
		if lit, ok := v.(*ast.CompositeLit); ok && countedArray(lit) == nil {
			blank(lit.Lbrace+1, lit.Rbrace)
		}
	}
}

// countedArray is the type of an array that gets its length from its elements, nil for others.
func countedArray(lit *ast.CompositeLit) *ast.ArrayType {
	if t, ok := lit.Type.(*ast.ArrayType); ok {
		if _, ok := t.Len.(*ast.Ellipsis); ok {
			return t
		}
	}
	return nil
}

// blankArrays blanks the elements of arrays that these count, and writes the number instead.
func blankArrays(spec *ast.ValueSpec, file *token.File, text []byte) (list []span) {
	if spec.Type != nil || slices.ContainsFunc(spec.Values, declaresTypes) {
		return nil
	}
	for _, v := range spec.Values {
		lit, ok := v.(*ast.CompositeLit)
		if !ok || slices.ContainsFunc(lit.Elts, isKeyed) {
			continue
		}
		if t := countedArray(lit); t != nil {
			element := text[file.Offset(t.Elt.Pos()):file.Offset(t.Elt.End())]
			counted := fmt.Sprintf("%d]%s{", len(lit.Elts), element)
			s := span{file.Offset(t.Len.Pos()), file.Offset(lit.Rbrace), counted}
			if gone := text[s.from:s.to]; bytes.IndexByte(element, '\n') < 0 &&
				len(counted) < len(gone)-bytes.Count(gone, []byte("\n"))-afterLastLine(gone) {
				list = append(list, s)
			}
		}
	}
	return list
}

func isKeyed(e ast.Expr) bool {
	_, ok := e.(*ast.KeyValueExpr)
	return ok
}

// afterLastLine is the number of bytes after the last line end of text.
func afterLastLine(text []byte) int { return len(text) - 1 - bytes.LastIndexByte(text, '\n') }

// encodeStub appends to data what decodeStub reads: the length of the text, and in turn a piece of
// it and what a blank part must have of it, so that all that follows keeps its offset, line and
// column: length, number of line ends, and bytes after the last of these.
func encodeStub(data, text []byte, list []span) []byte {
	slices.SortFunc(list, func(a, b span) int { return a.from - b.from })
	data = binary.AppendUvarint(data, uint64(len(text)))
	at := 0
	for i := 0; i < len(list); {
		b := list[i]
		for i++; i < len(list) && list[i].from < b.to; i++ {
			b.to = max(b.to, list[i].to)
		}
		gone := text[b.from:b.to]
		lines, tail := bytes.Count(gone, []byte("\n")), afterLastLine(gone)
		data = binary.AppendUvarint(data, uint64(b.from-at+len(b.instead)))
		data = append(append(data, text[at:b.from]...), b.instead...)
		data = binary.AppendUvarint(data, uint64(len(gone)-len(b.instead)))
		data = binary.AppendUvarint(data, uint64(lines))
		data = binary.AppendUvarint(data, uint64(min(tail, len(gone)-len(b.instead))))
		at = b.to
	}
	data = binary.AppendUvarint(data, uint64(len(text)-at))
	return append(data, text[at:]...)
}

var errStub = errors.New("a stub is damaged")

// decodeStubs returns the texts of n files, and the data that follows them.
func decodeStubs(data []byte, n int) (texts [][]byte, rest []byte, err error) {
	for range n {
		var text []byte
		if text, data, err = decodeStub(data); err != nil {
			return nil, nil, err
		}
		texts = append(texts, text)
	}
	return texts, data, nil
}

// decodeStub returns the text of one file, and the data that follows it.
func decodeStub(data []byte) (text, rest []byte, err error) {
	number := func() int {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > 1<<40 {
			err, data = errStub, nil
			return 0
		}
		data = data[n:]
		return int(v)
	}
	size := number()
	if size > 1<<30 {
		return nil, nil, errStub
	}
	text = make([]byte, 0, size)
	for err == nil {
		n := number()
		if n > len(data) || n > size-len(text) {
			return nil, nil, errStub
		}
		text, data = append(text, data[:n]...), data[n:]
		if len(text) == size {
			return text, data, err
		}
		gone, lines, tail := number(), number(), number()
		if gone > size-len(text) || lines+tail > gone {
			return nil, nil, errStub
		}
		text = appendBlank(text, gone, lines, tail)
	}
	return nil, nil, err
}

// appendBlank appends n bytes of space with that many line ends, the last of which has tail bytes
// after it.
func appendBlank(text []byte, n, lines, tail int) []byte {
	if lines > 0 {
		text = append(text, bytes.Repeat([]byte("\n"), lines-1)...)
		text = append(text, bytes.Repeat([]byte(" "), n-lines-tail)...)
		text = append(text, '\n')
		n = tail
	}
	return append(text, bytes.Repeat([]byte(" "), n)...)
}
