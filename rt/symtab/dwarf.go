package symtab

// The part of DWARF 4 (dwarfstd.org) that clang writes for line tables: tags, attributes and forms.
const (
	tagInlined    = 0x1D
	tagSubprogram = 0x2E
	tagBlock      = 0x0B   // DW_TAG_lexical_block
	tagAnnotation = 0x6000 // DW_TAG_LLVM_annotation

	attrName     = 0x03
	attrStmtList = 0x10
	attrLowPC    = 0x11
	attrHighPC   = 0x12
	attrCompDir  = 0x1B
	attrOrigin   = 0x31
	attrDeclLine = 0x3B
	attrSpec     = 0x47
	attrRanges   = 0x55
	attrCallFile = 0x58
	attrCallLine = 0x59
	attrLinkage  = 0x6E
	attrDeclFile = 0x3A

	formAddr        = 0x01
	formBlock2      = 0x03
	formBlock4      = 0x04
	formData2       = 0x05
	formData4       = 0x06
	formData8       = 0x07
	formString      = 0x08
	formBlock       = 0x09
	formBlock1      = 0x0A
	formData1       = 0x0B
	formFlag        = 0x0C
	formSdata       = 0x0D
	formStrp        = 0x0E
	formUdata       = 0x0F
	formRefAddr     = 0x10
	formRef1        = 0x11
	formRef2        = 0x12
	formRef4        = 0x13
	formRef8        = 0x14
	formRefUdata    = 0x15
	formIndirect    = 0x16
	formSecOffset   = 0x17
	formExprloc     = 0x18
	formFlagPresent = 0x19
	formLineStrp    = 0x1F
	formRefSig8     = 0x20
)

// unit is one compilation unit: one module of the compiler, that is one Go package.
type unit struct {
	start, end uint64 // its bytes in .debug_info, header included
	root       uint64 // its first DIE
	abbrevOff  uint64
	addrSize   int

	lowPC, highPC uint64
	ranges        uint64
	hasRanges     bool
	stmtList      uint64
	hasLines      bool
	compDir       string

	abbrevs []uint32 // offset in .debug_abbrev of each abbreviation's declaration, by code
	loaded  bool     // what follows is filled in
	funcs   []function
	lines   lineTable
}

// function is a subprogram with code.
type function struct {
	lo, hi uintptr
	die    uint64
}

// die is one decoded debugging information entry: only the attributes that matter.
type die struct {
	tag                uint64
	children           bool
	null               bool // end of a sibling list
	name, linkage      string
	low, high          uint64
	hasLow             bool
	ranges             uint64
	hasRanges          bool
	origin             uint64 // of an inlined or out-of-line instance: its abstract DIE
	declFile, declLine uint64
	callFile, callLine uint64
	stmtList           uint64
	hasLines           bool
	compDir            string
}

// unitAt reads the unit header at off; next is the following unit. ok is false at the end, and for
// a version or format that clang does not write with our settings.
func (m *image) unitAt(off uint64) (u unit, next uint64, ok bool) {
	r := at(m.info, off)
	length := r.u32()
	if length >= 0xFFFFFFF0 || r.bad || length == 0 {
		return u, 0, false // 64-bit DWARF, or the end
	}
	next = off + 4 + length
	if next > uint64(len(m.info)) {
		return u, 0, false
	}
	version := r.u16()
	u.start, u.end = off, next
	u.abbrevOff = r.u32()
	u.addrSize = int(r.u8())
	u.root = uint64(r.off)
	return u, next, version == 4 && !r.bad
}

// abbrevTable records where each abbreviation of u is declared. Codes count from 1 without gaps.
func (m *image) abbrevTable(u *unit) {
	if u.abbrevs != nil {
		return
	}
	count := 0
	for pass := 0; pass < 2; pass++ {
		r := at(m.abbrev, u.abbrevOff)
		for !r.bad {
			start := r.off
			code := r.uleb()
			if code == 0 {
				break
			}
			if pass == 0 && int(code) > count && code < 1<<16 {
				count = int(code)
			}
			if pass == 1 && int(code) < len(u.abbrevs) {
				u.abbrevs[code] = uint32(start)
			}
			r.uleb()
			r.u8()
			for !r.bad {
				if attr, form := r.uleb(), r.uleb(); attr == 0 && form == 0 {
					break
				}
			}
		}
		if pass == 0 {
			u.abbrevs = allocSlice[uint32](count + 1)
		}
	}
}

// readDIE decodes the entry at r into d and leaves r after it.
func (m *image) readDIE(u *unit, r *reader, d *die) {
	*d = die{}
	code := r.uleb()
	if code == 0 || code >= uint64(len(u.abbrevs)) {
		d.null = true
		if code != 0 {
			r.bad = true
		}
		return
	}
	a := at(m.abbrev, uint64(u.abbrevs[code]))
	a.uleb()
	d.tag = a.uleb()
	d.children = a.u8() != 0
	for !r.bad && !a.bad {
		attr, form := a.uleb(), a.uleb()
		if attr == 0 && form == 0 {
			return
		}
		v, s := m.readForm(u, r, form)
		switch attr {
		case attrName:
			d.name = s
		case attrLinkage:
			d.linkage = s
		case attrCompDir:
			d.compDir = s
		case attrLowPC:
			d.low, d.hasLow = v, true
		case attrHighPC:
			d.high = v
			if form != formAddr {
				d.high += d.low // clang writes low_pc first
			}
		case attrRanges:
			d.ranges, d.hasRanges = v, true
		case attrOrigin, attrSpec:
			d.origin = v
		case attrDeclFile:
			d.declFile = v
		case attrDeclLine:
			d.declLine = v
		case attrCallFile:
			d.callFile = v
		case attrCallLine:
			d.callLine = v
		case attrStmtList:
			d.stmtList, d.hasLines = v, true
		}
	}
}

// readForm reads one attribute value: a number or a string. References come out as offsets in
// .debug_info.
func (m *image) readForm(u *unit, r *reader, form uint64) (v uint64, s string) {
	switch form {
	case formAddr:
		return r.uint(u.addrSize), ""
	case formData1, formFlag:
		return uint64(r.u8()), ""
	case formData2:
		return r.u16(), ""
	case formData4, formSecOffset, formRefAddr:
		return r.u32(), ""
	case formData8, formRefSig8:
		return r.u64(), ""
	case formSdata:
		return uint64(r.sleb()), ""
	case formUdata:
		return r.uleb(), ""
	case formRef1:
		return u.start + uint64(r.u8()), ""
	case formRef2:
		return u.start + r.u16(), ""
	case formRef4:
		return u.start + r.u32(), ""
	case formRef8:
		return u.start + r.u64(), ""
	case formRefUdata:
		return u.start + r.uleb(), ""
	case formFlagPresent:
		return 1, ""
	case formString:
		return 0, r.str()
	case formStrp:
		t := at(m.str, r.u32())
		return 0, t.str()
	case formLineStrp:
		t := at(m.linestr, r.u32())
		return 0, t.str()
	case formBlock1:
		r.skip(int(r.u8()))
	case formBlock2:
		r.skip(int(r.u16()))
	case formBlock4:
		r.skip(int(r.u32()))
	case formBlock, formExprloc:
		r.skip(int(r.uleb()))
	case formIndirect:
		return m.readForm(u, r, r.uleb())
	default:
		r.bad = true
	}
	return 0, ""
}

// rangeWalk goes through a range list of .debug_ranges. Entries are relative to a base, at first
// the unit's low_pc.
type rangeWalk struct {
	r    reader
	base uint64
}

func (m *image) rangeList(u *unit, off uint64) rangeWalk {
	return rangeWalk{r: at(m.ranges, off), base: u.lowPC}
}

// next returns the next nonempty range that is in the linked program.
func (w *rangeWalk) next() (lo, hi uint64, ok bool) {
	for {
		lo, hi = w.r.u64(), w.r.u64()
		switch {
		case w.r.bad || lo == 0 && hi == 0:
			return 0, 0, false
		case lo == ^uint64(0):
			w.base = hi
		case lo < hi && isCode(w.base+lo):
			return w.base + lo, w.base + hi, true
		}
	}
}

// isCode tells addresses of code from what the linker writes for functions it has dropped (0 and
// 1, plus offsets within the function).
func isCode(pc uint64) bool { return pc >= 64<<10 }
