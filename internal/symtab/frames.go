package symtab

import (
	"cmp"
	"encoding/binary"
	"slices"

	"loam/internal/dwarfdata"
	table "loam/rt/symtab"
)

// DWARF's instructions for the address of a call frame, which lies above the return address.
const (
	cfaAdvance   = 1 // in the upper two bits, with an operand in the others
	cfaOffset    = 2
	cfaRestore   = 3
	cfaNop       = 0x00
	cfaAdvance1  = 0x02
	cfaAdvance2  = 0x03
	cfaAdvance4  = 0x04
	cfaSame      = 0x08
	cfaRemember  = 0x0a
	cfaBack      = 0x0b
	cfaDef       = 0x0c
	cfaDefReg    = 0x0d
	cfaDefOffset = 0x0e

	dwarfRSP      = 7
	returnAddress = 8 // its size
)

// frame says where a function's return address is.
type frame struct {
	kind byte   // table.FrameNone and so on
	push uint64 // of the standard frame: where the frame pointer is pushed
	tops []span // of the standard frame: where the return address is on top, behind that
	rows []slot // of others
}

// slot is how many words above the stack pointer the return address is, plus 1, from a distance
// into the function on; 0 if it goes by another register.
type slot struct{ at, place uint64 }

// frames is .debug_frame, by address.
type frames []frameEntry

type frameEntry struct {
	lo, size uint64
	code     []byte
}

// readFrames finds the functions in .debug_frame that are in the program.
func readFrames(b []byte) (all frames) {
	for _, f := range listFrames(b) {
		if isCode(f.lo) {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b frameEntry) int { return cmp.Compare(a.lo, b.lo) })
	return all
}

// listFrames finds the functions in .debug_frame, in its order.
func listFrames(b []byte) (all frames) {
	const common = 0xFFFFFFFF // stands in place of a function's pointer to what is common to many
	for r := (dwarfdata.Reader{B: b}); r.More(); {
		length := r.U32()
		if length >= longDWARF || length > uint64(len(b)-r.At) {
			break
		}
		end := r.At + int(length)
		if r.U32() != common {
			lo, size := r.U64(), r.U64()
			if r.At <= end {
				all = append(all, frameEntry{lo, size, b[r.At:end]})
			}
		}
		r.At = end
	}
	return all
}

// of returns the frame of the function at lo.
func (all frames) of(lo, size uint64) frame {
	i, ok := slices.BinarySearchFunc(all, lo, func(f frameEntry, lo uint64) int { return cmp.Compare(f.lo, lo) })
	if !ok {
		return frame{kind: table.FrameNone}
	}
	rows := cfaRows(all[i].code)
	if len(rows) == 1 && rows[0].place == 1 {
		return frame{kind: table.FrameTop}
	}
	if push, tops, ok := standard(rows, size); ok {
		return frame{kind: table.FrameStandard, push: push, tops: tops}
	}
	return frame{kind: table.FrameRows, rows: rows}
}

// cfaRows executes the instructions of a function. At its entry the return address is on top. After
// an instruction that is not known nothing is.
func cfaRows(code []byte) (rows []slot) {
	register, cfa := uint64(dwarfRSP), uint64(returnAddress)
	type state struct{ register, cfa uint64 }
	var saved []state
	at := uint64(0)
	add := func() {
		place := uint64(0)
		if register == dwarfRSP && cfa >= returnAddress && cfa%8 == 0 {
			place = cfa / 8 // less the return address's word, plus 1
		}
		switch n := len(rows); {
		case n > 0 && rows[n-1].at == at:
			rows[n-1].place = place
		case n == 0 || rows[n-1].place != place:
			rows = append(rows, slot{at, place})
			return
		}
		if n := len(rows); n > 1 && rows[n-2].place == rows[n-1].place {
			rows = rows[:n-1]
		}
	}
	add()
	for r := (dwarfdata.Reader{B: code}); r.More(); add() {
		op := r.U8()
		switch op >> 6 {
		case cfaAdvance:
			at += uint64(op & 0x3F)
			continue
		case cfaOffset:
			r.Uleb()
			continue
		case cfaRestore:
			continue
		}
		switch op {
		case cfaNop:
		case cfaAdvance1:
			at += uint64(r.U8())
		case cfaAdvance2:
			at += r.U16()
		case cfaAdvance4:
			at += r.U32()
		case cfaSame:
			r.Uleb()
		case cfaRemember:
			saved = append(saved, state{register, cfa})
		case cfaBack:
			if n := len(saved); n > 0 {
				register, cfa = saved[n-1].register, saved[n-1].cfa
				saved = saved[:n-1]
			}
		case cfaDef:
			register, cfa = r.Uleb(), r.Uleb()
		case cfaDefReg:
			register = r.Uleb()
		case cfaDefOffset:
			cfa = r.Uleb()
		default:
			register = ^uint64(0)
			add()
			return rows
		}
	}
	return rows
}

// standard reports whether rows are those of the standard frame: the return address is on top until
// the frame pointer is pushed, and again in some places behind.
func standard(rows []slot, size uint64) (push uint64, tops []span, ok bool) {
	const pushed, moved = 1, 4 // the ends of the two instructions
	if len(rows) < 3 || rows[0].place != 1 || rows[1].place != 2 || rows[1].at == 0 {
		return 0, nil, false
	}
	push = rows[1].at - pushed
	if rows[2] != (slot{push + moved, 0}) {
		return 0, nil, false
	}
	for i, r := range rows[3:] {
		switch r.place {
		case 0:
			continue
		case 1:
		default:
			return 0, nil, false
		}
		end := size
		if i+4 < len(rows) {
			if end = rows[i+4].at; rows[i+4].place != 0 {
				return 0, nil, false
			}
		}
		tops = append(tops, span{r.at, end})
	}
	return push, tops, true
}

// encode appends the frame in the table's form.
func (f *frame) encode(b []byte, size uint64) []byte {
	switch f.kind {
	case table.FrameStandard:
		b = binary.AppendUvarint(b, f.push)
		b = binary.AppendUvarint(b, uint64(len(f.tops)))
		at := f.push
		for _, top := range f.tops {
			distance, length := (top.lo-at)<<1, top.hi-top.lo
			at = top.hi
			if length == 1 {
				b = binary.AppendUvarint(b, distance|1)
				continue
			}
			if top.hi == size {
				length = 0
			}
			b = binary.AppendUvarint(binary.AppendUvarint(b, distance), length)
		}
	case table.FrameRows:
		b = binary.AppendUvarint(b, uint64(len(f.rows)))
		at := uint64(0)
		for _, r := range f.rows {
			b = binary.AppendUvarint(binary.AppendUvarint(b, r.at-at), r.place)
			at = r.at
		}
	}
	return b
}
