package sched

import (
	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
)

// LOAMDEBUG is a comma-separated list of name=number. docs/metrics.md describes the names.

// debugNames are those of setDebug and heap.SetDebug, as a message lists them.
const debugNames = "check, frames, gcevery, gcperiod, gcpoison, gcverify, leaks, pacer, pastend, pool, profile, sched, stack, stackprofile, usage, yield"

// debugSettings reads LOAMDEBUG, before anything else runs.
func debugSettings() {
	s, _ := sys.Getenv("LOAMDEBUG")
	for len(s) > 0 {
		end, eq := 0, -1
		for end < len(s) && s[end] != ',' {
			if s[end] == '=' && eq < 0 {
				eq = end
			}
			end++
		}
		setting := s[:end]
		if end < len(s) {
			end++
		}
		s = s[end:]
		if len(setting) == 0 {
			continue
		}
		value, ok := uint64(0), false
		if eq >= 0 {
			value, ok = sys.ParseUint(setting[eq+1:])
		}
		if !ok || !setDebug(setting[:eq], value) {
			refuseDebug(setting, eq)
		}
	}
}

// refuseDebug ends the program because of a setting, whose name ends at eq if it has a value.
func refuseDebug(setting string, eq int) {
	sys.BeginLine()
	name := setting
	if eq >= 0 {
		name = setting[:eq]
	}
	if isDebugName(name) {
		sys.PrintString("LOAMDEBUG: ")
		sys.PrintString(setting)
		sys.PrintString(": ")
		sys.PrintString(name)
		sys.PrintString(" has to be a number")
	} else {
		sys.PrintString("LOAMDEBUG: no setting ")
		sys.PrintString(setting)
		sys.PrintString("; it is a list of name=number with the names ")
		sys.PrintString(debugNames)
	}
	sys.EndLine()
	sys.Exit(2)
}

// isDebugName reports whether name is one of debugNames.
func isDebugName(name string) bool {
	for s := debugNames; len(name) > 0 && len(s) >= len(name); {
		end := 0
		for end < len(s) && s[end] != ',' {
			end++
		}
		if s[:end] == name {
			return true
		}
		s = s[min(end+len(", "), len(s)):]
	}
	return false
}

func setDebug(name string, value uint64) bool {
	switch name {
	case "stack":
		if value != 0 {
			stack.TraceAll()
		}
	case "stackprofile":
		stack.ProfileHops(value != 0)
	case "check":
		checking = value != 0
	case "frames":
		DebugFrames = value != 0
	case "leaks":
		DebugLeaks = int32(min(value, 1<<31-1))
	case "pool":
		DebugPool = value != 0
	case "sched":
		debugSched = value != 0
	case "profile":
		DebugProfile = int32(min(value, 1000000))
	case "usage":
		DebugUsage = value != 0
	case "yield":
		startJitter(value)
	default:
		return heap.SetDebug(name, int32(min(value, 1<<31-1)))
	}
	return true
}

// DebugProfile is the value of LOAMDEBUG=profile: profiling signals per second and thread, for
// tests.
var DebugProfile int32

// DebugLeaks is the value of LOAMDEBUG=leaks: leaked goroutines are searched each so many seconds.
var DebugLeaks int32

// DebugUsage is LOAMDEBUG=usage=1: what goroutines use is taken down from the start.
var DebugUsage bool

// DebugFrames is LOAMDEBUG=frames=1: tracebacks show the functions of the run-time system as they
// are, where they show any.
var DebugFrames bool

// DebugPool is LOAMDEBUG=pool=1, for rt/pool.
var DebugPool bool

// debugSched is LOAMDEBUG=sched=1: a line for each event that is not a plain switch.
var debugSched bool

// traceSched prints a line of LOAMDEBUG=sched=1: what happened, and to which thread, P or
// goroutine, or for how long. Any stack; locks may be held.
func traceSched(what string, id int64, more string, value int64) {
	sys.BeginLine()
	sys.PrintString("sched: ")
	sys.PrintString(what)
	sys.PrintInt(id)
	sys.PrintString(more)
	if value >= 0 {
		sys.PrintInt(value)
	}
	sys.EndLine()
}
