package symtab

import (
	"encoding/binary"
	"errors"
	"fmt"

	"loam/internal/dwarfdata"
)

// outlined is an outline that is being read.
type outlined struct {
	dwarfdata.Reader
	unit         *unit
	strings      []string
	declarations []declared
	assembly     []*named
}

// named is assembly that lies at a distance from a symbol.
type named struct {
	name          string
	offset, begin uint64 // of the symbol and of the assembly in their section
	lines         []row  // they count from the beginning
	files         []string

	from *outlined // of a function: there it is
	at   int
}

// errOutline says that an outline is damaged, or not of the object that was linked.
var errOutline = errors.New("outlines of objects do not fit the program")

// OutlinedTable returns the table of a program that was linked of objects with these outlines, in
// that order. Of the debug information it reads .debug_frame only.
func (p *Program) OutlinedTable(outlines [][]byte) ([]byte, error) {
	p.frames = readFrames(p.Frame)
	inOrder := listFrames(p.Frame)
	list, places := make([]*outlined, len(outlines)), make([]frames, len(outlines))
	for i, data := range outlines {
		o := &outlined{Reader: dwarfdata.Reader{B: data}, unit: &unit{declared: map[int]*declared{}}}
		o.readStrings()
		o.readDeclarations()
		n := o.count()
		if o.Bad || n > len(inOrder) {
			return nil, fmt.Errorf("%w: functions are missing", errOutline)
		}
		list[i], places[i], inOrder = o, inOrder[:n], inOrder[n:]
	}
	if len(inOrder) > 0 {
		return nil, fmt.Errorf("%w: %d functions are not known", errOutline, len(inOrder))
	}
	parallel(len(list), func(i int) {
		list[i].functions(places[i])
		list[i].pieces()
	})
	var assembly []*named
	for _, o := range list {
		p.all = append(p.all, o.unit)
		assembly = append(assembly, o.assembly...)
	}
	p.place(assembly)
	for _, o := range list {
		if o.Bad {
			return nil, errOutline
		}
	}
	return p.table(), nil
}

// count reads the number of things that follow, each of which has at least one byte.
func (o *outlined) count() int {
	n := o.Uleb()
	if n > uint64(len(o.B)-o.At) {
		o.Bad = true
		return 0
	}
	return int(n)
}

func (o *outlined) readStrings() {
	n := o.count()
	o.strings = make([]string, 0, n)
	for range n {
		o.strings = append(o.strings, string(o.Take(o.count())))
	}
}

// text reads the number of a string.
func (o *outlined) text() string {
	n := o.Uleb()
	if n >= uint64(len(o.strings)) {
		o.Bad = true
		return ""
	}
	return o.strings[n]
}

func (o *outlined) readDeclarations() {
	o.declarations = make([]declared, o.count())
	for i := range o.declarations {
		o.declarations[i].declaration = declaration{name: o.text(), linkage: o.text(), file: o.text(), line: o.Uleb()}
	}
}

// declaration reads the number of one, which the program has.
func (o *outlined) declaration() *declared {
	n := o.Uleb()
	if n >= uint64(len(o.declarations)) {
		o.Bad = true
		return &declared{}
	}
	d := &o.declarations[n]
	o.unit.declared[int(n)] = d
	return d
}

// functions reads those that are in the program, at these places.
func (o *outlined) functions(places frames) {
	for _, at := range places {
		length := o.count()
		end := o.At + length
		if length > 0 && isCode(at.lo) {
			o.unit.funcs = append(o.unit.funcs, o.function(at.lo))
			o.Bad = o.Bad || o.At != end
		}
		if o.Bad {
			return
		}
		o.At = end
	}
}

func (o *outlined) function(lo uint64) *function {
	size := o.Uleb()
	f := &function{lo: lo, hi: lo + size>>1, unit: o.unit, nullary: size&1 != 0, declared: o.declaration()}
	f.frame = frame{kind: o.U8(), push: o.Uleb()}
	if n := o.count(); n > 0 {
		f.frame.tops = make([]span, n)
	}
	for i := range f.frame.tops {
		from := o.Uleb()
		f.frame.tops[i] = span{from, from + o.Uleb()}
	}
	if n := o.count(); n > 0 {
		f.frame.rows = make([]slot, n)
	}
	for i := range f.frame.rows {
		f.frame.rows[i] = slot{o.Uleb(), o.Uleb()}
	}
	f.calls = make([]inlined, o.count())
	for i := range f.calls {
		c := &f.calls[i]
		c.inside, c.around, c.declared, c.line, c.in = int(o.Uleb()), int(o.Uleb()), o.declaration(), o.Uleb(), o.text()
		o.Bad = o.Bad || c.inside >= len(f.calls)-i || c.around > i
	}
	f.rows = make([]codeRow, o.count())
	for i := range f.rows {
		lo += o.Uleb()
		f.rows[i] = codeRow{lo, int(o.Uleb()), "", o.Uleb()}
		f.rows[i].file = o.text()
		o.Bad = o.Bad || f.rows[i].call > len(f.calls)
	}
	return f
}

// pieces reads the assembly.
func (o *outlined) pieces() {
	for range o.count() {
		n := o.named()
		length := o.count()
		n.from, n.at = o, o.At
		o.Take(length)
	}
	for range o.count() {
		n := o.named()
		n.files = append(n.files, "")
		for range o.count() {
			n.lines = append(n.lines, row{addr: o.Uleb(), line: uint32(o.Uleb()), file: uint32(len(n.files))})
			n.files = append(n.files, o.text())
		}
		n.lines = append(n.lines, row{addr: o.Uleb(), end: true})
	}
}

func (o *outlined) named() *named {
	n := &named{name: o.text(), offset: o.Uleb(), begin: o.Uleb()}
	o.assembly = append(o.assembly, n)
	return n
}

// place adds the assembly that is in the program.
func (p *Program) place(assembly []*named) {
	wanted := map[string]uint64{}
	for _, n := range assembly {
		wanted[n.name] = 0
	}
	const size = 24
	for b := p.Symbols; len(b) >= size && len(wanted) > 0; b = b[size:] {
		r := dwarfdata.ReaderAt(p.Strings, uint64(binary.LittleEndian.Uint32(b)))
		from := r.At
		if r.SkipString(); r.Bad {
			continue
		}
		name := p.Strings[from : r.At-1]
		if at, ok := wanted[string(name)]; ok && at == 0 {
			wanted[string(name)] = binary.LittleEndian.Uint64(b[8:])
		}
	}
	for _, n := range assembly {
		at := wanted[n.name]
		if !isCode(at) {
			continue
		}
		at += n.begin - n.offset
		if n.from != nil {
			n.from.At = n.at
			n.from.unit.funcs = append(n.from.unit.funcs, n.from.function(at))
			continue
		}
		for i := range n.lines {
			n.lines[i].addr += at
		}
		p.all = append(p.all, &unit{lines: lineTable{files: n.files, rows: n.lines}})
	}
}
