package chunk

import (
	"bytes"
	"strconv"
)

// A definition is a function or variable of the module, with its text and what that refers to.
type definition struct {
	name  string // as it is written, without the @
	index int    // in the module
	text  text
	end   int // of the first line, up to the brace of a function
	owner int // the chunk that defines it

	isFunc    bool
	isConst   bool
	local     bool // private or internal
	mergeable bool // linkonce: other packages may have it too
	copied    bool // each chunk that needs it has a copy
	foreign   bool // of another package, there to be inlined
	promoted  bool // local, but needed by other chunks
	shared    bool // other chunks refer to it
	tied      *definition
	refs      []*definition // each once, in order of appearance
	small     bool          // see lend.go
	file      string        // where a function is
	line      int
}

// module is what is to be divided.
type module struct {
	header  []byte // lines that each chunk has
	path    string // of the package
	defs    []*definition
	byName  map[string]*definition
	declare map[string][]byte // lines of declarations, by name
	comdats map[string][]byte // likewise
	named   []text            // named metadata
	nodes   []text            // metadata, by number
	unit    int               // number of the compile unit's node
	used    map[string]bool   // names in llvm.compiler.used
}

// parse finds the parts of a module.
func parse(ir []byte) *module {
	m := &module{byName: map[string]*definition{}, declare: map[string][]byte{}, comdats: map[string][]byte{},
		used: map[string]bool{}, unit: -1}
	for len(ir) > 0 {
		line := ir
		if i := bytes.IndexByte(ir, '\n'); i >= 0 {
			line = ir[:i+1]
		}
		if bytes.HasPrefix(line, []byte("define ")) {
			if i := bytes.Index(ir, []byte("\n}\n")); i >= 0 {
				line = ir[:i+3]
			}
		}
		ir = ir[len(line):]
		m.add(line)
	}
	for _, d := range m.defs {
		m.resolve(d)
	}
	return m
}

// add takes in a definition, a declaration or another line.
func (m *module) add(line []byte) {
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case bytes.HasPrefix(line, []byte("define ")):
		m.define(newFunction(line))
	case bytes.HasPrefix(line, []byte("declare ")):
		t := scan(line)
		m.declare[t.first('@')] = line
	case line[0] == '@':
		t := scan(line)
		words := leadingWords(line[bytes.Index(line, []byte(" = "))+3:])
		switch name := t.first('@'); {
		case name == "llvm.compiler.used":
			for _, k := range t.tokens[1:] {
				m.used[t.name(k)] = true
			}
		case words["external"] || words["extern_weak"]:
			m.declare[name] = line
		default:
			m.define(newVariable(t, words))
		}
	case line[0] == '$':
		t := scan(line)
		m.comdats[t.first('$')] = line
	case line[0] == '!' && len(line) > 1 && '0' <= line[1] && line[1] <= '9':
		t := scan(line)
		if bytes.Contains(line[:min(40, len(line))], []byte("distinct !DICompileUnit(")) {
			m.unit = len(m.nodes)
		}
		m.nodes = append(m.nodes, t)
	case line[0] == '!':
		m.named = append(m.named, scan(line))
	default:
		if path, ok := bytes.CutPrefix(line, []byte("source_filename = \"")); ok {
			m.path = string(path[:bytes.IndexByte(path, '"')])
		}
		m.header = append(m.header, line...)
	}
}

func (m *module) define(d *definition) {
	d.owner = none
	d.index = len(m.defs)
	m.defs = append(m.defs, d)
	m.byName[d.name] = d
}

// newFunction makes the definition of a function.
func newFunction(source []byte) *definition {
	t := scan(source)
	end := bytes.IndexByte(source, '\n')
	words := leadingWords(source[len("define "):end])
	d := &definition{name: t.first('@'), text: t, end: end, isFunc: true, local: words["internal"] || words["private"],
		mergeable: words["linkonce_odr"], foreign: words["available_externally"]}
	d.small = lendable(source, end)
	return d
}

// newVariable makes the definition of a variable or constant.
func newVariable(t text, words map[string]bool) *definition {
	d := &definition{name: t.first('@'), text: t, end: len(t.source) - 1, isConst: words["constant"],
		local: words["internal"] || words["private"], mergeable: words["linkonce_odr"]}
	d.copied = words["private"] && words["unnamed_addr"] && d.isConst
	d.small = d.isConst && len(t.source) < maxConst
	return d
}

// leadingWords are the keywords that text begins with, those of linkage among them.
func leadingWords(source []byte) map[string]bool {
	words := map[string]bool{}
	for {
		i := 0
		for i < len(source) && (source[i] >= 'a' && source[i] <= 'z' || source[i] == '_') {
			i++
		}
		if i == 0 || i == len(source) || source[i] != ' ' {
			return words
		}
		word := string(source[:i])
		words[word] = true
		if word == "constant" || word == "global" {
			return words
		}
		source = source[i+1:]
	}
}

// resolve finds the definitions that d refers to, and what it has to be with: the linker keeps or
// drops it together with that.
func (m *module) resolve(d *definition) {
	seen := map[*definition]bool{d: true}
	for _, k := range d.text.tokens {
		if k.kind != '@' {
			continue
		}
		if r := m.byName[d.text.name(k)]; r != nil && !seen[r] {
			seen[r] = true
			d.refs = append(d.refs, r)
		}
	}
	if !d.isFunc {
		if i := bytes.Index(d.text.source, []byte(", !associated !")); i >= 0 {
			node := m.nodes[leadingNumber(d.text.source[i+len(", !associated !"):])]
			d.tied = m.byName[node.first('@')]
		}
		return
	}
	head := d.text.source[:d.end]
	if i := bytes.LastIndex(head, []byte("!dbg !")); i >= 0 {
		node := m.nodes[leadingNumber(head[i+len("!dbg !"):])].source
		if i := bytes.Index(node, []byte(", file: !")); i >= 0 {
			d.file = string(m.nodes[leadingNumber(node[i+len(", file: !"):])].source)
			_, d.file, _ = cut(d.file, " = ")
		}
		if i := bytes.Index(node, []byte(", line: ")); i >= 0 {
			d.line = leadingNumber(node[i+len(", line: "):])
		}
	}
}

// leadingNumber is the number that source begins with.
func leadingNumber(source []byte) int {
	n, _ := strconv.Atoi(string(source[:digits(source)]))
	return n
}

// digits are how many digits source begins with.
func digits(source []byte) (n int) {
	for n < len(source) && '0' <= source[n] && source[n] <= '9' {
		n++
	}
	return n
}
