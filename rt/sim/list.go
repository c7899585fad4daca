package sim

// A schedule as text, a line a deviation, in the order of the decisions:
//
//	pick N K OF G     decision N: of OF goroutines the one at place K, which is G, goes on
//	off N G ENTRY     decision N: goroutine G is taken off its thread, at function entry ENTRY since
//	                  the last decision or the beginning of the turn, 0: behind an operation of the
//	                  run-time system
//	stall N           before decision N: time goes on to the next timer
//
// Lines with other first words, and empty ones, are for readers. The driver writes the seed so.

// list is such a text, read line by line as the run comes to it.
type list struct {
	text string // what is left
	have bool   // the next deviation is in the fields below
	kind byte   // the first letter of the line's word
	at   uint64
	a, b uint64
	c    uint64

	Diverged uint64 // 1 + number of the first decision that was not as the list says; 0: none
}

// Load gives Listed its schedule. The text must stay.
func (o *Oracle) Load(text string) { o.list = list{text: text} }

// Diverged says at which decision the run first was not what the list was made for.
func (o *Oracle) Diverged() (decision uint64, diverged bool) {
	return o.list.Diverged - 1, o.list.Diverged != 0
}

// advance reads lines up to the next deviation.
func (l *list) advance() {
	for !l.have && l.text != "" {
		end := 0
		for end < len(l.text) && l.text[end] != '\n' {
			end++
		}
		line := l.text[:end]
		l.text = l.text[min(end+1, len(l.text)):]
		word, rest := field(line)
		switch word {
		case "pick", "off", "stall":
		default:
			continue
		}
		l.kind = word[0]
		var f string
		f, rest = field(rest)
		l.at, l.have = parseNumber(f)
		f, rest = field(rest)
		l.a, _ = parseNumber(f)
		f, rest = field(rest)
		l.b, _ = parseNumber(f)
		f, _ = field(rest)
		l.c, _ = parseNumber(f)
	}
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

// due says whether the next deviation is of the kind and decision. Those that lie behind, because the
// run took another way, are left out.
func (l *list) due(kind byte, n uint64) bool {
	for l.advance(); l.have && l.at < n; l.advance() {
		l.diverge(l.at)
		l.have = false
	}
	if l.have && l.at == n && l.kind == kind {
		l.have = false
		return true
	}
	return false
}

func (l *list) diverge(n uint64) {
	if l.Diverged == 0 {
		l.Diverged = n + 1
	}
}

func (l *list) pick(n uint64, c []Candidate) int {
	if !l.due('p', n) {
		return 0
	}
	for i := range c {
		if c[i].ID == l.c {
			if uint64(i) != l.a || uint64(len(c)) != l.b {
				l.diverge(n)
			}
			return i
		}
	}
	l.diverge(n)
	return 0
}

func (l *list) point(n, running, entry uint64) bool {
	if l.entry(n) != entry || !l.due('o', n) {
		return false
	}
	if l.a != running {
		l.diverge(n)
		return false
	}
	return true
}

// entry says at which function entry decision n is taken, 0: at none.
func (l *list) entry(n uint64) uint64 {
	l.advance()
	if l.have && l.at == n && l.kind == 'o' {
		return l.b
	}
	return 0
}
