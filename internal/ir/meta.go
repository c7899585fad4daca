package ir

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

// place is a line of a scope.
type place struct {
	line             int
	scope, inlinedAt Meta
}

func (at place) fields() []Field {
	fields := []Field{Number("line", at.line), Node("scope", at.scope)}
	if at.inlinedAt != 0 {
		fields = append(fields, Node("inlinedAt", at.inlinedAt))
	}
	return fields
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
