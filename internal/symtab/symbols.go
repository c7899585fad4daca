package symtab

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"

	"loam/internal/dwarfdata"
	"loam/internal/reach"
)

// gaps adds the code that the debug information does not describe, assembly: it has the names of
// symbols. A symbol without a size reaches to the next one. All functions are sorted.
func (p *Program) gaps(known []*function) []*function {
	var all []*function
	for i, s := range p.Sections {
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_EXECINSTR) != elf.SHF_ALLOC|elf.SHF_EXECINSTR {
			continue
		}
		lo, hi := s.Addr, s.Addr+s.Size
		first, _ := slices.BinarySearchFunc(known, lo, func(f *function, lo uint64) int { return cmp.Compare(f.lo, lo) })
		symbols := p.symbolsOf(i, hi)
		for ; first < len(known) && known[first].lo < hi; first++ {
			symbols = fill(&all, symbols, lo, known[first].lo)
			all = append(all, known[first])
			lo = max(lo, known[first].hi)
		}
		fill(&all, symbols, lo, hi)
	}
	return all
}

// fill appends the symbols between lo and hi, and returns the symbols that follow.
func fill(all *[]*function, symbols []symbol, lo, hi uint64) []symbol {
	for len(symbols) > 0 && symbols[0].lo < hi {
		if s := symbols[0]; s.lo >= lo && s.name != "" {
			*all = append(*all, &function{lo: s.lo, hi: min(s.hi, hi), declared: &declared{declaration: declaration{name: s.name}}})
			lo = min(s.hi, hi)
		}
		symbols = symbols[1:]
	}
	return symbols
}

type symbol struct {
	lo, hi uint64
	name   string
	about  byte // 0 is best
}

// symbolsOf returns the symbols of a section of code, one an address.
func (p *Program) symbolsOf(section int, end uint64) []symbol {
	const size, typeFunc = 24, 2
	var all []symbol
	for b := p.Symbols; len(b) >= size; b = b[size:] {
		if kind := b[4] & 15; kind > typeFunc || int(binary.LittleEndian.Uint16(b[6:])) != section {
			continue
		}
		s := symbol{lo: binary.LittleEndian.Uint64(b[8:]), hi: binary.LittleEndian.Uint64(b[16:])}
		s.hi += s.lo
		if s.hi == s.lo {
			s.about = 2
		}
		if b[4]&15 != typeFunc {
			s.about++
		}
		r := dwarfdata.ReaderAt(p.Strings, uint64(binary.LittleEndian.Uint32(b)))
		if s.name = r.Str(); reach.IsMethod(s.name) {
			continue
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.about, b.about))
	})
	all = slices.CompactFunc(all, func(a, b symbol) bool { return a.lo == b.lo })
	for i := range all {
		next := end
		if i+1 < len(all) {
			next = all[i+1].lo
		}
		if s := &all[i]; s.hi == s.lo || s.hi > end {
			s.hi = next
		}
	}
	return all
}

// piece is code that a unit has lines of.
type piece struct {
	span
	unit *unit
}

// assembly returns what code the units without functions have lines of, by address.
func (p *Program) assembly() (all []piece) {
	for _, u := range p.all {
		if len(u.subprograms) > 0 {
			continue
		}
		begun := false
		var lo uint64
		for _, r := range u.lines.rows {
			if !begun {
				begun, lo = true, r.addr
			}
			if r.end {
				all, begun = append(all, piece{span{lo, r.addr}, u}), false
			}
		}
	}
	slices.SortFunc(all, func(a, b piece) int { return cmp.Compare(a.lo, b.lo) })
	return all
}

// locate gives a symbol of assembly its lines, if there are any. It begins where its first
// instruction stands.
func (f *function) locate(assembly []piece) {
	i, found := slices.BinarySearchFunc(assembly, f.lo, func(p piece, lo uint64) int { return cmp.Compare(p.lo, lo) })
	if !found {
		i--
	}
	if i < 0 || f.lo >= assembly[i].hi {
		return
	}
	f.unit = assembly[i].unit
	if rows := f.unit.lines.within(f.lo, f.hi); len(rows) > 0 && !rows[0].end {
		f.file, f.line = f.unit.lines.file(uint64(rows[0].file)), uint64(rows[0].line)
		f.paint()
		f.readRows()
	}
}
