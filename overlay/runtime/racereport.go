package runtime

import (
	"internal/abi"
	"sync/atomic"

	"loam/rt/channel"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
	"loam/rt/timer"
)

// The reports of data races, in the form that gc's detector gives them, and what GORACE says of
// them.

// gorace are the settings of GORACE, as gc has them. The detector keeps the stack of each access,
// and history_size changes nothing.
var gorace = struct {
	exitcode    int32
	haltOnError bool
	sleepMillis int64
	equalStacks bool    // are reported again
	equalPlaces bool    // in memory, too
	stripPrefix string  // of files, with all in front
	fd          uintptr // where reports go
}{exitcode: 66, sleepMillis: 1000, fd: 2}

func parseGORACE() {
	text := gogetenv("GORACE")
	for text != "" {
		var setting string
		if setting, text = sys.Cut(text, ' '); setting == "" {
			continue
		}
		name, value := sys.Cut(setting, '=')
		n, isNumber := parseInt(value)
		on := value == "1" || value == "true" || value == "yes"
		switch name {
		case "exitcode":
			if isNumber {
				gorace.exitcode = int32(n)
			}
		case "halt_on_error":
			gorace.haltOnError = on
		case "atexit_sleep_ms":
			if isNumber {
				gorace.sleepMillis = int64(n)
			}
		case "suppress_equal_stacks":
			gorace.equalStacks = !on
		case "suppress_equal_addresses":
			gorace.equalPlaces = !on
		case "strip_path_prefix":
			gorace.stripPrefix = value
		case "log_path":
			openRaceLog(value)
		}
	}
}

// openRaceLog lets reports go to the file path, with the process's number behind it.
func openRaceLog(path string) {
	switch path {
	case "stderr":
		return
	case "stdout":
		gorace.fd = 1
		return
	}
	name := path + "." + itoa(int64(sys.PID)) + "\x00"
	if fd := sys.Open(name, sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC, 0o666); fd >= 0 {
		gorace.fd = uintptr(fd)
	}
}

// races are those that were reported.
var races struct {
	count  atomic.Int64
	lock   sys.Mutex
	stacks [1024]uint64 // pairs of stacks
}

// raceFound reports the race of which the goroutine that runs makes the second access. Its frame is
// not that of its callers, which are called for each access.
//
//go:noinline
func raceFound() {
	var pcs [raceDepthShown]uintptr
	a, where := race.Run.Now(), uint32(0)
	if !sys.OnSystem() {
		where = race.Run.Number(pcs[:raceCallers(a, pcs[:])])
	}
	sys.OnSystemStack(func() {
		if sys.Simulated {
			raceSimulated(a, where)
		}
		raceReport(a, where)
	})
}

// raceReport reports a race, unless one at the same place or with the same two stacks was reported.
// System stack.
func raceReport(a *race.Actor, where uint32) {
	r := &a.Race
	races.lock.Lock()
	news := race.Run.IsNews(r.FirstAddr, r.FirstSize) || gorace.equalPlaces
	if news && (gorace.equalStacks || !isKnownRace(where, r.Stack)) {
		printRace(a, where)
	}
	races.lock.Unlock()
}

// printRace prints the report. races.lock is held.
func printRace(a *race.Actor, where uint32) {
	r := &a.Race
	races.count.Add(1)
	printlock()
	emitString("==================\nWARNING: DATA RACE\n")
	raceAccessLine(r.Second&race.Write != 0, "Read", "Write", r.Addr, a.Number)
	raceTrace(where)
	emitString("\n")
	raceAccessLine(r.First&race.Write != 0, "Previous read", "Previous write", r.FirstAddr, r.Who.Number)
	raceTrace(r.Stack)
	raceOrigin(&a.Born, false)
	raceOrigin(&r.Who, r.Ended)
	emitString("==================\n")
	endRacePrint()
	if gorace.haltOnError {
		sys.Exit(gorace.exitcode)
	}
}

// endRacePrint is printunlock for what goes where GORACE says.
func endRacePrint() {
	if gorace.fd != 2 {
		printer.to = gorace.fd
		flushPrinter()
		printer.to = 0
	}
	printunlock()
}

// isKnownRace reports whether a race with the two stacks is among the last ones that were reported,
// and notes it.
func isKnownRace(one, other uint32) bool {
	pair := uint64(max(one, other))<<32 | uint64(min(one, other))
	at := &races.stacks[(pair*0x9fb21c651e98df25)>>54]
	known := *at == pair
	*at = pair
	return known
}

func raceAccessLine(writes bool, read, write string, addr uintptr, goroutine uint64) {
	if writes {
		read = write
	}
	emitString(read)
	emitString(" at 0x")
	for shift := 44; shift >= 0; shift -= 4 {
		emitString("0123456789abcdef"[addr>>shift&15:][:1])
	}
	if goroutine == 1 {
		emitString(" by main goroutine:\n")
		return
	}
	emitString(" by goroutine ")
	printuint(goroutine)
	emitString(":\n")
}

// raceTrace prints a stack.
func raceTrace(number uint32) {
	var pcs [raceDepthShown]uintptr
	shown := false
	for _, pc := range pcs[:race.Run.Frames(number, pcs[:])] {
		shown = raceFrame(pc) || shown
	}
	if !shown {
		emitString("  [failed to restore the stack]\n")
	}
}

// raceFrame prints the calls that a return address stands for, or a race.Part, and says whether
// there are any.
func raceFrame(pc uintptr) (shown bool) {
	part := ""
	if pc < uintptr(race.AfterParts) {
		part, pc = racePartOf(race.Part(pc))
		pc++
	}
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc-1, &out)
	if f := &out[n-1]; pc == f.Entry+1 { // a part: that is no return address
		if part == "" {
			part = f.Func
		}
		f.Func, f.Line = part, f.StartLine
		if hasPrefix(part, mapFunctions) {
			f.Func = "runtime." + part[len(mapFunctions):]
		}
		raceLines(f, f.Entry)
		return true
	}
	for i := range out[:n] {
		if f := &out[i]; raceShows(f, pc) {
			nameMethod(f)
			raceLines(f, pc)
			shown = true
		}
	}
	return shown
}

// mapFunctions is what the functions of maps have in front that are package runtime's with gc.
const mapFunctions = "internal/runtime/maps.runtime_"

// raceShows reports whether a report names the frame. As gc's it has wrappers that are calls.
func raceShows(f *symtab.Frame, pc uintptr) bool {
	switch name := f.Func; {
	case hasPrefix(name, "internal/race."), hasPrefix(name, "internal/runtime/maps."), isBase(name):
		return false
	case isThunkName(name), hasSuffix(name, "-fm"), hasSuffix(name, "-wrap"):
		return !f.Inlined
	}
	w := frameWriter{}
	return w.shows(f, pc)
}

// racePartOf is the function of gc's that a part stands for, and where Loam's is.
func racePartOf(part race.Part) (name string, pc uintptr) {
	send, closes := channel.Entries()
	switch part {
	case race.Sends:
		return "runtime.chansend", send
	case race.Adopts:
		return "runtime.newextram", sched.EntryOfSpare()
	case race.Closes:
		return "runtime.closechan", closes
	case race.Grows:
		return "runtime.growslice", heap.EntryOfGrow()
	case race.Copies:
		return "runtime.slicecopy", abi.FuncPCABIInternal(typedslicecopy)
	case race.MakesString:
		return "runtime.slicebytetostring", abi.FuncPCABIInternal(slicebytetostring)
	case race.BorrowsString:
		return "runtime.slicebytetostringtmp", abi.FuncPCABIInternal(slicebytetostring)
	}
	return "runtime.slicerunetostring", abi.FuncPCABIInternal(slicerunetostring)
}

// raceLines prints a frame.
func raceLines(f *symtab.Frame, pc uintptr) {
	emitString("  ")
	switch {
	case hasPrefix(f.Func, "eq:"):
		emitString("type:.eq.")
		emitString(f.Func[len("eq:"):])
	case f.Linkage != f.Func && hasSuffix(f.Func, "[...]") && hasPrefix(f.Linkage, f.Func[:len(f.Func)-len("...]")]):
		emitString(f.Func[:len(f.Func)-len("...]")])
		raceShapes(f.Linkage[len(f.Func)-len("...]"):])
	default:
		emitString(f.Func)
	}
	emitString("()\n      ")
	f.File = stripped(f.File)
	printPosition(f)
	emitString(" +")
	printhex(uint64(pc - f.Entry))
	emitString("\n")
}

// raceShapes prints type arguments, which end with a bracket, as the shapes for which gc compiles.
// All pointers have one. Types with a name have that of what they are made of, which is not known.
func raceShapes(args string) {
	start, depth := 0, 0
	for i := range len(args) {
		switch args[i] {
		case '[', '(', '{':
			depth++
			continue
		case ']', ')', '}':
			if depth--; depth >= 0 {
				continue
			}
		case ',':
			if depth > 0 {
				continue
			}
		default:
			continue
		}
		switch arg := args[start:i]; {
		case hasPrefix(arg, "*"):
			emitString("go.shape.*uint8")
		case hasDot(arg):
			emitString(arg)
		default:
			emitString("go.shape.")
			emitString(arg)
		}
		emitString(args[i:][:1])
		start = i + 1
		if depth < 0 {
			emitString(args[start:])
			return
		}
	}
}

// isBase reports whether a function is what begins a goroutine.
func isBase(name string) bool { return name == "runtime.main" || name == "runtime.goexit" }

// stripped is a file's name without the prefix of GORACE, and without what is in front of it.
func stripped(file string) string {
	p := gorace.stripPrefix
	if p == "" {
		return file
	}
	for i := 0; i+len(p) <= len(file); i++ {
		if file[i:i+len(p)] == p {
			return file[i+len(p):]
		}
	}
	return file
}

// raceOrigin prints where a goroutine was made, if it is not the first one.
func raceOrigin(b *race.Born, ended bool) {
	if b.Number <= 1 {
		return
	}
	emitString("\nGoroutine ")
	printuint(b.Number)
	if ended {
		emitString(" (finished) created at:\n")
	} else {
		emitString(" (running) created at:\n")
	}
	switch {
	case b.Stack != 0:
		raceTrace(b.Stack)
	case b.CreatorPC != 0:
		raceFrame(b.CreatorPC)
	default:
		raceFrame(uintptr(race.Adopts))
	}
}

// endRaces is called before the program ends that has not failed: it waits for races that others
// are about to have, and ends it with the status of a failure if there were any.
func endRaces() {
	if sys.Simulated {
		return
	}
	if NumGoroutine() > 1 {
		timer.SleepFor(gorace.sleepMillis * 1000000)
	}
	n := races.count.Load()
	if n == 0 {
		return
	}
	printlock()
	emitString("Found ")
	printuint(uint64(n))
	emitString(" data race(s)\n")
	endRacePrint()
	sched.Exiting()
	sys.Exit(gorace.exitcode)
}
