package heap

import "loam/rt/pacer"

// The environment variables of the collector, read once by Init: GOGC, GOMEMLIMIT, LOAMGC, and
// gctrace of GODEBUG (LOAMDEBUG is read by rt/sched, which calls SetDebug). A malformed GOMEMLIMIT
// is fatal, as under gc; anything else malformed is ignored.
func readSettings() {
	if s, ok := osGetenv("GOGC"); ok {
		if percent, ok := parsePercent(s); ok {
			cycle.pacer.SetPercent(percent)
		}
	}
	if s, ok := osGetenv("GOMEMLIMIT"); ok && s != "" && s != "off" {
		n, ok := parseBytes(s)
		if !ok {
			printString("GOMEMLIMIT=")
			printString(s)
			printString("\n")
			throw("malformed GOMEMLIMIT; see `go doc runtime/debug.SetMemoryLimit`")
		}
		cycle.pacer.SetLimit(int64(n))
	}
	if s, ok := osGetenv("LOAMGC"); ok {
		forSettings(s, func(name, value string) {
			if name == "concurrent" {
				conc.off = value == "0"
			}
		})
		share, memory := parseBudget(s)
		setBudget(share, memory)
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

// parseBudget reads LOAMGC: "cpu=5%,mem=512MB" (either part alone too; per cent may
// have one decimal; sizes in B, KB, MB, GB or as GOMEMLIMIT has them).
func parseBudget(s string) (share, memory uint64) {
	memory = pacer.NoLimit
	forSettings(s, func(name, value string) {
		switch name {
		case "cpu":
			share = parseShare(value)
		case "mem":
			if n, ok := parseBytes(value); ok {
				memory = n
			} else if k := len(value); k > 2 && value[k-1] == 'B' {
				n, ok := parseNumber(value[:k-2])
				ok = ok && n < 1<<33
				switch value[k-2] {
				case 'K':
					n <<= 10
				case 'M':
					n <<= 20
				case 'G':
					n <<= 30
				default:
					ok = false
				}
				if ok && n > 0 {
					memory = n
				}
			}
		}
	})
	return share, memory
}

// parseShare reads a percentage with at most one decimal and returns thousandths.
func parseShare(s string) uint64 {
	if len(s) > 0 && s[len(s)-1] == '%' {
		s = s[:len(s)-1]
	}
	tenths := uint64(0)
	if k := len(s); k > 2 && s[k-2] == '.' && s[k-1] >= '0' && s[k-1] <= '9' {
		tenths = uint64(s[k-1] - '0')
		s = s[:k-2]
	}
	n, ok := parseNumber(s)
	if !ok || n > 99 {
		return 0
	}
	return n*10 + tenths
}

// MarkStopped has collections mark with the world stopped, as LOAMGC=concurrent=0 does. At the
// start.
func MarkStopped() { conc.off = true }
