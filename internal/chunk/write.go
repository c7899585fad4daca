package chunk

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Split divides a module. A module that is not much bigger than a chunk stays whole.
func Split(ir []byte, l Limits) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(ir) <= l.Most {
			yield(ir)
			return
		}
		m := parse(ir)
		parts := m.assign(l)
		for _, p := range parts {
			p.borrow()
		}
		names := m.export(parts)
		for i, p := range parts {
			w := &writer{m: m, p: p, number: i, names: names, numbered: map[*definition]string{}, nodes: map[int]int{}}
			if !yield(w.module()) {
				return
			}
		}
	}
}

// writer writes a chunk.
type writer struct {
	m        *module
	p        *part
	number   int                    // of the chunk
	names    map[*definition]string // of promoted definitions
	numbered map[*definition]string // of local variables that only this chunk has
	nodes    map[int]int            // new numbers of metadata
	queue    []int                  // metadata to write
	globals  map[int]bool           // metadata of the chunk's own variables
	out      bytes.Buffer
}

func (w *writer) module() []byte {
	w.out.Write(w.m.header)
	w.out.WriteByte('\n')
	for _, t := range w.m.named {
		w.text(t, 0, len(t.source))
	}
	w.globals = map[int]bool{}
	for _, d := range w.p.own {
		if !d.isFunc {
			for _, k := range d.text.tokens {
				if k.kind == '!' {
					w.globals[leadingNumber(d.text.source[k.from:])] = true
				}
			}
		}
	}
	var used []string
	own := func(d *definition) {
		w.comdats(d)
		w.own(d)
		if w.m.used[d.name] {
			used = append(used, "ptr @"+w.name(d))
		}
	}
	var wrappers []*definition
	for _, d := range w.p.own {
		if d.wrapper() {
			wrappers = append(wrappers, d)
		} else if d.isFunc {
			own(d)
		}
	}
	for _, d := range w.p.lent {
		if d.isFunc {
			w.copy(d)
		}
	}
	for _, d := range w.p.outer {
		w.declare(d)
	}
	w.declarations()
	// Variables are in the module's order, behind functions and declarations: LLVM makes a constant
	// anew, with all its elements, whenever one of them is defined behind it.
	for _, d := range w.p.variables() {
		switch {
		case d.copied:
			w.text(d.text, 0, len(d.text.source))
		case d.owner == w.number:
			own(d)
		default:
			w.copy(d)
		}
	}
	for _, d := range wrappers {
		own(d)
	}
	if len(used) > 0 {
		fmt.Fprintf(&w.out, "@llvm.compiler.used = appending global [%d x ptr] [%s], section \"llvm.metadata\"\n", len(used), strings.Join(used, ", "))
	}
	for i := 0; i < len(w.queue); i++ {
		w.node(w.queue[i])
	}
	return w.out.Bytes()
}

// variables are those that the chunk has, its own and copies, in the module's order.
func (p *part) variables() []*definition {
	list := slices.Clone(p.copies)
	for _, from := range [...][]*definition{p.own, p.lent} {
		for _, d := range from {
			if !d.isFunc {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(a, b *definition) int { return a.index - b.index })
	return list
}

// wrapper tells whether it is a function of the section that the module ends with.
func (d *definition) wrapper() bool {
	return d.isFunc && bytes.Contains(d.text.source[:d.end], []byte(`section "loam_wrap"`))
}

// declarations writes the lines of what the package itself declares, as far as the chunk needs it.
func (w *writer) declarations() {
	needed := map[string]bool{}
	for _, list := range [][]*definition{w.p.own, w.p.lent, w.p.copies} {
		for _, d := range list {
			for _, k := range d.text.tokens {
				if k.kind == '@' {
					if name := d.text.name(k); w.m.byName[name] == nil && w.m.declare[name] != nil {
						needed[name] = true
					}
				}
			}
		}
	}
	names := make([]string, 0, len(needed))
	for name := range needed {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w.out.Write(w.m.declare[name])
	}
}

// name is how a definition is called in this chunk.
func (w *writer) name(d *definition) string {
	if d.promoted {
		return w.names[d]
	}
	s := stem(d)
	if s == "" {
		return d.name
	}
	n, ok := w.numbered[d]
	if !ok {
		n = fmt.Sprintf(`"%s%s%d"`, s, dot, len(w.numbered))
		w.numbered[d] = n
	}
	return n
}

// comdats writes those of the definition's section groups that are its own. Another's is written
// with it.
func (w *writer) comdats(d *definition) {
	if line := w.m.comdats[d.name]; line != nil {
		t := scan(line)
		w.text(t, 0, len(t.source))
	}
}

// text writes a part of a text, with the names that things have in this chunk.
func (w *writer) text(t text, from, to int) {
	at := from
	for _, k := range t.tokens {
		if int(k.from) < from || int(k.to) > to {
			continue
		}
		var name string
		if k.kind == '!' {
			name = fmt.Sprint(w.meta(leadingNumber(t.source[k.from:])))
		} else {
			d := w.m.byName[t.name(k)]
			if d == nil || !d.local {
				continue
			}
			name = w.name(d)
		}
		w.out.Write(t.source[at:k.from])
		w.out.WriteString(name)
		at = int(k.to)
	}
	w.out.Write(t.source[at:to])
}

// meta is the new number of a node.
func (w *writer) meta(old int) int {
	n, ok := w.nodes[old]
	if !ok {
		n = len(w.nodes)
		w.nodes[old] = n
		w.queue = append(w.queue, old)
	}
	return n
}

// node writes a node. The compile unit lists the variables that the chunk defines.
func (w *writer) node(old int) {
	t := w.m.nodes[old]
	const list = "globals: !{"
	from := bytes.Index(t.source, []byte(list))
	if old != w.m.unit || from < 0 {
		w.text(t, 0, len(t.source))
		return
	}
	from += len(list)
	to := from + bytes.IndexByte(t.source[from:], '}')
	w.text(t, 0, from)
	sep := ""
	for _, k := range t.tokens {
		if n := leadingNumber(t.source[k.from:]); int(k.from) > from && int(k.to) <= to && w.globals[n] {
			fmt.Fprintf(&w.out, "%s!%d", sep, w.meta(n))
			sep = ", "
		}
	}
	w.text(t, to, len(t.source))
}

// own writes a definition of the chunk's.
func (w *writer) own(d *definition) {
	from, to := d.linkage()
	keep := string(d.text.source[from:to])
	switch {
	case d.promoted:
		keep = strings.TrimPrefix(strings.TrimPrefix(keep, "internal "), "private ")
		keep = "hidden " + keep
	case d.mergeable && d.shared:
		keep = strings.Replace(keep, "linkonce_odr ", "weak_odr ", 1)
	}
	w.text(d.text, 0, from)
	w.out.WriteString(keep)
	w.text(d.text, to, len(d.text.source))
}

// linkage is where the words about linkage and visibility are.
func (d *definition) linkage() (from, to int) {
	s := d.text.source
	if d.isFunc {
		from = len("define ")
	} else {
		from = bytes.Index(s, []byte(" = ")) + len(" = ")
	}
	to = from
	for _, word := range []string{"internal ", "private ", "linkonce_odr ", "weak_odr ", "weak ", "available_externally ", "hidden ", "unnamed_addr "} {
		if bytes.HasPrefix(s[to:], []byte(word)) {
			to += len(word)
		}
	}
	return from, to
}

// visibility is what copies and declarations say of it.
func (d *definition) visibility() string {
	from, to := d.linkage()
	if d.promoted || bytes.Contains(d.text.source[from:to], []byte("hidden ")) {
		return "hidden "
	}
	return ""
}

// copy writes what another chunk or package defines, for LLVM to look into.
func (w *writer) copy(d *definition) {
	if !d.isFunc {
		v := d.variable()
		w.variable(d, "available_externally", v.init, v.align)
		return
	}
	_, from := d.linkage()
	h := d.head()
	w.out.WriteString("define available_externally " + d.visibility())
	w.text(d.text, from, h.attributes)
	w.text(d.text, h.dbg, len(d.text.source))
}

// declare writes the declaration of what another chunk defines.
func (w *writer) declare(d *definition) {
	if !d.isFunc {
		v := d.variable()
		w.variable(d, "external", v.typ, v.align)
		return
	}
	_, from := d.linkage()
	// of the attributes only the group: the others are about the body
	group := bytes.LastIndex(d.text.source[:d.end], []byte(") #")) + len(") #")
	w.out.WriteString("declare " + d.visibility())
	w.text(d.text, from, group+digits(d.text.source[group:]))
	w.out.WriteByte('\n')
}

// variable writes a variable of another chunk's, up to the place to in its text.
func (w *writer) variable(d *definition, linkage string, to int, align string) {
	_, from := d.linkage()
	fmt.Fprintf(&w.out, "@%s = %s %s", w.name(d), linkage, d.visibility())
	w.text(d.text, from, to)
	w.out.WriteString(align + "\n")
}

// head says where in a function's first line the attributes end, and where what stands behind
// section, comdat and alignment begins.
type head struct{ attributes, dbg int }

func (d *definition) head() (h head) {
	line := d.text.source[:d.end]
	start := bytes.LastIndex(line, []byte(") #"))
	h.attributes, h.dbg = d.end-len(" {"), d.end-len(" {")
	for _, word := range []string{" section ", " comdat", " align ", " !dbg "} {
		if i := bytes.Index(line[start:], []byte(word)); i >= 0 {
			h.attributes = min(h.attributes, start+i)
			if word == " !dbg " {
				h.dbg = start + i
			}
		}
	}
	return h
}

// variable says where in a variable's line type and initialiser end, and how it is aligned.
type variable struct {
	typ, init int
	align     string
}

func (d *definition) variable() (v variable) {
	s := d.text.source
	_, i := d.linkage()
	i += bytes.IndexByte(s[i:], ' ') + 1 // global or constant
	v.typ = i + balanced(s[i:], ' ')
	v.init = v.typ + 1 + balanced(s[v.typ+1:], ',')
	if at := bytes.LastIndex(s, []byte(", align ")); at >= v.init {
		v.align = fmt.Sprintf(", align %d", leadingNumber(s[at+len(", align "):]))
	}
	return v
}

// balanced is how far it is to a byte outside all brackets and strings, or to the line's end.
func balanced(s []byte, end byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			i += quoted(s[i:]) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\n':
			return i
		default:
			if c == end && depth == 0 {
				if end == ' ' && i > 0 && s[i-1] == '<' {
					continue
				}
				return i
			}
		}
	}
	return len(s)
}
