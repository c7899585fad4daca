package sim

// log writes deviations as text (list.go). What becomes of full buffers is the owner's affair.
type log struct {
	Buf   []byte         // nil: nothing is written
	N     int            // bytes in it
	Flush func(b []byte) // writes them
}

// Start begins to write.
func (l *log) Start(buf []byte, flush func(b []byte)) { *l = log{Buf: buf, Flush: flush} }

const longest = 128 // bytes of a line

func (l *log) pick(n uint64, k, of int, g uint64) {
	l.line("pick ", n, uint64(k), uint64(of), g, 4)
}

func (l *log) point(n, g, entry uint64) { l.line("off ", n, g, entry, 0, 3) }
func (l *log) stall(n uint64)           { l.line("stall ", n, 0, 0, 0, 1) }

func (l *log) line(word string, a, b, c, d uint64, fields int) {
	if l.Buf == nil {
		return
	}
	if l.N+longest > len(l.Buf) {
		l.End()
	}
	l.N += copy(l.Buf[l.N:], word)
	for i, v := range [...]uint64{a, b, c, d} {
		if i == fields {
			break
		}
		if i > 0 {
			l.Buf[l.N] = ' '
			l.N++
		}
		l.N += Decimal(l.Buf[l.N:], v)
	}
	l.Buf[l.N] = '\n'
	l.N++
}

// End writes what is left.
func (l *log) End() {
	if l.N > 0 {
		l.Flush(l.Buf[:l.N])
		l.N = 0
	}
}

// Decimal writes v and returns the number of digits.
func Decimal(to []byte, v uint64) int {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + v%10)
		v /= 10
		if v == 0 {
			return copy(to, digits[i:])
		}
	}
}
