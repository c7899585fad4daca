package symtab

import (
	"cmp"
	"encoding/binary"
	"slices"

	table "loam/rt/symtab"
)

// encoder writes the table.
type encoder struct {
	names       pool[string]
	files       pool[string]
	subprograms []*declared
	fileNumber  map[string]int
}

// pool numbers things, those first that are used the most.
type pool[T comparable] struct {
	uses  map[T]int
	order []T // as they were first used; sorted by arrange
	place map[T]uint64
}

func (p *pool[T]) use(v T) {
	if p.uses == nil {
		p.uses, p.place = map[T]int{}, map[T]uint64{}
	}
	if p.uses[v]++; p.uses[v] == 1 {
		p.order = append(p.order, v)
	}
}

func (p *pool[T]) arrange() []T {
	slices.SortStableFunc(p.order, func(a, b T) int { return cmp.Compare(p.uses[b], p.uses[a]) })
	return p.order
}

func encode(all []*function) []byte {
	var e encoder
	for _, f := range all {
		e.count(f)
	}
	subprograms := e.layOut()
	bodies := make([][]byte, len(all))
	parallel((len(all)+255)/256, func(i int) {
		for k := i * 256; k < min(len(all), (i+1)*256); k++ {
			bodies[k] = e.body(all[k])
		}
	})
	var blocks, funcs []byte
	end := uint64(0)
	for i, f := range all {
		if i%table.BlockLength == 0 {
			blocks = binary.LittleEndian.AppendUint32(blocks, uint32(f.lo))
			blocks = binary.LittleEndian.AppendUint32(blocks, uint32(len(funcs)))
			end = f.lo
		}
		funcs = binary.AppendUvarint(funcs, f.lo-end)
		funcs = binary.AppendUvarint(funcs, f.hi-f.lo)
		funcs = binary.AppendUvarint(funcs, uint64(len(bodies[i])))
		funcs = append(funcs, bodies[i]...)
		end = f.hi
	}
	var names, files []byte
	for _, name := range e.names.order {
		names = append(binary.AppendUvarint(names, uint64(len(name))), name...)
	}
	for _, name := range e.files.order {
		files = binary.LittleEndian.AppendUint32(files, uint32(e.names.place[name]))
	}
	var out []byte
	head := [table.HeaderSize / 4]int{table.HeaderMagic: table.Magic, table.HeaderBlocks: len(blocks) / 8,
		table.HeaderFiles: len(e.files.order)}
	for i, part := range [][]byte{blocks, files, funcs, subprograms, names} {
		head[[]int{table.HeaderBlockTable, table.HeaderFileTable, table.HeaderFuncs, table.HeaderSubprograms, table.HeaderNames}[i]] =
			table.HeaderSize + len(out)
		out = append(out, part...)
	}
	header := make([]byte, 0, table.HeaderSize+len(out))
	for _, v := range head {
		header = binary.LittleEndian.AppendUint32(header, uint32(v))
	}
	return append(header, out...)
}

// count notes what a function uses.
func (e *encoder) count(f *function) {
	f.declared = f.declared.unify()
	e.use(f.declared)
	for i := range f.calls {
		c := &f.calls[i]
		c.declared = c.declared.unify()
		e.use(c.declared)
		if around := f.of(f.around(i + 1)); f.callFile(i) != around.file {
			e.files.use(f.callFile(i))
		}
	}
	for _, r := range f.rows {
		if r.file != f.of(r.call).file {
			e.files.use(r.file)
		}
	}
}

func (e *encoder) use(d *declared) {
	if d.uses++; d.uses == 1 {
		e.subprograms = append(e.subprograms, d)
	}
}

// callFile returns the file that an inlined call stands in.
func (f *function) callFile(i int) string {
	if name := f.calls[i].in; name != "" {
		return name
	}
	return f.of(f.around(i + 1)).file
}

// layOut gives all that is shared its place, and returns the subprograms.
func (e *encoder) layOut() (b []byte) {
	slices.SortStableFunc(e.subprograms, func(a, b *declared) int { return cmp.Compare(b.uses, a.uses) })
	for _, d := range e.subprograms {
		e.names.use(d.name)
		if d.linkage != "" {
			e.names.use(d.linkage)
		}
		if d.file != "" {
			e.files.use(d.file)
		}
	}
	e.fileNumber = map[string]int{"": 0}
	for i, name := range e.files.arrange() {
		e.fileNumber[name] = i + 1
		e.names.use(name)
	}
	place := uint64(0)
	for _, name := range e.names.arrange() {
		e.names.place[name] = place
		place += uint64(len(binary.AppendUvarint(nil, uint64(len(name)))) + len(name))
	}
	for _, d := range e.subprograms {
		d.place = uint64(len(b))
		b = binary.AppendUvarint(b, e.names.place[d.name])
		file := uint64(e.fileNumber[d.file]) << table.SubprogramBits
		if d.linkage != "" {
			file |= table.HasLinkage
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, file), d.line)
		if d.linkage != "" {
			b = binary.AppendUvarint(b, e.names.place[d.linkage])
		}
	}
	return b
}

// body writes what is behind a function's bounds.
func (e *encoder) body(f *function) (b []byte) {
	const bytesPerCall, bytesPerRow = 6, 3 // about
	b = make([]byte, 0, 16+len(f.calls)*bytesPerCall+len(f.rows)*bytesPerRow)
	b = binary.AppendUvarint(b, f.place)
	flags := f.frame.kind
	if f.nullary {
		flags |= table.IsNullary
	}
	if len(f.calls) > 0 {
		flags |= table.HasCalls
	}
	indexed := len(f.calls)+len(f.rows) > table.IndexFrom
	if indexed {
		flags |= table.IsIndexed
	}
	b = append(b, flags)
	b = f.frame.encode(b, f.hi-f.lo)
	calls, callIndex := e.calls(f, indexed)
	rows, rowIndex := e.rows(f, indexed)
	if indexed {
		b = binary.AppendUvarint(b, uint64(len(calls)))
		for _, index := range [][]byte{callIndex, rowIndex} {
			b = binary.AppendUvarint(b, uint64(len(index)/8))
			b = append(b, index...)
		}
	}
	if len(f.calls) > 0 {
		b = binary.AppendUvarint(b, uint64(len(f.calls)))
	}
	return append(append(b, calls...), rows...)
}

// calls writes the calls that were inlined into f, and their index.
func (e *encoder) calls(f *function, indexed bool) (b, index []byte) {
	var begins []uint64
	if indexed {
		begins = f.begins()
	}
	for i, c := range f.calls {
		if indexed && i%table.IndexStride == 0 {
			index = appendEntry(index, uint64(len(b)), uint64(f.around(i+1)))
		}
		around := f.of(f.around(i + 1))
		file := f.callFile(i)
		b = binary.AppendUvarint(b, uint64(c.inside)<<1|bit(file != around.file))
		b = binary.AppendUvarint(b, c.place)
		b = binary.AppendUvarint(b, signed(c.line, around.line))
		if file != around.file {
			b = binary.AppendUvarint(b, uint64(e.fileNumber[file]))
		}
		if indexed {
			b = binary.AppendUvarint(b, begins[i])
		}
	}
	return b, index
}

// rows writes f's rows, and their index.
func (e *encoder) rows(f *function, indexed bool) (b, index []byte) {
	last := codeRow{f.lo, 0, f.file, f.line}
	for i, r := range f.rows {
		d := f.of(r.call)
		other := r.call != last.call || r.file != last.file
		if indexed && i%table.IndexStride == 0 {
			index = appendEntry(index, r.addr-f.lo, uint64(len(b)))
			other = true
		}
		b = binary.AppendUvarint(b, (r.addr-last.addr)<<1|bit(other))
		from := last.line
		if other {
			b = binary.AppendUvarint(b, uint64(r.call)<<1|bit(r.file != d.file))
			from = d.line
		}
		b = binary.AppendUvarint(b, signed(r.line, from))
		if other && r.file != d.file {
			b = binary.AppendUvarint(b, uint64(e.fileNumber[r.file]))
		}
		last = r
	}
	return b, index
}

func appendEntry(index []byte, a, b uint64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(index, uint32(a)), uint32(b))
}

// begins returns for each inlined call how far from f's start its code begins, of which at least
// two bytes follow each other there if they do anywhere.
func (f *function) begins() []uint64 {
	type piece struct {
		begin, run uint64 // 1 more than the distances; 0: none
		long       bool
	}
	pieces := make([]piece, len(f.calls)+1)
	open := []int{} // the calls whose code is being looked at, from the outermost inwards
	row := func(at uint64, call int) {
		for len(open) > 0 && (call < 0 || !f.isIn(call, open[len(open)-1])) {
			p := &pieces[open[len(open)-1]]
			if long := at+1-p.run > 1; !p.long && (p.begin == 0 || long) {
				p.begin, p.long = p.run, long
			}
			open = open[:len(open)-1]
		}
		var inner []int
		for c := call; c > 0 && (len(open) == 0 || c != open[len(open)-1]); c = f.around(c) {
			inner = append(inner, c)
		}
		for i := len(inner) - 1; i >= 0; i-- {
			pieces[inner[i]].run = at + 1
			open = append(open, inner[i])
		}
	}
	for _, r := range f.rows {
		row(r.addr-f.lo, r.call)
	}
	row(f.hi-f.lo, -1)
	list := make([]uint64, len(f.calls))
	for i := range list {
		if p := pieces[i+1]; p.begin > 0 {
			list[i] = p.begin - 1
		}
	}
	return list
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// signed returns the distance between two lines as an unsigned number.
func signed(to, from uint64) uint64 {
	d := int64(to - from)
	return uint64(d<<1 ^ d>>63)
}
