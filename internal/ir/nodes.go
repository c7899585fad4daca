package ir

import "encoding/binary"

// A nodeKind says whether a node with the same contents is the same node, by what stands in front
// of its tag.
type nodeKind string

const (
	shared   nodeKind = "!"
	distinct nodeKind = "distinct !"
)

// record prints a node, so that its references can be spelled later.
func (m *Module) record(kind nodeKind, tag string, fields []Field) recording {
	p := &m.scratch
	p.b, p.refs = p.b[:0], p.refs[:0]
	p.put(string(kind))
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
	return m.intern(m.record(shared, tag, fields))
}

// Distinct returns a new node.
func (m *Module) Distinct(tag string, fields ...Field) Meta {
	return m.addNode(m.record(distinct, tag, fields))
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

// Location returns the node of a line in a scope, inlined somewhere if that is not none.
func (m *Module) Location(line int, scope, inlinedAt Meta) Meta {
	at := place{line, scope, inlinedAt}
	ref, ok := m.locations[at]
	if !ok {
		ref = m.addNode(m.record(shared, "DILocation", at.fields()))
		m.locations[at] = ref
	}
	return ref
}

// InlinedAt returns a new node for where code was inlined.
func (m *Module) InlinedAt(line int, scope, inlinedAt Meta) Meta {
	return m.Distinct("DILocation", place{line, scope, inlinedAt}.fields()...)
}

// Reserve returns the reference of a node that Fill or FillDistinct makes later: nodes may refer to
// each other in circles.
func (m *Module) Reserve() Meta { return m.addNode(recording{}) }

// Fill makes a reserved node.
func (m *Module) Fill(ref Meta, tag string, fields ...Field) {
	m.fill(ref, m.record(shared, tag, fields))
}

// FillDistinct makes a reserved node that is equal to no other.
func (m *Module) FillDistinct(ref Meta, tag string, fields ...Field) {
	m.fill(ref, m.record(distinct, tag, fields))
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

// Named adds a named list of nodes.
func (m *Module) Named(name string, nodes ...Meta) {
	m.named = append(m.named, namedNodes{name, nodes})
}
