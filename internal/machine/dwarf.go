package machine

import (
	"encoding/binary"
	"slices"
	"sort"

	"loam/internal/machine/code"
	"loam/internal/machine/object"
	"loam/internal/machine/x86"
)

// debug writes debug information: lines, functions and the calls that were inlined into them, and
// where frames are. There is one unit, of DWARF 4.
type debug struct {
	w *writer

	info, abbrev, line, ranges, frame []byte
	str                               object.Text
	infoRelocs, lineRelocs            []object.Reloc
	rangeRelocs, frameRelocs          []object.Reloc

	nodes     map[int32]node
	files     []file
	fileOf    map[int32]int // by node
	fileNamed map[file]int
	dirs      []string
	abstract  map[int32]uint32 // places of descriptions, by node
	inlined   map[int32]bool   // subprograms with a description
	types     typeEntries
	section   [5]int // symbols of the sections, see the constants
}

const (
	abbrevs = iota
	texts
	lines
	rangeLists
	infos
)

type file struct{ name, dir string }

// subprogram is the function that a scope is in.
func (d *debug) subprogram(scope int32) int32 {
	for {
		x := d.node(scope)
		if x.kind == "DISubprogram" || x.scope < 0 {
			return scope
		}
		scope = x.scope
	}
}

// fileNumber is the line table's number of the file of a scope.
func (d *debug) fileNumber(scope int32) int {
	for d.node(scope).file < 0 {
		if scope = d.node(scope).scope; scope < 0 {
			return 1
		}
	}
	n := d.node(scope).file
	if k, ok := d.fileOf[n]; ok {
		return k
	}
	x := d.node(n)
	f := file{x.name, x.dir}
	k, ok := d.fileNamed[f]
	if !ok {
		d.files = append(d.files, f)
		k = len(d.files)
		d.fileNamed[f] = k
	}
	d.fileOf[n] = k
	return k
}

// Abbreviations of entries, by number.
const (
	abUnit = 1 + iota
	abFunc
	abFuncLinkage
	abInstance
	abAbstract
	abAbstractLinkage
	abInlined
	abInlinedRanges
	abNote
	withNote = abNote // is added for entries that have notes behind them
)

// Those of variables and types.
const (
	abBlock = 2*abNote + 1 + iota
	abBlockRanges
	abVariable
	abParameter
	abVariableNowhere
	abParameterNowhere
	abGlobal
	abUnspecified
	abBase
	abPointer
	abPointerTo
	abTypedef
	abStruct
	abMember
	abArray
	abSubrange
	abSubroutine
	abReturning
	abTaken
	nowhere = abVariableNowhere - abVariable // is added for variables that are nowhere
)

func uleb(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

func sleb(b []byte, n int64) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// DWARF's numbers.
const (
	tagUnit, tagSubprogram, tagInlined, tagNote                 = 0x11, 0x2E, 0x1D, 0x6000
	atName, atStmtList, atLow, atHigh, atLanguage, atDir        = 0x03, 0x10, 0x11, 0x12, 0x13, 0x1B
	atInline, atProducer, atOrigin, atFile, atLine, atFrameBase = 0x20, 0x25, 0x31, 0x3A, 0x3B, 0x40
	atRanges, atCallFile, atCallLine, atLinkage, atConst        = 0x55, 0x58, 0x59, 0x6E, 0x1C
	fAddr, fData1, fData2, fData4, fUdata                       = 0x01, 0x0B, 0x05, 0x06, 0x0F
	tagBlock, tagParameter, tagVariable, tagUnspecified         = 0x0B, 0x05, 0x34, 0x3B
	tagBase, tagPointer, tagTypedef, tagStruct, tagMember       = 0x24, 0x0F, 0x16, 0x13, 0x0D
	tagArray, tagSubrange, tagSubroutine                        = 0x01, 0x21, 0x15
	atType, atLocation, atSize, atEncoding, atMember, atCount   = 0x49, 0x02, 0x0B, 0x3E, 0x38, 0x37
	atExternal, fPresent                                        = 0x3F, 0x19
	fStrp, fRef4, fOffset, fExprloc                             = 0x0E, 0x13, 0x17, 0x18
)

func (d *debug) abbreviations() {
	list := [][]uint64{
		{tagUnit, 1, atProducer, fStrp, atLanguage, fData2, atName, fStrp, atStmtList, fOffset, atDir, fStrp, atLow, fAddr, atRanges, fOffset},
		{tagSubprogram, 1, atLow, fAddr, atHigh, fData4, atFrameBase, fExprloc, atName, fStrp, atFile, fUdata, atLine, fUdata},
		{tagSubprogram, 1, atLow, fAddr, atHigh, fData4, atFrameBase, fExprloc, atLinkage, fStrp, atName, fStrp, atFile, fUdata, atLine, fUdata},
		{tagSubprogram, 1, atLow, fAddr, atHigh, fData4, atFrameBase, fExprloc, atOrigin, fRef4},
		{tagSubprogram, 1, atName, fStrp, atFile, fUdata, atLine, fUdata, atInline, fData1},
		{tagSubprogram, 1, atLinkage, fStrp, atName, fStrp, atFile, fUdata, atLine, fUdata, atInline, fData1},
		{tagInlined, 1, atOrigin, fRef4, atLow, fAddr, atHigh, fData4, atCallFile, fUdata, atCallLine, fUdata},
		{tagInlined, 1, atOrigin, fRef4, atRanges, fOffset, atCallFile, fUdata, atCallLine, fUdata},
		{tagNote, 0, atName, fStrp, atConst, fData1},
	}
	for k, a := range list {
		d.abbreviation(k+1, a[0], a[1], a[2:])
	}
	for k, a := range list {
		d.abbreviation(k+1+withNote, a[0], 1, a[2:])
	}
	described := []uint64{atName, fStrp, atFile, fUdata, atLine, fUdata, atType, fRef4}
	located := append(slices.Clip(described), atLocation, fExprloc)
	for k, a := range [][]uint64{
		{tagBlock, 1, atLow, fAddr, atHigh, fData4},
		{tagBlock, 1, atRanges, fOffset},
		append([]uint64{tagVariable, 0}, located...),
		append([]uint64{tagParameter, 0}, located...),
		append([]uint64{tagVariable, 0}, described...),
		append([]uint64{tagParameter, 0}, described...),
		append(append([]uint64{tagVariable, 0}, located...), atExternal, fPresent),
		{tagUnspecified, 0, atName, fStrp},
		{tagBase, 0, atName, fStrp, atEncoding, fData1, atSize, fData1},
		{tagPointer, 0, atName, fStrp},
		{tagPointer, 0, atName, fStrp, atType, fRef4},
		{tagTypedef, 0, atName, fStrp, atType, fRef4},
		{tagStruct, 1, atName, fStrp, atSize, fUdata},
		{tagMember, 0, atName, fStrp, atType, fRef4, atMember, fUdata},
		{tagArray, 1, atName, fStrp, atType, fRef4},
		{tagSubrange, 0, atCount, fUdata},
		{tagSubroutine, 1},
		{tagSubroutine, 1, atType, fRef4},
		{tagParameter, 0, atType, fRef4},
	} {
		d.abbreviation(abBlock+k, a[0], a[1], a[2:])
	}
	d.abbrev = append(d.abbrev, 0)
}

func (d *debug) abbreviation(number int, tag, children uint64, attributes []uint64) {
	d.abbrev = uleb(uleb(d.abbrev, uint64(number)), tag)
	d.abbrev = append(d.abbrev, byte(children))
	for _, n := range attributes {
		d.abbrev = uleb(d.abbrev, n)
	}
	d.abbrev = append(d.abbrev, 0, 0)
}

func (d *debug) u16(n uint16) { d.info = binary.LittleEndian.AppendUint16(d.info, n) }
func (d *debug) u32(n uint32) { d.info = binary.LittleEndian.AppendUint32(d.info, n) }

const relAbs32 = uint32(x86.Abs32)
const relAbs64 = uint32(x86.Abs64)

// offset writes a place in another section.
func (d *debug) offset(section int, n uint32) {
	d.infoRelocs = append(d.infoRelocs, object.Reloc{At: uint64(len(d.info)), Type: relAbs32, Symbol: d.section[section], Add: int64(n)})
	d.u32(0)
}

func (d *debug) string(s string) { d.offset(texts, d.str.Add(s)) }

// address writes an address in a section.
func (d *debug) address(section int, add int64) {
	d.infoRelocs = append(d.infoRelocs, object.Reloc{At: uint64(len(d.info)), Type: relAbs64,
		Symbol: d.w.file.SectionSymbol(section), Add: add})
	d.info = append(d.info, 0, 0, 0, 0, 0, 0, 0, 0)
}

// rangeList writes ranges of a section and returns their place.
func (d *debug) rangeList(section int, list []x86.Span) uint32 {
	at := uint32(len(d.ranges))
	for _, s := range list {
		d.oneRange(section, s)
	}
	d.ranges = append(d.ranges, make([]byte, 16)...)
	return at
}

func (d *debug) oneRange(section int, s x86.Span) {
	for _, n := range [...]int32{s.Low, s.High} {
		d.rangeRelocs = append(d.rangeRelocs, object.Reloc{
			At: uint64(len(d.ranges)), Type: relAbs64, Symbol: d.w.file.SectionSymbol(section), Add: int64(n),
		})
		d.ranges = append(d.ranges, make([]byte, 8)...)
	}
}

// A call is an inlined call.
type call struct {
	at     int32 // the node of where it was
	about  int32 // the function that was inlined
	ranges []x86.Span
	calls  []*call
}

// calls finds the calls that were inlined into a function.
func (d *debug) calls(f *compiled) *call {
	root := &call{at: -1}
	known := map[int32]*call{}
	var find func(at, about int32) *call
	find = func(at, about int32) *call {
		c := known[at]
		if c == nil {
			c = &call{at: at, about: about}
			known[at] = c
			x := d.node(at)
			around := root
			if x.inlinedAt >= 0 {
				around = find(x.inlinedAt, d.subprogram(x.scope))
			}
			around.calls = append(around.calls, c)
		}
		return c
	}
	for x, s := range d.spans(f) {
		for x.inlinedAt >= 0 {
			c := find(x.inlinedAt, d.subprogram(x.scope))
			if n := len(c.ranges); n > 0 && c.ranges[n-1].High == s.Low {
				c.ranges[n-1].High = s.High
			} else {
				c.ranges = append(c.ranges, s)
			}
			x = d.node(x.inlinedAt)
		}
	}
	return root
}

func (d *debug) each(c *call, do func(*call)) {
	for _, x := range c.calls {
		do(x)
		d.each(x, do)
	}
}

// begin begins the entry of a function.
func (d *debug) begin(x node, plain, linkage uint64) {
	if x.linkage != "" {
		plain = linkage
	}
	if x.annotated {
		plain += withNote
	}
	d.info = uleb(d.info, plain)
}

// description writes the name and the place of a function.
func (d *debug) description(n int32) {
	x := d.node(n)
	if x.linkage != "" {
		d.string(x.linkage)
	}
	d.string(x.name)
	d.info = uleb(d.info, uint64(d.fileNumber(n)))
	d.info = uleb(d.info, uint64(x.line))
}

func (d *debug) note() {
	d.info = uleb(d.info, abNote)
	d.string("nullary")
	d.info = append(d.info, 1)
}

func (d *debug) abstractOf(n int32) {
	x := d.node(n)
	d.abstract[n] = uint32(len(d.info))
	d.begin(x, abAbstract, abAbstractLinkage)
	d.description(n)
	d.info = append(d.info, 1)
	if x.annotated {
		d.note()
	}
	d.variables(nil, d.listed(n, nil))
	d.info = append(d.info, 0)
}

// debugInfo writes the sections.
func (w *writer) debugInfo() {
	unit := int32(-1)
	for n, text := range w.m.Nodes {
		if len(text) > 25 && string(text[:25]) == "distinct !DICompileUnit(l" {
			unit = int32(n)
		}
	}
	if unit < 0 || len(w.funcs) == 0 && !slices.ContainsFunc(w.m.Vars, func(v code.Var) bool { return v.About >= 0 }) {
		return
	}
	d := &debug{w: w, nodes: map[int32]node{}, fileOf: map[int32]int{}, fileNamed: map[file]int{},
		abstract: map[int32]uint32{}, inlined: map[int32]bool{},
		types: typeEntries{places: map[int32]uint32{}}}
	var numbers [5]int
	for k, s := range []object.Section{
		abbrevs:    {Name: ".debug_abbrev"},
		texts:      {Name: ".debug_str", Flags: object.Merge | object.Strings, EntrySize: 1},
		lines:      {Name: ".debug_line"},
		rangeLists: {Name: ".debug_ranges"},
		infos:      {Name: ".debug_info"},
	} {
		s.Type, s.Align, s.Group = object.Progbits, 1, -1
		numbers[k] = w.file.Add(s)
		d.section[k] = w.file.SectionSymbol(numbers[k])
	}
	frames := w.file.Add(object.Section{Name: ".debug_frame", Type: object.Progbits, Align: 8, Group: -1})
	d.abbreviations()
	d.unit(unit)
	d.lineTable()
	d.frames(w.file.SectionSymbol(frames))
	put := func(n int, data []byte, relocs []object.Reloc) {
		w.file.Sections[n].Data, w.file.Sections[n].Relocs = data, relocs
	}
	put(numbers[abbrevs], d.abbrev, nil)
	put(numbers[texts], d.str.Bytes(), nil)
	put(numbers[lines], d.line, d.lineRelocs)
	put(numbers[rangeLists], d.ranges, d.rangeRelocs)
	put(numbers[infos], d.info, d.infoRelocs)
	put(frames, d.frame, d.frameRelocs)
}

func (d *debug) unit(n int32) {
	x := d.node(n)
	f := d.node(x.file)
	d.fileNumber(n)
	d.u32(0)
	d.u16(4)
	d.offset(abbrevs, 0)
	d.info = append(d.info, 8)
	d.info = uleb(d.info, abUnit)
	d.string(x.name)
	d.u16(0x16)
	d.string(f.name)
	d.offset(lines, 0)
	d.string(f.dir)
	d.info = append(d.info, make([]byte, 8)...)
	whole := len(d.info)
	d.offset(rangeLists, 0)
	roots := make([]*call, len(d.w.funcs))
	var order []int32
	for i := range d.w.funcs {
		roots[i] = d.calls(&d.w.funcs[i])
		d.each(roots[i], func(c *call) {
			if !d.inlined[c.about] {
				d.inlined[c.about] = true
				order = append(order, c.about)
			}
		})
	}
	for _, about := range order {
		d.abstractOf(about)
	}
	for i := range d.w.funcs {
		if d.w.funcs[i].node >= 0 {
			d.function(&d.w.funcs[i], roots[i])
		}
	}
	d.globals()
	d.describeTypes()
	d.info = append(d.info, 0)
	binary.LittleEndian.PutUint32(d.info, uint32(len(d.info)-4))
	at := uint32(len(d.ranges))
	for i := range d.w.funcs {
		d.oneRange(d.w.funcs[i].section, x86.Span{Low: 0, High: int32(d.w.funcs[i].size)})
	}
	d.ranges = append(d.ranges, make([]byte, 16)...)
	for i := range d.infoRelocs {
		if d.infoRelocs[i].At == uint64(whole) {
			d.infoRelocs[i].Add = int64(at)
		}
	}
}

func (d *debug) function(f *compiled, root *call) {
	x := d.node(f.node)
	origin, described := d.abstract[f.node]
	if described {
		d.info = uleb(d.info, abInstance)
	} else {
		d.begin(x, abFunc, abFuncLinkage)
	}
	d.address(f.section, 0)
	d.u32(f.size)
	d.info = append(d.info, 1, 0x56) // rbp
	if described {
		d.u32(origin)
	} else {
		d.description(f.node)
		if x.annotated {
			d.note()
		}
	}
	d.variables(f, d.blocks(f))
	d.callEntries(f, root)
	d.info = append(d.info, 0)
}

func (d *debug) callEntries(f *compiled, c *call) {
	for _, x := range c.calls {
		at := d.node(x.at)
		if len(x.ranges) == 1 {
			d.info = uleb(d.info, abInlined)
			d.u32(d.abstract[x.about])
			d.address(f.section, int64(x.ranges[0].Low))
			d.u32(uint32(x.ranges[0].High - x.ranges[0].Low))
		} else {
			d.info = uleb(d.info, abInlinedRanges)
			d.u32(d.abstract[x.about])
			d.offset(rangeLists, d.rangeList(f.section, x.ranges))
		}
		d.info = uleb(d.info, uint64(d.fileNumber(at.scope)))
		d.info = uleb(d.info, uint64(at.line))
		d.callEntries(f, x)
		d.info = append(d.info, 0)
	}
}

// setPrologueEnd is an operation of line programs.
const setPrologueEnd = 10

// lineTable writes the line table: a sequence a function.
func (d *debug) lineTable() {
	var program []byte
	type fix struct {
		at      int
		section int
	}
	var fixes []fix
	for i := range d.w.funcs {
		f := &d.w.funcs[i]
		program = append(program, 0, 9, 2)
		fixes = append(fixes, fix{len(program), f.section})
		program = append(program, make([]byte, 8)...)
		addr, line, file, begun := int32(0), int32(1), 1, false
		for k, l := range f.lines {
			if k+1 < len(f.lines) && f.lines[k+1].At == l.At {
				continue
			}
			toLine, toFile := int32(0), file
			switch {
			case l.Loc >= 0:
				x := d.node(l.Loc)
				toLine, toFile = x.line, d.fileNumber(x.scope)
			case f.node >= 0:
				toLine, toFile = d.node(f.node).line, d.fileNumber(f.node)
			}
			if toFile != file {
				program = uleb(append(program, 4), uint64(toFile))
				file = toFile
			}
			if l.Loc >= 0 && !begun { // debuggers stop here: parameters are in their places
				program, begun = append(program, setPrologueEnd), true
			}
			da, dl := l.At-addr, toLine-line
			if op := int64(dl+5) + 14*int64(da) + 13; dl >= -5 && dl < 9 && op < 256 {
				program = append(program, byte(op))
			} else {
				if dl != 0 {
					program = sleb(append(program, 3), int64(dl))
				}
				if da != 0 {
					program = uleb(append(program, 2), uint64(da))
				}
				program = append(program, 1)
			}
			addr, line = l.At, toLine
		}
		program = uleb(append(program, 2), uint64(int32(f.size)-addr))
		program = append(program, 0, 1, 1)
	}
	head := []byte{1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1} // as LLVM's
	dirs := map[string]int{d.files[0].dir: 0}
	var list []string
	for _, f := range d.files {
		if _, ok := dirs[f.dir]; !ok {
			list = append(list, f.dir)
			dirs[f.dir] = len(list)
		}
	}
	for _, s := range list {
		head = append(append(head, s...), 0)
	}
	head = append(head, 0)
	for _, f := range d.files {
		head = append(append(head, f.name...), 0)
		head = uleb(head, uint64(dirs[f.dir]))
		head = append(head, 0, 0)
	}
	head = append(head, 0)
	le := binary.LittleEndian
	d.line = le.AppendUint32(nil, uint32(2+4+len(head)+len(program)))
	d.line = le.AppendUint16(d.line, 4)
	d.line = le.AppendUint32(d.line, uint32(len(head)))
	d.line = append(d.line, head...)
	start := len(d.line)
	d.line = append(d.line, program...)
	for _, x := range fixes {
		d.lineRelocs = append(d.lineRelocs, object.Reloc{At: uint64(start + x.at), Type: relAbs64, Symbol: d.w.file.SectionSymbol(x.section)})
	}
}

// frames says where return addresses are.
func (d *debug) frames(self int) {
	le := binary.LittleEndian
	entry := func(b []byte) {
		for (len(b)+4)%8 != 0 {
			b = append(b, 0)
		}
		d.frame = le.AppendUint32(d.frame, uint32(len(b)))
		d.frame = append(d.frame, b...)
	}
	// What is common: of version 4, the return address is on top.
	entry([]byte{0xFF, 0xFF, 0xFF, 0xFF, 4, 0, 8, 0, 1, 0x78, 16, 0x0C, 7, 8, 0x90, 1})
	for i := range d.w.funcs {
		f := &d.w.funcs[i]
		sort.Slice(f.tops, func(i, j int) bool { return f.tops[i].Low < f.tops[j].Low })
		b := make([]byte, 20)
		at := int32(0)
		advance := func(to int32) {
			switch n := to - at; {
			case n <= 0:
			case n < 64:
				b = append(b, 0x40|byte(n))
			case n < 256:
				b = append(b, 2, byte(n))
			case n < 65536:
				b = append(b, 3, byte(n), byte(n>>8))
			default:
				b = append(b, 4, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
			}
			at = to
		}
		if f.push >= 0 {
			advance(f.push + 1)
			b = append(b, 0x0E, 16, 0x86, 2)
			advance(f.push + 4)
			b = append(b, 0x0D, 6)
		} else {
			f.tops = nil
		}
		for _, t := range f.tops {
			advance(t.Low)
			b = append(b, 0x0C, 7, 8)
			if uint32(t.High) < f.size {
				advance(t.High)
				b = append(b, 0x0C, 6, 16)
			}
		}
		start := uint64(len(d.frame)) + 4
		d.frameRelocs = append(d.frameRelocs,
			object.Reloc{At: start, Type: relAbs32, Symbol: self},
			object.Reloc{At: start + 4, Type: relAbs64, Symbol: d.w.file.SectionSymbol(f.section)})
		le.PutUint64(b[12:], uint64(f.size))
		entry(b)
	}
}
