package runtime

import (
	"internal/runtime/pprof/label"
	"loam/rt/sched"
	"sync/atomic"
)

// tracebackLabels is GODEBUG=tracebacklabels=1: the line that introduces a goroutine names its profiler labels.
var tracebackLabels atomic.Bool

// printLabels prints gp's labels, if that is asked for and there are any. A label is a pair of quoted strings.
func printLabels(gp *sched.G) {
	set := (*label.Set)(gp.Labels)
	if set == nil || len(set.List) == 0 || !tracebackLabels.Load() {
		return
	}
	separator := " labels:{"
	for i := range set.List {
		emitString(separator)
		printQuoted(set.List[i].Key)
		emitString(": ")
		printQuoted(set.List[i].Value)
		separator = ", "
	}
	emitString("}")
}

// printQuoted prints s as a Go string literal of printable ASCII characters. It does not allocate.
func printQuoted(s string) {
	emitString(`"`)
	for i, r := range s {
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
