package symtab

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"loam/internal/dwarfdata"
	table "loam/rt/symtab"
)

// unit is one compilation unit: one module of the compiler.
type unit struct {
	start, end, root int // its bytes in .debug_info; the first entry
	abbrevs          []abbrev

	low      uint64
	stmtList uint64
	compDir  string
	lines    lineTable

	subprograms []subprogram // by offset
	funcs       []*function  // those that are in the program
	declared    map[int]*declared
}

type abbrev struct {
	tag      uint64
	children bool
	attrs    []attribute
}

type attribute struct{ attr, form uint64 }

// subprogram is the description of a function, which its instances may share.
type subprogram struct {
	at            int // in .debug_info
	name, linkage uint64
	origin        int // of an instance: its description
	file, line    uint64
	nullary       bool
}

// function is one that has code.
type function struct {
	lo, hi uint64
	unit   *unit
	about  int // its entry's offset
	calls  []inlined

	// What prepare finds out.
	*declared
	nullary bool
	pieces  []ownedBy
	rows    []codeRow
	frame   frame
}

// inlined is a call that was inlined into a function. They are in preorder.
type inlined struct {
	about      int // its subprogram's offset
	inside     int // how many calls are inlined into it
	file, line uint64
	ranges     []span
	depth      int
	around     int    // the call that it was inlined into
	in         string // the name of file, if there is any
	*declared
}

type span struct{ lo, hi uint64 }

// OtherProducer begins the producer of a unit that is for debuggers only: its functions have names
// that they know (internal/link/debugunit.go).
const OtherProducer = "Go cmd/compile "

// isCode tells addresses of code from what the linker writes for functions it has dropped (0 and
// 1, plus offsets within the function).
func isCode(pc uint64) bool { return pc >= 64<<10 }

// units finds the units of .debug_info.
func (p *Program) units() ([]*unit, error) {
	var all []*unit
	for at := 0; at < len(p.Info); {
		r := dwarfdata.Reader{B: p.Info, At: at}
		length := r.U32()
		next := r.At + int(length)
		if r.Bad || length >= longDWARF || next > len(p.Info) {
			return nil, fmt.Errorf("a unit at %#x is cut short", at)
		}
		u := &unit{start: at, end: next}
		if version := r.U16(); version != 4 {
			at = next // of a library in C
			continue
		}
		abbrevs := r.U32()
		if size := r.U8(); size != 8 {
			return nil, fmt.Errorf("the unit at %#x has addresses of %d bytes", at, size)
		}
		u.root = r.At
		if !u.readAbbrevs(dwarfdata.ReaderAt(p.Abbrev, abbrevs)) {
			return nil, fmt.Errorf("the unit at %#x: its abbreviations are cut short", at)
		}
		all = append(all, u)
		at = next
	}
	return all, nil
}

// longDWARF is the first of the lengths that announce the 64-bit format.
const longDWARF = 0xFFFFFFF0

func (u *unit) readAbbrevs(r dwarfdata.Reader) bool {
	u.abbrevs = append(u.abbrevs, abbrev{})
	var attrs []attribute
	for !r.Bad {
		code := r.Uleb()
		if code == 0 {
			return true
		}
		if code != uint64(len(u.abbrevs)) {
			return false // LLVM counts them
		}
		a := abbrev{tag: r.Uleb(), children: r.U8() != 0}
		start := len(attrs)
		for !r.Bad {
			attr, form := r.Uleb(), r.Uleb()
			if attr == 0 && form == 0 {
				break
			}
			attrs = append(attrs, attribute{attr, form})
		}
		a.attrs = attrs[start:len(attrs):len(attrs)]
		u.abbrevs = append(u.abbrevs, a)
	}
	return false
}

// entry is what is read of an entry.
type entry struct {
	*abbrev
	at                 int
	name, linkage      uint64 // strings' places, plus 1
	low, high          uint64
	hasLow, hasRanges  bool
	ranges             uint64
	origin             int
	declFile, declLine uint64
	callFile, callLine uint64
	stmtList           uint64
	hasLines           bool
	language           uint64
	compDir, producer  uint64 // likewise
}

// read reads the entry at r; false at the end of a list of children.
func (u *unit) read(r *dwarfdata.Reader, e *entry) bool {
	*e = entry{at: r.At}
	code := r.Uleb()
	if code == 0 {
		return false
	}
	if code >= uint64(len(u.abbrevs)) {
		r.Bad = true
		return false
	}
	e.abbrev = &u.abbrevs[code]
	for _, a := range e.attrs {
		v := u.value(r, a.form)
		switch a.attr {
		case dwarfdata.AttrName:
			e.name = v + 1
		case dwarfdata.AttrLinkage:
			e.linkage = v + 1
		case dwarfdata.AttrProducer:
			e.producer = v + 1
		case dwarfdata.AttrCompDir:
			e.compDir = v + 1
		case dwarfdata.AttrLanguage:
			e.language = v
		case dwarfdata.AttrLowPC:
			e.low, e.hasLow = v, true
		case dwarfdata.AttrHighPC:
			e.high = v
			if a.form != dwarfdata.FormAddr {
				e.high += e.low // LLVM writes the lower end first
			}
		case dwarfdata.AttrRanges:
			e.ranges, e.hasRanges = v, true
		case dwarfdata.AttrOrigin, dwarfdata.AttrSpec:
			e.origin = int(v)
		case dwarfdata.AttrDeclFile:
			e.declFile = v
		case dwarfdata.AttrDeclLine:
			e.declLine = v
		case dwarfdata.AttrCallFile:
			e.callFile = v
		case dwarfdata.AttrCallLine:
			e.callLine = v
		case dwarfdata.AttrStmtList:
			e.stmtList, e.hasLines = v, true
		}
	}
	return true
}

// value reads the value of an attribute. References come out as offsets in .debug_info, strings as
// places.
func (u *unit) value(r *dwarfdata.Reader, form uint64) uint64 {
	switch form {
	case dwarfdata.FormStrp, dwarfdata.FormData4, dwarfdata.FormSecOffset, dwarfdata.FormRefAddr:
		return r.U32()
	case dwarfdata.FormData1, dwarfdata.FormFlag:
		return uint64(r.U8())
	case dwarfdata.FormData2:
		return r.U16()
	case dwarfdata.FormRef4:
		return uint64(u.start) + r.U32()
	case dwarfdata.FormAddr, dwarfdata.FormData8:
		return r.U64()
	case dwarfdata.FormUdata:
		return r.Uleb()
	case dwarfdata.FormSdata:
		return uint64(r.Sleb())
	case dwarfdata.FormFlagPresent:
		return 1
	case dwarfdata.FormRef1:
		return uint64(u.start) + uint64(r.U8())
	case dwarfdata.FormRef2:
		return uint64(u.start) + r.U16()
	case dwarfdata.FormRef8:
		return uint64(u.start) + r.U64()
	case dwarfdata.FormRefUdata:
		return uint64(u.start) + r.Uleb()
	case dwarfdata.FormString:
		at := r.At
		r.SkipString()
		return inPlace | uint64(at)
	case dwarfdata.FormBlock1:
		r.Take(int(r.U8()))
	case dwarfdata.FormBlock2:
		r.Take(int(r.U16()))
	case dwarfdata.FormBlock4:
		r.Take(int(r.U32()))
	case dwarfdata.FormBlock, dwarfdata.FormExprloc:
		r.Take(int(r.Uleb()))
	default:
		r.Bad = true
	}
	return 0
}

// readUnit reads the unit's functions and lines.
func (p *Program) readUnit(u *unit) error {
	r := dwarfdata.Reader{B: p.Info[:u.end], At: u.root}
	var e entry
	if !u.read(&r, &e) {
		return nil
	}
	u.low, u.stmtList = e.low, e.stmtList
	if e.language != dwarfdata.LanguageGo && e.language != dwarfdata.LanguageAssembly {
		return nil // C's functions are not part of Go's stacks
	}
	if !e.hasLines || e.producer != 0 && strings.HasPrefix(p.string(e.producer-1), OtherProducer) {
		return nil
	}
	if e.compDir != 0 {
		u.compDir = p.string(e.compDir - 1)
	}
	// The functions and inlined calls that the entry is in; blocks count as what they are in.
	type scope struct {
		f    *function // nil outside of code that is in the program
		sub  int       // index of a subprogram whose own children these are, -1 for others
		call int       // index of the inlined call, -1 in the function itself
	}
	stack := []scope{{sub: -1, call: -1}}
	if !e.children {
		stack = nil
	}
	for len(stack) > 0 && r.More() {
		in := stack[len(stack)-1]
		if !u.read(&r, &e) {
			stack = stack[:len(stack)-1]
			if in.call >= 0 && (len(stack) == 0 || stack[len(stack)-1].call != in.call) {
				in.f.calls[in.call].inside = len(in.f.calls) - in.call - 1
			}
			continue
		}
		inner := scope{f: in.f, sub: -1, call: in.call}
		switch e.tag {
		case dwarfdata.TagSubprogram:
			u.subprograms = append(u.subprograms, subprogram{e.at, e.name, e.linkage, e.origin, e.declFile, e.declLine, false})
			inner = scope{sub: len(u.subprograms) - 1, call: -1}
			if e.hasLow && isCode(e.low) && e.low < e.high {
				inner.f = &function{lo: e.low, hi: e.high, unit: u, about: e.at}
				u.funcs = append(u.funcs, inner.f)
			}
		case dwarfdata.TagInlined:
			if in.f == nil {
				break
			}
			call := inlined{about: e.origin, file: e.callFile, line: e.callLine, depth: 1}
			if in.call >= 0 {
				call.depth, call.around = in.f.calls[in.call].depth+1, in.call+1
			}
			if call.depth >= table.MaxInline {
				break
			}
			switch {
			case e.hasRanges:
				call.ranges = p.rangeList(u, e.ranges)
			case e.hasLow && e.low < e.high:
				call.ranges = []span{{e.low, e.high}}
			}
			in.f.calls = append(in.f.calls, call)
			inner.call = len(in.f.calls) - 1
		case dwarfdata.TagAnnotation:
			if in.sub >= 0 && e.name != 0 && p.string(e.name-1) == "nullary" {
				u.subprograms[in.sub].nullary = true
			}
		}
		if e.children {
			stack = append(stack, inner)
		}
	}
	if r.Bad {
		return errors.New("it is cut short")
	}
	if len(u.funcs) > 0 || len(u.subprograms) == 0 { // assembly has labels
		return u.readLines(p)
	}
	return nil
}

// rangeList returns the ranges of a list in .debug_ranges. They are relative to a base, at first
// the unit's lowest address.
func (p *Program) rangeList(u *unit, at uint64) (list []span) {
	base := u.low
	for r := dwarfdata.ReaderAt(p.Ranges, at); ; {
		lo, hi := r.U64(), r.U64()
		switch {
		case r.Bad || lo == 0 && hi == 0:
			return list
		case lo == ^uint64(0):
			base = hi
		case lo < hi && isCode(base+lo):
			list = append(list, span{base + lo, base + hi})
		}
	}
}

// inPlace marks the place of a string that stands in .debug_info itself, as the assembler has it.
const inPlace = 1 << 62

// string returns the string at a place.
func (p *Program) string(at uint64) string {
	r := dwarfdata.ReaderAt(p.Str, at)
	if at&inPlace != 0 {
		r = dwarfdata.ReaderAt(p.Info, at&^inPlace)
	}
	return r.Str()
}

// find returns the description at an offset of .debug_info, and its unit.
func (p *Program) find(at int) (*unit, *subprogram) {
	i := sort.Search(len(p.all), func(i int) bool { return p.all[i].end > at })
	if i == len(p.all) {
		return nil, nil
	}
	u := p.all[i]
	k, ok := slices.BinarySearchFunc(u.subprograms, at, func(s subprogram, at int) int { return s.at - at })
	if !ok {
		return nil, nil
	}
	return u, &u.subprograms[k]
}
