package sim

// A schedule as text, a line a deviation:
//
//	pick G OP TURN H    when goroutine G's turn ends, H goes on
//	off G OP ENTRY      goroutine G is taken off its thread
//	stall G OP TURN     time goes on to the next timer first
//	try G OP N          the N-th TryLock behind the operation fails
//	drop G OP 0         all sync.Pools are emptied
//	collect G OP 0      a collection begins
//	error G OP N        the N-th operation of the disk there fails; the following are alike
//	write G OP N        a write writes a part only
//	reset G OP N        a write loses the connection
//	lose G OP N         a datagram is lost
//	again G OP N        a datagram comes twice
//	behind G OP N       a datagram is overtaken by later ones
//	midnight            the run begins shortly before midnight
//	fault N NAME        the N-th time that the program asks Maybe(NAME), the answer is yes
//
// A decision is known by how far a goroutine has come, not by its place in the run, so that it
// stays the same one when an earlier deviation is left out, and mostly when the program changes a
// little: OP is how many operations of the run-time system G has done, ENTRY how many function
// entries, or accesses to memory, there were since (0: it is the operation itself), TURN how many
// of G's turns have ended since. G and H are names of goroutines, in hexadecimal, made of whose
// child each is.
//
// What follows a # is for readers, as are lines with other first words, and empty ones. The driver
// writes the seed so.

// At is how far a run has come: where the goroutine is that has the turn, or had it last.
type At struct{ G, Op, Entry, Turn uint64 }

// Deviation is a line of such a text.
type Deviation struct {
	kind byte   // the first letter of the line's word, which no other word has; 0: the entry is free
	done bool   // the run has come to it, and it could be done
	line uint32 // in the text, from 1 on
	g    uint64 // of a fault, the place's hash
	op   uint64 // of a fault, the time
	sub  uint64 // entry, or turn
	to   uint64
}

// list has the deviations in a table, by g and op.
type list struct {
	table []Deviation
	last  uint32 // line
}

// Load gives Listed its schedule. memory is zero, has at least twice as many places as the text has
// lines, and stays.
func (o *Oracle) Load(text string, memory []Deviation) {
	o.list = list{table: memory}
	for text != "" {
		end := 0
		for end < len(text) && text[end] != '\n' {
			end++
		}
		o.list.last++
		o.list.add(text[:end])
		text = text[min(end+1, len(text)):]
	}
}

// Diverged is the first line of the list that the run did not come to, or that could not be done:
// the list was made for another program. 0: there is none.
func (o *Oracle) Diverged() (line uint64) {
	for i := range o.list.table {
		if d := &o.list.table[i]; d.kind != 0 && !d.done && (line == 0 || uint64(d.line) < line) {
			line = uint64(d.line)
		}
	}
	return line
}

// add takes a line over.
func (l *list) add(line string) {
	word, rest := field(line)
	d := Deviation{line: l.last}
	var f string
	switch word {
	case "pick", "off", "stall", "try", "drop", "collect", "error", "write", "reset", "lose", "again", "behind", "halves":
		f, rest = field(rest)
		d.g = parseHex(f)
		f, rest = field(rest)
		d.op, _ = parseNumber(f)
		f, rest = field(rest)
		d.sub, _ = parseNumber(f)
		f, _ = field(rest)
		d.to = parseHex(f)
	case "midnight":
	case "fault":
		f, rest = field(rest)
		d.op, _ = parseNumber(f)
		for len(rest) > 0 && rest[0] == ' ' {
			rest = rest[1:]
		}
		d.g = hashName(Fault, rest)
	default:
		return
	}
	d.kind = word[0]
	i := l.start(d.g, d.op)
	for l.table[i].kind != 0 {
		i = (i + 1) % uint64(len(l.table))
	}
	l.table[i] = d
}

func (l *list) start(g, op uint64) uint64 { return finish(g^finish(op)) % uint64(len(l.table)) }

// find is the deviation, nil if the list has none.
func (l *list) find(kind byte, g, op, sub uint64) *Deviation {
	if len(l.table) == 0 {
		return nil
	}
	for i := l.start(g, op); l.table[i].kind != 0; i = (i + 1) % uint64(len(l.table)) {
		if d := &l.table[i]; d.kind == kind && d.g == g && d.op == op && d.sub == sub {
			return d
		}
	}
	return nil
}

// due reports whether the list has the deviation.
func (l *list) due(kind byte, g, op, sub uint64) bool {
	d := l.find(kind, g, op, sub)
	if d != nil {
		d.done = true
	}
	return d != nil
}

// pick is the place of the goroutine that goes on.
func (l *list) pick(at At, c []Candidate) int {
	d := l.find('p', at.G, at.Op, at.Turn)
	if d == nil {
		return 0
	}
	for i := range c {
		if c[i].ID == d.to {
			d.done = true
			return i
		}
	}
	return 0
}

// nextEntry says at which entry behind at the goroutine is taken off next, 0: at none.
func (l *list) nextEntry(at At) uint64 {
	next := uint64(0)
	if len(l.table) == 0 {
		return 0
	}
	for i := l.start(at.G, at.Op); l.table[i].kind != 0; i = (i + 1) % uint64(len(l.table)) {
		d := &l.table[i]
		if d.kind == 'o' && d.g == at.G && d.op == at.Op && d.sub > at.Entry && (next == 0 || d.sub < next) {
			next = d.sub
		}
	}
	return next
}

// field cuts the first word off.
func field(s string) (word, rest string) {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	end := 0
	for end < len(s) && s[end] != ' ' {
		end++
	}
	return s[:end], s[end:]
}

// parseHex reads a goroutine's name.
func parseHex(s string) (n uint64) {
	for i := 0; i < len(s); i++ {
		n = n<<4 | digit(s[i])&15
	}
	return n
}
