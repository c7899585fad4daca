package runtime

import (
	"internal/goversion"
	"internal/runtime/pprof/label"
	"loam/rt/sched"
	"sync/atomic"
)

// tracebackLabels is GODEBUG=tracebacklabels, 1 or 0: the line that introduces a goroutine names
// its profiler labels.
var tracebackLabels atomic.Bool

// labelsByDefault: from Go 1.27 on tracebacks name labels, behind the status and without quotes
// where there is no need for any. In Go 1.26 they are a part of the status.
const labelsByDefault = goversion.Version >= 27

// endHeader prints the rest of the line that introduces gp, behind its status: with gp's labels, if
// that is asked for and there are any. A label is a pair of strings.
func endHeader(gp *sched.G) {
	set := (*label.Set)(gp.Labels)
	labels := set != nil && len(set.List) > 0 && tracebackLabels.Load()
	if labelsByDefault || !labels {
		emitString("]")
	}
	if labels {
		separator := " labels:{"
		if labelsByDefault {
			separator = " {"
		}
		for i := range set.List {
			emitString(separator)
			printLabel(set.List[i].Key)
			emitString(": ")
			printLabel(set.List[i].Value)
			separator = ", "
		}
		emitString("}")
		if !labelsByDefault {
			emitString("]")
		}
	}
	emitString(":\n")
}

// printLabel prints a key or a value.
func printLabel(s string) {
	if labelsByDefault && isPlain(s) {
		emitString(s)
	} else {
		printQuoted(s)
	}
}

// isPlain reports whether s is all ASCII letters, digits, dots, slashes and underscores.
func isPlain(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|' ' >= 'a' && c|' ' <= 'z'
		digit := c >= '0' && c <= '9'
		if !letter && !digit && c != '.' && c != '/' && c != '_' {
			return false
		}
	}
	return true
}

// printQuoted prints s as a Go string literal of printable ASCII characters. It does not allocate.
func printQuoted(s string) {
	emitString(`"`)
	for i, r := range s {
		if r == runeError && labelsByDefault {
			if _, next := decoderune(s, i); next == i+1 { // a byte that is no part of a character
				emitString(`\x`)
				printDigits(uint32(s[i]), 2)
				continue
			}
		}
		switch {
		case r == '\n':
			emitString(`\n`)
		case r == '\r':
			emitString(`\r`)
		case r == '\t':
			emitString(`\t`)
		case r == '"':
			emitString(`\"`)
		case r == '\\':
			emitString(`\\`)
		case ' ' <= r && r <= '~':
			emitString(s[i : i+1])
		case r < ' ':
			emitString(`\x`)
			printDigits(uint32(r), 2)
		case r < 1<<16:
			emitString(`\u`)
			printDigits(uint32(r), 4)
		default:
			emitString(`\U`)
			printDigits(uint32(r), 8)
		}
	}
	emitString(`"`)
}

// printDigits prints the last n hexadecimal digits of v.
func printDigits(v uint32, n uint) {
	const digits = "0123456789abcdef"
	for n > 0 {
		n--
		d := v >> (4 * n) & 15
		emitString(digits[d : d+1])
	}
}
