package heap

import "loam/rt/pacer"

// The environment variables of the collector, read once by Init: GOGC, GOMEMLIMIT, LOAMGC, and
// gctrace of GODEBUG (LOAMDEBUG is read by rt/sched, which calls SetDebug). A malformed GOMEMLIMIT
// is fatal, as under gc, and so is a malformed LOAMGC; anything else malformed is ignored.
func readSettings() {
	container.part, container.follows = containerPart, 1
	if s, ok := osGetenv("GOGC"); ok {
		if percent, ok := parsePercent(s); ok {
			cycle.pacer.SetPercent(percent)
		}
	}
	if s, ok := osGetenv("GOMEMLIMIT"); ok && s != "" {
		container.follows = 0
		n, ok := parseBytes(s)
		if s == "off" {
			n, ok = noLimit, true
		}
		if !ok {
			printString("GOMEMLIMIT=")
			printString(s)
			printString("\n")
			throw("malformed GOMEMLIMIT; see `go doc runtime/debug.SetMemoryLimit`")
		}
		cycle.pacer.SetLimit(int64(n))
	}
	if s, ok := osGetenv("LOAMGC"); ok {
		b, bad := parseBudget(s)
		if bad != "" {
			printString("LOAMGC=")
			printString(s)
			printString(": ")
			printString(bad)
			printString(budgetForm)
			exit(2)
		}
		conc.off = b.stopped
		setBudget(b.share, b.memory)
		if b.part != 0 {
			container.part, container.asked = b.part, true // GOMEMLIMIT goes before
		}
	}
	if s, ok := osGetenv("GODEBUG"); ok {
		forSettings(s, func(name, value string) {
			if n, ok := parseNumber(value); ok {
				switch name {
				case "gctrace":
					SetTrace(int32(n))
				case "checkfinalizers":
					calls.checked = n != 0
				}
			}
		})
	}
	setTrigger()
}

// forSettings calls f for each name=value of a comma-separated list.
func forSettings(s string, f func(name, value string)) {
	for len(s) > 0 {
		end, eq := 0, -1
		for end < len(s) && s[end] != ',' {
			if s[end] == '=' && eq < 0 {
				eq = end
			}
			end++
		}
		if eq >= 0 {
			f(s[:eq], s[eq+1:end])
		}
		if end == len(s) {
			return
		}
		s = s[end+1:]
	}
}

// parseNumber reads a number below 1<<63.
func parseNumber(s string) (n uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > (1<<63-1)/10 {
			return 0, false
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return n, len(s) > 0 && n < 1<<63
}

// parseSigned reads a number with or without a sign.
func parseSigned(s string) (n uint64, minus, ok bool) {
	minus = s != "" && s[0] == '-'
	if minus || s != "" && s[0] == '+' {
		s = s[1:]
	}
	n, ok = parseNumber(s)
	return n, minus && n > 0, ok
}

// parsePercent reads GOGC: off, or a number that may have a sign; a negative one means off.
func parsePercent(s string) (percent int32, ok bool) {
	if s == "off" {
		return pacer.Off, true
	}
	n, minus, ok := parseSigned(s)
	switch {
	case ok && minus && n <= 1<<31:
		return pacer.Off, true
	case !ok || n >= 1<<31:
		return 0, false
	}
	return int32(n), true
}

// parseBytes reads a size as GOMEMLIMIT has it: a number, with B, KiB, MiB, GiB or TiB
// behind it.
func parseBytes(s string) (n uint64, ok bool) {
	shift := uint(0)
	if k := len(s); k > 1 && s[k-1] == 'B' {
		s = s[:k-1]
		if k := len(s); k > 1 && s[k-1] == 'i' {
			switch s[k-2 : k-1] {
			case "K":
				shift = 10
			case "M":
				shift = 20
			case "G":
				shift = 30
			case "T":
				shift = 40
			default:
				return 0, false
			}
			s = s[:k-2]
		}
	}
	n, minus, ok := parseSigned(s)
	if !ok || minus || n > (1<<63-1)>>shift {
		return 0, false
	}
	return n << shift, true
}

// budget is what LOAMGC says.
type budget struct {
	share   uint64 // of the CPU time, in thousandths; 0: GOGC decides
	memory  uint64
	part    uint64 // of the container's memory, in thousandths; 0: LOAMGC does not say
	stopped bool   // marking stops the world
}

// budgetForm completes a message about LOAMGC.
const budgetForm = " is none of cpu=N% (up to 99.9), mem=SIZE (a number with B, KB, MB, GB, KiB, MiB, GiB or TiB), " +
	"mem=N% (of the container's memory, or the machine's) and " +
	"concurrent=0 or 1, with commas between them\n"

// parseBudget reads LOAMGC: "cpu=5%,mem=512MB" (either part alone too; per cent may
// have one decimal; sizes in B, KB, MB, GB or as GOMEMLIMIT has them). bad is the part that is
// wrong, "" if none is.
func parseBudget(s string) (b budget, bad string) {
	b.memory = pacer.NoLimit
	for s != "" {
		end := 0
		for end < len(s) && s[end] != ',' {
			end++
		}
		part := s[:end]
		s = s[min(end+1, len(s)):]
		if part != "" && !b.set(part) {
			return b, part
		}
	}
	return b, ""
}

// set takes one name=value over.
func (b *budget) set(part string) (ok bool) {
	eq := 0
	for eq < len(part) && part[eq] != '=' {
		eq++
	}
	if eq == len(part) {
		return false
	}
	switch value := part[eq+1:]; part[:eq] {
	case "cpu":
		b.share, ok = parseShare(value)
	case "mem":
		if len(value) > 0 && value[len(value)-1] == '%' {
			b.part, ok = parseShare(value)
			return ok && b.part > 0
		}
		b.memory, ok = parseSize(value)
	case "concurrent":
		b.stopped, ok = value == "0", value == "0" || value == "1"
	}
	return ok
}

// parseSize reads a size as parseBytes does, or in KB, MB or GB, which are powers of two.
func parseSize(s string) (n uint64, ok bool) {
	if n, ok := parseBytes(s); ok {
		return n, n > 0
	}
	k := len(s)
	if k < 3 || s[k-1] != 'B' {
		return 0, false
	}
	shift := uint(0)
	switch s[k-2] {
	case 'K':
		shift = 10
	case 'M':
		shift = 20
	case 'G':
		shift = 30
	default:
		return 0, false
	}
	n, ok = parseNumber(s[:k-2])
	return n << shift, ok && n > 0 && n < 1<<33
}

// parseShare reads a percentage with at most one decimal and returns thousandths.
func parseShare(s string) (share uint64, ok bool) {
	if len(s) > 0 && s[len(s)-1] == '%' {
		s = s[:len(s)-1]
	}
	tenths := uint64(0)
	if k := len(s); k > 2 && s[k-2] == '.' && s[k-1] >= '0' && s[k-1] <= '9' {
		tenths = uint64(s[k-1] - '0')
		s = s[:k-2]
	}
	n, ok := parseNumber(s)
	return n*10 + tenths, ok && n <= 99
}

// MarkStopped has collections mark with the world stopped, as LOAMGC=concurrent=0 does. At the
// start.
func MarkStopped() { conc.off = true }
