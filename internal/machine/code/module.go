package code

import (
	"bytes"
	"strconv"
	"strings"
)

// A Module is what a chunk's text says outside of functions. Functions are handed on one by one.
type Module struct {
	Symbols []Symbol
	Comdats []Comdat
	Vars    []Var
	Nodes   [][]byte // of metadata, by number: what is behind the equals sign
	Path    string

	byName  map[string]int32 // by the name as the text spells it
	byReal  map[string]int32
	twice   map[string]bool // functions that return twice
	comdats map[string]int32
}

// Symbol returns the number of the symbol of that name, which the module may not have mentioned.
func (m *Module) Symbol(name string) int32 { return m.symbolNamed(name) }

// Read reads a module. It calls do with each function that the module defines, in order. What it
// is called with is used again for the next function.
func Read(text []byte, do func(m *Module, f *Func, d *Def)) (m *Module, err error) {
	defer Catch(&err)
	if len(text) == 0 || text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	m = &Module{byName: map[string]int32{}, byReal: map[string]int32{}, comdats: map[string]int32{}, twice: twice(text)}
	r := &reader{b: text, m: m, types: map[string]*Type{}}
	for name, t := range fixed {
		r.types[name] = t
	}
	r.fn.labels = map[string]int32{}
	r.fn.named = map[string]int32{}
	for r.at < len(r.b) {
		switch r.b[r.at] {
		case '@':
			r.global()
		case 'd':
			if r.take("define") {
				r.define(do)
			}
		case '$':
			r.comdatLine()
		case '!':
			r.node()
		case 's':
			if r.take("source_filename =") {
				r.space()
				m.Path = r.quoted()
			}
		case 'm', '\n', ';', 't', 'a':
		default:
			Fail("line %s", r.line())
		}
		r.skipLine()
	}
	for i := range m.Vars {
		m.Vars[i].Associated = -1
		if node := m.Vars[i].assocNode; node >= 0 {
			r.b, r.at = append(bytes.Clone(m.Nodes[node]), "\n  "...), 0
			r.expect("!{")
			r.expect("ptr")
			r.space()
			m.Vars[i].Associated = r.symbol()
		}
	}
	return m, nil
}

// twice are the functions whose declarations say that they return twice. Those come behind
// the functions that call them.
func twice(text []byte) map[string]bool {
	var names map[string]bool
	for rest := text; ; {
		i := bytes.Index(rest, []byte(") #3\n"))
		if i < 0 {
			return names
		}
		line := rest[bytes.LastIndexByte(rest[:i], '\n')+1 : i]
		if at := bytes.Index(line, []byte(` @"`)); at >= 0 && bytes.HasPrefix(line, []byte("declare ")) {
			name := line[at+3:]
			if names == nil {
				names = map[string]bool{}
			}
			names[string(unescape(name[:bytes.IndexByte(name, 0x22)]))] = true
		}
		rest = rest[i+1:]
	}
}

func (r *reader) comdat(name string) int32 {
	if c, ok := r.m.comdats[name]; ok {
		return c
	}
	c := int32(len(r.m.Comdats))
	r.m.Comdats = append(r.m.Comdats, Comdat{Name: name})
	r.m.comdats[name] = c
	return c
}

func (r *reader) comdatLine() {
	r.at++
	c := r.comdat(strings.TrimPrefix(r.name(), "\x01"))
	r.expect("=")
	r.expect("comdat")
	r.m.Comdats[c].NoDuplicates = r.take("nodeduplicate")
}

// node notes where a node of metadata is.
func (r *reader) node() {
	r.at++
	n := bytes.IndexByte(r.b[r.at:], ' ')
	number, err := strconv.Atoi(string(r.b[r.at : r.at+n]))
	if err != nil {
		return // a list with a name
	}
	for len(r.m.Nodes) <= number {
		r.m.Nodes = append(r.m.Nodes, nil)
	}
	r.at += n
	r.expect("=")
	r.space()
	end := bytes.IndexByte(r.b[r.at:], '\n')
	r.m.Nodes[number] = r.b[r.at : r.at+end]
}

var linkages = []struct {
	word    string
	linkage Linkage
}{
	{"private", Private}, {"internal", Internal}, {"linkonce_odr", LinkOnce}, {"weak_odr", Weak}, {"weak", Weak},
	{"available_externally", Available}, {"extern_weak", ExternWeak}, {"external", External}, {"appending", External},
}

// linkage reads words that say who else has a symbol. What is appending is a list for LLVM, of
// which nothing is made.
func (r *reader) linkage() (l Linkage, declared, hidden bool) {
	for _, x := range linkages {
		if r.take(x.word) {
			l, declared = x.linkage, x.word == "external" || x.word == "extern_weak" || x.word == "appending"
			break
		}
	}
	return l, declared, r.take("hidden")
}

// place reads where a definition goes: section, comdat, alignment and what it stays with.
func (r *reader) place(d *Def) {
	d.Comdat, d.assocNode, d.Associated, d.About = -1, -1, -1, -1
	for {
		r.take(",")
		switch {
		case r.take("section"):
			r.space()
			d.Section = r.quoted()
		case r.take("comdat"):
			name := r.m.Symbols[d.Symbol].Name
			if r.take("($") {
				name = strings.TrimPrefix(r.name(), "\x01")
				r.expect(")")
			}
			d.Comdat = r.comdat(name)
		case r.take("align"):
			d.Align = r.number()
		case r.take("!associated"):
			r.expect("!")
			d.assocNode = int32(r.number())
		case r.take("!dbg"):
			r.expect("!")
			d.About = int32(r.number())
		default:
			return
		}
	}
}

// global reads the line of a variable or constant.
func (r *reader) global() {
	sym := r.symbol()
	r.expect("=")
	l, declared, hidden := r.linkage()
	s := &r.m.Symbols[sym]
	s.Linkage, s.Hidden = l, hidden
	v := Var{Def: Def{Symbol: sym}}
	v.Unnamed = r.take("unnamed_addr")
	if r.take("constant") {
		v.Const = true
	} else {
		r.expect("global")
	}
	t := r.typ()
	if declared || l == Available {
		return
	}
	s.Defined = true
	v.Size = t.size
	d := data{r: r, v: &v}
	d.constant(t, 0)
	r.place(&v.Def)
	if v.Align == 0 {
		v.Align = t.align
	}
	r.m.Vars = append(r.m.Vars, v)
}

// data collects what a variable begins with.
type data struct {
	r *reader
	v *Var
}

func (d *data) bytes(off, size int64) []byte {
	if d.v.Data == nil {
		d.v.Data = make([]byte, d.v.Size)
	}
	return d.v.Data[off : off+size]
}

// constant reads a constant of type t that lies at off.
func (d *data) constant(t *Type, off int64) {
	r := d.r
	r.space()
	switch {
	case r.take("zeroinitializer"), r.take("null"), r.take("undef"), r.take("poison"):
		return
	case r.b[r.at] == 'c' && r.b[r.at+1] == '"':
		r.at++
		n := bytes.IndexByte(r.b[r.at+1:], '"')
		text := r.b[r.at+1 : r.at+1+n]
		r.at += n + 2
		if bytes.IndexByte(text, '\\') >= 0 {
			text = unescape(text)
		}
		copy(d.bytes(off, int64(len(text))), text)
		return
	}
	switch t.kind {
	case structType, arrayType:
		for _, open := range []string{"<{", "{", "["} {
			if r.take(open) {
				break
			}
		}
		for i := int64(0); ; i++ {
			if r.take("}>") || r.take("}") || r.take("]") {
				return
			}
			p := r.typ()
			_, at, _ := t.part(i)
			d.constant(p, off+at)
			r.take(",")
		}
	}
	c := r.scalarConst(t)
	if t.bits == 128 {
		if c.N != 0 || c.Kind != Int {
			Fail("constant of 128 bits")
		}
		return
	}
	if c.Kind == SymbolAt {
		d.bytes(off, t.size)
		d.v.Relocs = append(d.v.Relocs, Reloc{At: off, Symbol: c.Symbol, Add: c.N, Size: t.size})
		return
	}
	if c.N != 0 {
		b := d.bytes(off, t.size)
		for i := range b {
			b[i] = byte(uint64(c.N) >> (8 * i))
		}
	}
}
