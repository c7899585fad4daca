package ir

import "encoding/binary"

// Meta is a reference to a node of metadata; 0 is none.
type Meta int32

// String is how LLVM spells it.
func (m Meta) String() string { return text(func(p *printer) { p.meta(m) }) }

// A Field is a part of a node.
type Field struct {
	name string
	kind fieldKind
	text string
	n    int64
	list []Meta
}

type fieldKind uint8

const (
	wordField fieldKind = iota
	textField
	numberField
	nodeField
	listField
)

// Word is a field that is a keyword, or nothing with a name.
func Word(name, word string) Field { return Field{name: name, text: word} }

// Text is a field that is a string.
func Text(name, s string) Field { return Field{name: name, kind: textField, text: s} }

// Number is a field that is a number.
func Number[N int | int64](name string, n N) Field {
	return Field{name: name, kind: numberField, n: int64(n)}
}

// Node is a field that is another node, or null.
func Node(name string, m Meta) Field { return Field{name: name, kind: nodeField, list: []Meta{m}} }

// Nodes is a field that is a list of nodes.
func Nodes(name string, list []Meta) Field { return Field{name: name, kind: listField, list: list} }

func (f Field) print(p *printer) {
	if f.name != "" {
		p.put(f.name + ": ")
	}
	switch f.kind {
	case wordField:
		p.put(f.text)
	case textField:
		p.put(`"` + Escape(f.text) + `"`)
	case numberField:
		p.int(f.n)
	case nodeField:
		p.node(f.list[0])
	case listField:
		p.put("!{")
		for i, m := range f.list {
			if i > 0 {
				p.put(", ")
			}
			p.node(m)
		}
		p.put("}")
	}
}

func (p *printer) node(m Meta) {
	if m == 0 {
		p.put("null")
		return
	}
	p.meta(m)
}

// record prints a node, so that its references can be spelled later.
func (m *Module) record(distinct bool, tag string, fields []Field) recording {
	p := &m.scratch
	p.b, p.refs = p.b[:0], p.refs[:0]
	if distinct {
		p.put("distinct ")
	}
	p.put("!")
	p.put(tag)
	p.put("(")
	for i, f := range fields {
		if i > 0 {
			p.put(", ")
		}
		f.print(p)
	}
	p.put(")")
	return p.taken()
}

func (m *Module) addNode(r recording) Meta {
	m.nodes = append(m.nodes, r)
	return Meta(len(m.nodes))
}

// intern returns the node of that contents.
func (m *Module) intern(r recording) Meta {
	key := r.text
	if len(r.refs) > 0 {
		b := []byte(key)
		for _, ref := range r.refs {
			b = binary.LittleEndian.AppendUint32(append(b, 0), uint32(ref.to))
		}
		key = string(b)
	}
	ref, ok := m.interned[key]
	if !ok {
		ref = m.addNode(r)
		m.interned[key] = ref
	}
	return ref
}

// Node returns the node of a kind with these fields. There is one of each.
func (m *Module) Node(tag string, fields ...Field) Meta {
	return m.intern(m.record(false, tag, fields))
}

// Distinct returns a new node.
func (m *Module) Distinct(tag string, fields ...Field) Meta {
	return m.addNode(m.record(true, tag, fields))
}

// Tuple returns the node that lists values without names; text is what is between its braces, which
// refers to nothing.
func (m *Module) Tuple(text string) Meta { return m.intern(recording{text: "!{" + text + "}"}) }

// AliasScope returns the list that has one scope of memory, of that name.
func (m *Module) AliasScope(name string) Meta {
	domain := m.Tuple(`!"loam"`)
	return m.listOf("", m.listOf(`!"`+name+`", `, domain))
}

// listOf returns the node that has text and then another node.
func (m *Module) listOf(text string, node Meta) Meta {
	p := &m.scratch
	p.b, p.refs = p.b[:0], p.refs[:0]
	p.put("!{")
	p.put(text)
	p.meta(node)
	p.put("}")
	return m.intern(p.taken())
}

// AddressNode returns the node that holds the address of a global.
func (m *Module) AddressNode(v Value) Meta {
	p := &m.scratch
	p.b, p.refs = p.b[:0], p.refs[:0]
	p.put("!{")
	v.printTyped(p)
	p.put("}")
	return m.intern(p.taken())
}

// place is a line of a scope.
type place struct {
	line             int
	scope, inlinedAt Meta
}

// Location returns the node of a line in a scope, inlined somewhere if that is not none.
func (m *Module) Location(line int, scope, inlinedAt Meta) Meta {
	at := place{line, scope, inlinedAt}
	ref, ok := m.locations[at]
	if !ok {
		ref = m.addNode(m.record(false, "DILocation", at.fields()))
		m.locations[at] = ref
	}
	return ref
}

// InlinedAt returns a new node for where code was inlined.
func (m *Module) InlinedAt(line int, scope, inlinedAt Meta) Meta {
	return m.Distinct("DILocation", place{line, scope, inlinedAt}.fields()...)
}

func (at place) fields() []Field {
	fields := []Field{Number("line", at.line), Node("scope", at.scope)}
	if at.inlinedAt != 0 {
		fields = append(fields, Node("inlinedAt", at.inlinedAt))
	}
	return fields
}

// Reserve returns the reference of a node that Fill or FillDistinct makes later: nodes may refer to
// each other in circles.
func (m *Module) Reserve() Meta { return m.addNode(recording{}) }

// Fill makes a reserved node.
func (m *Module) Fill(ref Meta, tag string, fields ...Field) {
	m.fill(ref, m.record(false, tag, fields))
}

// FillDistinct makes a reserved node that is equal to no other.
func (m *Module) FillDistinct(ref Meta, tag string, fields ...Field) {
	m.fill(ref, m.record(true, tag, fields))
}

func (m *Module) fill(ref Meta, r recording) {
	if m.nodes[ref-1].text != "" {
		panic("ir: node " + ref.String() + " is made twice")
	}
	m.nodes[ref-1] = r
}

// SetUnit makes a reserved node the compile unit, which lists the descriptions of variables, if all
// are described.
func (m *Module) SetUnit(ref Meta, listed bool, globals []Meta, fields ...Field) {
	m.unit, m.unitListed, m.unitGlobals, m.unitFields = ref, listed, globals, fields
}

// printNode prints a node's line. Of the unit's globals only those are listed that keep wants.
func (p *printer) printNode(m *Module, ref Meta, keep func(Meta) bool) {
	p.meta(ref)
	p.put(" = ")
	if ref == m.unit {
		fields := m.unitFields
		if m.unitListed {
			var list []Meta
			for _, g := range m.unitGlobals {
				if keep(g) {
					list = append(list, g)
				}
			}
			fields = append(fields[:len(fields):len(fields)], Nodes("globals", list))
		}
		p.put("distinct !DICompileUnit(")
		for i, f := range fields {
			if i > 0 {
				p.put(", ")
			}
			f.print(p)
		}
		p.put(")")
	} else {
		p.play(m, m.nodes[ref-1])
	}
	p.put("\n")
}

// Named adds a named list of nodes.
func (m *Module) Named(name string, nodes ...Meta) {
	m.named = append(m.named, namedNodes{name, nodes})
}

type namedNodes struct {
	name  string
	nodes []Meta
}

func (n namedNodes) print(p *printer) {
	p.put("!" + n.name + " = ")
	Nodes("", n.nodes).print(p)
	p.put("\n")
}
