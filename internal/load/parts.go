package load

import (
	"bytes"
	"encoding/binary"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A part is a declaration of a stub that can be left out if nothing names it: a function, a method,
// types, variables, constants. All names of a package's parts are numbers in its list of names. A
// name behind a dot, which may be another package's or a method's, has the dot there.
type part struct {
	file     int
	from, to int   // in the file's text
	body     int   // where a function's body begins, 0 if it has none; it ends where the part does
	names    []int // what it declares; of a method the type's name
	function int   // the name of the function, of a method with a dot; only with a body
	uses     []int // names in it, but for the body
	calls    []int // names in the body
	always   bool  // it is needed by all who need the package
	whole    bool  // its body is needed by all who need it
}

// parted are the texts of a stub, and their parts.
type parted struct {
	texts [][]byte
	names []string
	parts []part
}

// partsOf finds the parts of stubs' texts.
func partsOf(texts [][]byte) (*parted, error) {
	s := &parter{parted: &parted{texts: texts}, number: map[string]int{}, defined: map[string]bool{}}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, text := range texts {
		f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					t := spec.(*ast.TypeSpec)
					s.defined[t.Name.Name] = !t.Assign.IsValid()
				}
			}
		}
	}
	for i, f := range files {
		s.file, s.text, s.of = i, texts[i], fset.File(f.FileStart)
		s.find(f)
	}
	return s.parted, nil
}

// parter finds parts.
type parter struct {
	*parted
	number  map[string]int  // of names
	defined map[string]bool // types that are no aliases

	file int // that is searched
	text []byte
	of   *token.File
}

func (s *parter) find(f *ast.File) {
	if bytes.IndexByte(s.text, '\r') >= 0 { // nobody knows where its strings end
		all := s.in(f)
		s.parts = append(s.parts, part{file: s.file, uses: all, calls: all, always: true, whole: true})
		return
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.function(d)
		case *ast.GenDecl:
			s.general(d)
		}
	}
}

func (s *parter) function(d *ast.FuncDecl) {
	p := s.part(d, d.Doc)
	p.uses = s.in(d.Type)
	if d.Recv == nil {
		p.function = s.name(d.Name.Name)
		p.names = []int{p.function}
	} else {
		base := receiver(d)
		p.function = s.name("." + d.Name.Name)
		p.names = []int{s.name(base)}
		p.always = p.always || !s.defined[base]
		p.uses = append(p.uses, s.in(d.Recv)...)
	}
	if d.Body != nil {
		p.body = s.of.Offset(d.Body.Pos())
		p.calls = s.in(d.Body)
		p.whole = neededUncalled(d)
		p.always = p.always || declaresTypes(d.Body)
	}
	s.parts = append(s.parts, p)
}

// receiver is the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	if len(d.Recv.List) != 1 {
		return ""
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := ast.Unparen(t).(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// general finds the parts of a declaration that is no function's. Constants of one declaration
// belong together.
func (s *parter) general(d *ast.GenDecl) {
	switch {
	case d.Tok == token.IMPORT:
	case d.Tok == token.CONST || !d.Lparen.IsValid():
		p := s.part(d, d.Doc)
		for _, spec := range d.Specs {
			s.specify(&p, spec)
		}
		s.parts = append(s.parts, p)
	default:
		for _, spec := range d.Specs {
			var doc *ast.CommentGroup
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc = spec.Doc
			case *ast.ValueSpec:
				doc = spec.Doc
			}
			p := s.part(spec, doc)
			s.specify(&p, spec)
			s.parts = append(s.parts, p)
		}
	}
}

func (s *parter) specify(p *part, spec ast.Spec) {
	p.uses = append(p.uses, s.in(spec)...)
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		p.names = append(p.names, s.name(spec.Name.Name))
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			p.names = append(p.names, s.name(id.Name))
		}
		p.always = p.always || slices.ContainsFunc(spec.Values, declaresTypes)
	}
}

// part is that of a node with its comment. It stays if it shares a line with something else, or has
// something that others depend on.
func (s *parter) part(n ast.Node, doc *ast.CommentGroup) part {
	from := n.Pos()
	if doc != nil {
		from = doc.Pos()
	}
	p := part{file: s.file, from: s.of.Offset(from), to: s.of.Offset(n.End())}
	before, after := s.text[:p.from], s.text[p.to:]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if end := bytes.IndexByte(after, '\n'); end >= 0 {
		after = after[:end]
	}
	text := s.text[p.from:p.to]
	p.always = len(bytes.TrimSpace(before)) > 0 || len(bytes.TrimSpace(after)) > 0 ||
		bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line "))
	return p
}

func (s *parter) name(text string) int {
	n, ok := s.number[text]
	if !ok {
		n = len(s.names)
		s.number[text] = n
		s.names = append(s.names, text)
	}
	return n
}

// in returns the names in a node that may be those of declarations, each once.
func (s *parter) in(n ast.Node) (list []int) {
	seen := map[string]bool{"_": true}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			list = append(list, s.name(name))
		}
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if len(n.Names) > 0 { // they are fields, methods or parameters, which it declares itself
				ast.Inspect(n.Type, visit)
				return false
			}
		case *ast.SelectorExpr:
			add("." + n.Sel.Name)
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			add(n.Name)
		}
		return true
	}
	ast.Inspect(n, visit)
	return list
}

// encode appends the names and parts to data.
func (s *parted) encode(data []byte) []byte {
	number := func(list ...int) {
		for _, n := range list {
			data = binary.AppendUvarint(data, uint64(n))
		}
	}
	number(len(s.names))
	for _, name := range s.names {
		number(len(name))
		data = append(data, name...)
	}
	number(len(s.parts))
	for i := range s.parts {
		p := &s.parts[i]
		flags := 0
		if p.always {
			flags |= partAlways
		}
		if p.whole {
			flags |= partWhole
		}
		number(p.file, p.from, p.to, p.body, p.function, flags)
		for _, list := range [][]int{p.names, p.uses, p.calls} {
			number(len(list))
			number(list...)
		}
	}
	return data
}

const partAlways, partWhole = 1, 2

// decodeParted reads a stub of n files.
func decodeParted(data []byte, n int) (*parted, error) {
	texts, data, err := decodeStubs(data, n)
	if err != nil {
		return nil, err
	}
	s := &parted{texts: texts}
	number := func(most int) int {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > uint64(most) {
			err, data = errStub, nil
			return 0
		}
		data = data[n:]
		return int(v)
	}
	s.names = make([]string, 0, number(len(data)))
	for range cap(s.names) {
		length := number(len(data))
		if length > len(data) {
			return nil, errStub
		}
		s.names = append(s.names, string(data[:length]))
		data = data[length:]
	}
	s.parts = make([]part, number(len(data)))
	numbers := make([]int, 0, len(data)) // of all lists: each takes a byte at least
	for i := range s.parts {
		p := &s.parts[i]
		if p.file = number(n); err != nil || p.file >= n {
			return nil, errStub
		}
		size := len(texts[p.file])
		p.from, p.to, p.body, p.function = number(size), number(size), number(size), number(len(s.names))
		flags := number(partAlways | partWhole)
		p.always, p.whole = flags&partAlways != 0, flags&partWhole != 0
		for _, list := range []*[]int{&p.names, &p.uses, &p.calls} {
			start := len(numbers)
			for range number(len(data)) {
				v := number(len(s.names))
				if err != nil || v >= len(s.names) {
					return nil, errStub
				}
				numbers = append(numbers, v)
			}
			*list = numbers[start:len(numbers):len(numbers)]
		}
		if p.from > p.to || p.body != 0 && (p.body < p.from || p.body > p.to) || p.body != 0 && p.function >= len(s.names) {
			return nil, errStub
		}
	}
	if err != nil || len(data) > 0 {
		return nil, errStub
	}
	return s, nil
}

// blankOut makes a part of a text spaces, but for the ends of lines.
func blankOut(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}
