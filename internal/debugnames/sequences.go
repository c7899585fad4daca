package debugnames

import "loam/internal/dwarfdata"

// appendSequences appends a line program without the sequences of code that the linker left out.
// The lengths are the numbers of operands of the standard instructions.
func appendSequences(out, program, lengths []byte) []byte {
	const (
		extended   = 0
		end        = 1 // of the sequence, an extended instruction
		setAddress = 2 // likewise
		advanceBy2 = 9 // has two bytes for an operand
	)
	r := &dwarfdata.Reader{B: program}
	start, left := 0, false
	for r.At < len(program) && !r.Bad {
		op := r.U8()
		switch {
		case int(op) > len(lengths): // a special instruction, without operands
		case op == advanceBy2:
			r.Take(2)
		case op != extended:
			for range lengths[op-1] {
				r.Uleb()
			}
		default:
			n := int(r.Uleb())
			next := r.At + n
			switch r.U8() {
			case setAddress:
				if n == 9 {
					left = left || r.U64() < firstCode
				}
			case end:
				if !left {
					out = append(out, program[start:next]...)
				}
				start, left = next, false
			}
			r.At = next
		}
	}
	return append(out, program[start:]...)
}
