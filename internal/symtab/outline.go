package symtab

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// An outline is what an object's debug information gives to the table of a program, whatever else
// is in the program. It is made once for an object. It names functions by their order in
// .debug_frame: the linker keeps that order, and writes where each function has come to lie, or
// that it has not. Assembly that is not there is named by a symbol of its section.
//
// Numbers have variable length. An outline begins with strings, each a length and a text;
// declarations follow, then the functions of .debug_frame, each behind its length, 0 for one that
// is not known, then other functions, then pieces of assembly that have lines and no functions.
// Places of code are distances.

// outliner writes an outline.
type outliner struct {
	strings  pool[string]
	declared []*declared
	number   map[*declared]int
	b        []byte
}

// Outline returns the outline of an object. real says what a directory or file is called. There is
// none with code that nothing names: ok is false.
func Outline(data []byte, real func(string) string) (outline []byte, ok bool, err error) {
	o, err := readObject(data)
	if err != nil {
		return nil, false, err
	}
	p := o.program(real)
	inOrder := listFrames(p.Frame)
	p.frames = slices.Clone(inOrder)
	slices.SortFunc(p.frames, func(a, b frameEntry) int { return cmp.Compare(a.lo, b.lo) })
	if err := p.readUnits(); err != nil {
		return nil, false, err
	}
	w := &outliner{number: map[*declared]int{}}
	known := map[uint64]*function{}
	for _, u := range p.all {
		for _, f := range u.funcs {
			if known[f.lo] == nil {
				known[f.lo] = f
				w.declare(f)
			}
		}
	}
	w.uint(len(inOrder))
	for _, e := range inOrder {
		f := known[e.lo]
		if f == nil {
			w.uint(0)
			continue
		}
		delete(known, e.lo)
		w.function(f)
	}
	w.uint(len(known))
	for _, u := range p.all {
		for _, f := range u.funcs {
			if known[f.lo] != nil {
				delete(known, f.lo) // of several at a place the first counts
				ok = w.place(o, f.lo)
				w.function(f)
				if !ok {
					return nil, false, nil
				}
			}
		}
	}
	if !w.pieces(o, p) {
		return nil, false, nil
	}
	return w.whole(), true, nil
}

// place names a place in the code, if a symbol does.
func (w *outliner) place(o *object, at uint64) bool {
	section, begin := sectionOf(at)
	name, offset := o.named(section)
	w.text(name)
	w.uint(int(offset))
	w.uint(int(begin))
	return name != ""
}

func (w *outliner) uint(v int) { w.b = binary.AppendUvarint(w.b, uint64(v)) }

// text writes the number of a string, which gets its place with the first use.
func (w *outliner) text(s string) {
	w.strings.use(s)
	n, ok := w.strings.place[s]
	if !ok {
		n = uint64(len(w.strings.order) - 1)
		w.strings.place[s] = n
	}
	w.b = binary.AppendUvarint(w.b, n)
}

// declare numbers the declarations that a function needs.
func (w *outliner) declare(f *function) {
	for call := range len(f.calls) + 1 {
		if d := f.of(call); w.number[d] == 0 {
			w.declared = append(w.declared, d)
			w.number[d] = len(w.declared)
		}
	}
}

// function writes what is known of one, behind its length.
func (w *outliner) function(f *function) {
	before := w.b
	w.b = nil
	w.body(f)
	w.b = append(binary.AppendUvarint(before, uint64(len(w.b))), w.b...)
}

func (w *outliner) body(f *function) {
	w.uint(int(f.hi-f.lo)<<1 | int(bit(f.nullary)))
	w.uint(w.number[f.declared] - 1)
	w.b = append(w.b, f.frame.kind)
	w.uint(int(f.frame.push))
	w.uint(len(f.frame.tops))
	for _, s := range f.frame.tops {
		w.uint(int(s.lo))
		w.uint(int(s.hi - s.lo))
	}
	w.uint(len(f.frame.rows))
	for _, s := range f.frame.rows {
		w.uint(int(s.at))
		w.uint(int(s.place))
	}
	w.uint(len(f.calls))
	for i := range f.calls {
		c := &f.calls[i]
		w.uint(c.inside)
		w.uint(c.around)
		w.uint(w.number[c.declared] - 1)
		w.uint(int(c.line))
		w.text(c.in)
	}
	w.uint(len(f.rows))
	at := f.lo
	for _, r := range f.rows {
		w.uint(int(r.addr - at))
		w.uint(r.call)
		w.uint(int(r.line))
		w.text(r.file)
		at = r.addr
	}
}

// pieces writes the assembly of the object.
func (w *outliner) pieces(o *object, p *Program) bool {
	all := p.assembly()
	w.uint(len(all))
	for _, piece := range all {
		if !w.place(o, piece.lo) {
			return false
		}
		rows := piece.unit.lines.within(piece.lo, piece.hi)
		rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.end })
		w.uint(len(rows))
		for _, r := range rows {
			w.uint(int(r.addr - piece.lo))
			w.uint(int(r.line))
			w.text(piece.unit.lines.file(uint64(r.file)))
		}
		w.uint(int(piece.hi - piece.lo))
	}
	return true
}

// whole is the outline.
func (w *outliner) whole() []byte {
	rest := w.b
	w.b = nil
	w.uint(len(w.declared))
	for _, d := range w.declared {
		w.text(d.name)
		w.text(d.linkage)
		w.text(d.file)
		w.uint(int(d.line))
	}
	rest = append(w.b, rest...)
	w.b = nil
	w.uint(len(w.strings.order))
	for _, s := range w.strings.order {
		w.uint(len(s))
		w.b = append(w.b, s...)
	}
	return append(w.b, rest...)
}
