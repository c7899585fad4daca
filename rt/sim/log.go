package sim

// log writes deviations as text (list.go). What becomes of full buffers is the owner's affair.
type log struct {
	Buf   []byte         // nil: nothing is written
	N     int            // bytes in it
	Flush func(b []byte) // writes them
}

// Start begins to write.
func (l *log) Start(buf []byte, flush func(b []byte)) { *l = log{Buf: buf, Flush: flush} }

const longest = 256 // bytes of a line, but for a name

// on makes room for a line. It says whether anything is written.
func (l *log) on(bytes int) bool {
	if l.Buf == nil {
		return false
	}
	if l.N+bytes > len(l.Buf) {
		l.End()
	}
	return true
}

func (l *log) text(s string)     { l.N += copy(l.Buf[l.N:], s) }
func (l *log) number(v uint64)   { l.text(" "); l.N += Decimal(l.Buf[l.N:], v) }
func (l *log) name(g uint64)     { l.text(" "); l.N += hexadecimal(l.Buf[l.N:], g) }
func (l *log) decision(n uint64) { l.text("  # decision"); l.number(n) }

// choice begins the line of a deviation that was not made, but could have been.
func (l *log) choice() {
	if l.on(longest + len("choice ")) {
		l.text("choice ")
	}
}

func (l *log) pick(n uint64, at At, c *Candidate, of int) {
	if !l.on(longest) {
		return
	}
	l.text("pick")
	l.name(at.G)
	l.number(at.Op)
	l.number(at.Turn)
	l.name(c.ID)
	l.decision(n)
	l.text(": goroutine")
	l.number(c.Number)
	l.text(", one of")
	l.number(uint64(of))
	l.text("\n")
}

func (l *log) point(n uint64, at At, number uint64) {
	if !l.on(longest) {
		return
	}
	l.text("off")
	l.name(at.G)
	l.number(at.Op)
	l.number(at.Entry)
	l.decision(n)
	l.text(": goroutine")
	l.number(number)
	l.text("\n")
}

func (l *log) stall(n uint64, at At) {
	if !l.on(longest) {
		return
	}
	l.text("stall")
	l.name(at.G)
	l.number(at.Op)
	l.number(at.Turn)
	l.decision(n)
	l.text("\n")
}

func (l *log) chance(c Chance, n uint64, at At, of uint64) {
	if !l.on(longest) {
		return
	}
	l.text(chanceWords[c])
	l.name(at.G)
	l.number(at.Op)
	l.number(of)
	l.decision(n)
	l.text("\n")
}

func (l *log) fault(n uint64, name string) {
	if !l.on(LongestName + longest) {
		return
	}
	l.text("fault")
	l.number(n)
	l.text(" ")
	for i := 0; i < len(name); i++ {
		l.Buf[l.N] = printable(name[i])
		l.N++
	}
	l.text("\n")
}

func (l *log) midnight() {
	if l.on(longest) {
		l.text("midnight\n")
	}
}

// event is a line of a trace.
func (l *log) event(word string, a, b, c uint64) {
	if !l.on(longest) {
		return
	}
	l.text(word)
	l.number(a)
	l.number(b)
	l.number(c)
	l.text("\n")
}

// printable is what stands for c in a line.
func printable(c byte) byte {
	if c == '\n' {
		return ' '
	}
	return c
}

// End writes what is left.
func (l *log) End() {
	if l.N > 0 {
		l.Flush(l.Buf[:l.N])
		l.N = 0
	}
}

// Decimal writes v and returns the number of digits.
func Decimal(to []byte, v uint64) int { return digits(to, v, 10) }

func hexadecimal(to []byte, v uint64) int { return digits(to, v, 16) }

func digits(to []byte, v, base uint64) int {
	var text [20]byte
	i := len(text)
	for {
		i--
		text[i] = "0123456789abcdef"[v%base]
		v /= base
		if v == 0 {
			return copy(to, text[i:])
		}
	}
}
