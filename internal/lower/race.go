package lower

import (
	"go/token"
	"go/types"
	"strings"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Races: in builds that look for data races (Flags.Race, of -race and -sim.race) each load and
// store of memory that others may have is told to the detector (rt/race) right before it is made.
// In a simulated run nothing comes in between: a goroutine is taken off its thread at function
// entries and calls only. Each operation of sync/atomic is told before and behind. Operations of
// channels, maps and reflect tell it themselves.

// Bits of what raceaccess is told beside the number of bytes, and raceatomic.
const (
	raceWrites   = 1 << 0 // raceaccess: else it reads
	raceSize     = 1      // raceaccess: the number of bytes starts here
	raceAcquires = 1 << 0 // raceatomic: it reads
	raceReleases = 1 << 1 // it writes
	raceBytes    = 2      // the number of bytes starts here

	racePart = 56 // raceaccess: for whom compiled code makes the access (rt/race.Part) starts here
)

// Values of rt/race.Part.
const (
	raceGrows = 1 + iota
	raceCopies
	raceMakesString
	raceMakesStringOfRunes
	raceBorrowsString
)

// noRacePackages are those that the run-time system calls, or which it trusts.
var noRacePackages = map[string]bool{
	"internal/abi": true, "internal/bytealg": true, "internal/byteorder": true, "internal/chacha8rand": true, "internal/cpu": true,
	"internal/goarch": true, "internal/godebugs": true, "internal/goexperiment": true, "internal/goos": true,
	"internal/profilerecord": true, "internal/race": true, "internal/strconv": true, "internal/stringslite": true,
}

// tellsRaces reports whether the detector is told what the package does.
func (m *unit) tellsRaces() bool { return m.in.Flags.Race && mayRace(m.pkg.Pkg.Path()) }

// mayRace reports whether a build that looks for data races looks at what the package does.
func mayRace(path string) bool {
	return !IsRuntime(path) && !strings.HasPrefix(path, "internal/runtime/") && !noRacePackages[path]
}

// atomicsOnly are packages whose plain accesses are not told: they know what they do. sync.Cond,
// for one, reads plainly what it then changes by compare and swap. Their atomic operations order
// others.
var atomicsOnly = map[string]bool{"sync": true, "sync/atomic": true, "internal/sync": true}

// racing reports whether plain accesses of what is being lowered are told to the detector.
func (b *checks) racing() bool {
	if !b.m.tellsRaces() || b.f == nil || b.unraced {
		return false
	}
	f := b.f
	if b.site != nil {
		f = b.site.Fn
	}
	return !atomicsOnly[homePath(f)]
}

// race tells the detector of what in is about to access.
func (b *checks) race(in mid.Instr) {
	if !b.racing() {
		return
	}
	switch in := in.(type) {
	case *mid.UnOp:
		if in.Op == token.MUL && !plan.IsPrivate(in.X) {
			b.raceMemory(b.operand(in.X), b.m.info(in.Type()).size, false)
		}
	case *mid.Store:
		if g, ok := in.Addr.(*mid.Global); ok && g.Name() == "_" {
			return
		}
		if load, ok := in.Val.(*mid.UnOp); ok && load.Op == token.MUL && load.X == in.Addr {
			return // a result that is returned as it is
		}
		if !plan.IsPrivate(in.Addr) {
			b.raceMemory(b.operand(in.Addr), b.m.info(in.Val.Type()).size, true)
		}
	case *mid.Call:
		if in.Call.Builtin() == mid.BuiltinLen {
			if _, ok := under(in.Call.Args[0].Type()).(*types.Map); ok {
				b.raceMemory(b.operand(in.Call.Args[0]), 8, false) // the number of entries
			}
		}
	}
}

// raceMemory is about a number of bytes that is known. What is at nil is no race but a panic.
func (b *checks) raceMemory(p ir.Value, size int64, writes bool) {
	if size == 0 || p.IsNull() {
		return
	}
	if name := raceEntries[raceBit(writes)][size]; name != "" {
		b.CallWithAt(&ir.CallInfo{NoMerge: true, Saves: true}, ir.Void, b.m.rtFunc(name), p)
		return
	}
	b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), p, ir.Int(ir.I64, size<<raceSize|raceBit(writes)))
}

// raceEntries are the functions for accesses of numbers of bytes that are frequent
// (overlay/runtime/raceaccess.gas): those that read, and those that write.
var raceEntries = [2]map[int64]string{
	{1: "raceread1", 2: "raceread2", 4: "raceread4", 8: "raceread8", 16: "raceread16", 24: "raceread24"},
	{1: "racewrite1", 2: "racewrite2", 4: "racewrite4", 8: "racewrite8", 16: "racewrite16", 24: "racewrite24"},
}

// raceRange is about n elements of the given size from p on, which compiled code accesses for part.
func (b *checks) raceRange(p, n ir.Value, size int64, writes bool, part int64) {
	if b.racing() && size > 0 {
		bytes := b.Mul(n, ir.Int(ir.I64, size<<raceSize))
		b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), p, b.Or(bytes, ir.Int(ir.I64, part<<racePart|raceBit(writes))))
	}
}

// raceAppend is about add elements that are appended to a slice: they are written behind the others
// if there is room, and otherwise the others are read.
func (b *checks) raceAppend(p, n, c, add ir.Value, size int64) {
	if !b.racing() || size == 0 {
		return
	}
	fits := b.ICmp(ir.ULE, b.Add(n, add), c)
	end := b.Index(ir.I8, p, b.Mul(n, ir.Int(ir.I64, size)))
	from := b.Select(fits, end, p)
	bytes := b.Mul(b.Select(fits, add, n), ir.Int(ir.I64, size<<raceSize))
	rest := b.Select(fits, ir.Int(ir.I64, raceWrites), ir.Int(ir.I64, raceGrows<<racePart))
	b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), from, b.Or(bytes, rest))
}

func raceBit(writes bool) int64 {
	if writes {
		return raceWrites
	}
	return 0
}
