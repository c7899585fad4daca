package symtab

// DWARF's instructions for the address of a call frame (the CFA), which lies above the return
// address.
const (
	cfaAdvance    = 1 // in the upper two bits, with an operand in the others
	cfaOffset     = 2
	cfaRestore    = 3
	cfaNop        = 0x00
	cfaAdvance1   = 0x02
	cfaAdvance2   = 0x03
	cfaAdvance4   = 0x04
	cfaSame       = 0x08
	cfaDef        = 0x0c
	cfaDefReg     = 0x0d
	cfaDefOffset  = 0x0e
	dwarfRSP      = 7
	returnAddress = 8 // its size
)

// returnSlot returns how far above the stack pointer the return address lies at pc; ok is false if
// the section does not tell, or if it tells by another register.
func (m *image) returnSlot(pc uintptr) (above uintptr, ok bool) {
	const common = 0xFFFFFFFF // stands in place of a function's pointer to what is common to many
	for r := at(m.frame, 0); r.left() > 0 && !r.bad; {
		size := r.u32()
		if size >= 0xFFFFFFF0 || size > uint64(r.left()) {
			return 0, false
		}
		end := r.off + int(size)
		if r.u32() != common {
			lo, n := uintptr(r.u64()), uintptr(r.u64())
			if lo != 0 && pc-lo < n {
				return cfaAt(reader{b: m.frame[:end], off: r.off}, pc-lo)
			}
		}
		r.off = end
	}
	return 0, false
}

// cfaAt executes the instructions of a function up to the code's offset off. At its entry the
// return address is on top.
func cfaAt(r reader, off uintptr) (above uintptr, ok bool) {
	register, cfa := uint64(dwarfRSP), uint64(returnAddress)
	for at := uint64(0); r.left() > 0 && !r.bad; {
		op := r.u8()
		switch op >> 6 {
		case cfaAdvance:
			at += uint64(op & 0x3F)
		case cfaOffset:
			r.uleb()
		case cfaRestore:
		default:
			switch op {
			case cfaNop:
			case cfaAdvance1:
				at += uint64(r.u8())
			case cfaAdvance2:
				at += r.u16()
			case cfaAdvance4:
				at += r.u32()
			case cfaSame:
				r.uleb()
			case cfaDef:
				register, cfa = r.uleb(), r.uleb()
			case cfaDefReg:
				register = r.uleb()
			case cfaDefOffset:
				cfa = r.uleb()
			default:
				return 0, false
			}
		}
		if at > uint64(off) {
			break
		}
	}
	return uintptr(cfa - returnAddress), register == dwarfRSP && cfa >= returnAddress && !r.bad
}
