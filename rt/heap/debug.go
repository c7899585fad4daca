package heap

// All debugging and verification switches. The runtime sets them from LOAMDEBUG
// through SetDebug before the first goroutine runs.
var debug struct {
	// gcevery=N: collect at every N-th allocation (N > 0); a concurrent cycle is only started
	every       uint32
	poison      bool  // gcpoison=1: overwrite freed objects with poisonByte
	verify      bool  // gcverify=1: check the heap's invariants after each cycle
	trace       int32 // GODEBUG=gctrace=N
	keepPastEnd bool  // pastend=1: an address past an object's end on a stack keeps it
	pacer       bool  // pacer=1: a line for each cycle, see tracePacer
	period      int64 // gcperiod=N: see Late; nanoseconds, 0: two minutes
}

// poisonByte fills freed objects: as a pointer it is not canonical and faults.
const poisonByte = 0xdb

var debugCount uint32

// SetDebug sets the switch of that name from LOAMDEBUG; false if there is none (rt/sched lists the
// names). Before Init.
func SetDebug(name string, value int32) bool {
	switch name {
	case "gcevery":
		debug.every = uint32(max(value, 0))
	case "gcpoison":
		debug.poison = value != 0
	case "gcverify":
		debug.verify = value != 0
	case "gcperiod":
		debug.period = int64(max(value, 0)) * 1000000
	case "pacer":
		debug.pacer = value != 0
	case "pastend":
		debug.keepPastEnd = value != 0
	default:
		return false
	}
	return true
}

// SetTrace sets GODEBUG=gctrace. SetTrace(1) prints a line for each cycle.
func SetTrace(level int32) { debug.trace = level }
