package lower

import (
	"go/token"
	"go/types"
	"strings"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Races: in builds that look for data races (Flags.Race, -sim.race) each load and store of memory
// that others may have is told to the detector (rt/race) right before it is made, and so is each
// operation of sync/atomic. Nothing can come in between: a goroutine is taken off its thread at
// function entries and calls only. Operations of channels, maps and reflect tell it themselves.

// Bits of what raceaccess is told beside the number of bytes, and raceatomic.
const (
	raceWrites   = 1 << 0 // raceaccess: else it reads
	raceSize     = 1      // raceaccess: the number of bytes starts here
	raceAcquires = 1 << 0 // raceatomic: it reads
	raceReleases = 1 << 1 // it writes
	raceBytes    = 2      // the number of bytes starts here
)

// noRacePackages are those that the run-time system calls, or which it trusts.
var noRacePackages = map[string]bool{
	"internal/abi": true, "internal/bytealg": true, "internal/byteorder": true, "internal/chacha8rand": true, "internal/cpu": true,
	"internal/goarch": true, "internal/godebugs": true, "internal/goexperiment": true, "internal/goos": true,
	"internal/profilerecord": true, "internal/race": true, "internal/strconv": true, "internal/stringslite": true,
}

// MayRace tells whether a build that looks for data races looks at what the package does.
func MayRace(path string) bool {
	return !IsRuntime(path) && !strings.HasPrefix(path, "internal/runtime/") && !noRacePackages[path]
}

// atomicsOnly are packages whose plain accesses are not told: they know what they do. sync.Cond,
// for one, reads plainly what it then changes by compare and swap. Their atomic operations order
// others.
var atomicsOnly = map[string]bool{"sync": true, "sync/atomic": true, "internal/sync": true}

// racing tells whether plain accesses of what is being lowered are told to the detector.
func (b *fn) racing() bool {
	if !b.m.in.Flags.Race || b.f == nil || b.unraced {
		return false
	}
	f := b.f
	if b.site != nil {
		f = b.site.Fn
	}
	return !atomicsOnly[homePath(f)]
}

// homePath is the package in which f is declared, "" if it is declared in none.
func homePath(f *mid.Func) string {
	f = outermost(f)
	if o := f.Origin(); o != nil {
		f = o
	}
	if obj := f.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}

// outermost is the declared function that f is, or is a literal in.
func outermost(f *mid.Func) *mid.Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// race tells the detector of what in is about to access.
func (b *fn) race(in mid.Instr) {
	if !b.racing() {
		return
	}
	switch in := in.(type) {
	case *mid.UnOp:
		if in.Op == token.MUL && !b.isPrivate(in.X) {
			b.raceMemory(b.operand(in.X), b.m.info(in.Type()).size, false)
		}
	case *mid.Store:
		if g, ok := in.Addr.(*mid.Global); ok && g.Name() == "_" {
			return
		}
		if load, ok := in.Val.(*mid.UnOp); ok && load.Op == token.MUL && load.X == in.Addr {
			return // a result that is returned as it is
		}
		if !b.isPrivate(in.Addr) {
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
func (b *fn) raceMemory(p ir.Value, size int64, writes bool) {
	if size > 0 && !p.IsNull() {
		b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), p, ir.Int(ir.I64, size<<raceSize|raceBit(writes)))
	}
}

// raceRange is about n elements of the given size from p on.
func (b *fn) raceRange(p, n ir.Value, size int64, writes bool) {
	if b.racing() && size > 0 {
		bytes := b.Mul(n, ir.Int(ir.I64, size<<raceSize))
		b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), p, b.Or(bytes, ir.Int(ir.I64, raceBit(writes))))
	}
}

// raceAppend is about add elements that are appended to a slice: they are written behind the others
// if there is room, and otherwise the others are read.
func (b *fn) raceAppend(p, n, c, add ir.Value, size int64) {
	if !b.racing() || size == 0 {
		return
	}
	fits := b.ICmp(ir.ULE, b.Add(n, add), c)
	end := b.Index(ir.I8, p, b.Mul(n, ir.Int(ir.I64, size)))
	from := b.Select(fits, end, p)
	bytes := b.Mul(b.Select(fits, add, n), ir.Int(ir.I64, size<<raceSize))
	b.CallAt(ir.Void, b.m.rtFunc("raceaccess"), from, b.Or(bytes, b.Cast(ir.ZExt, fits, ir.I64)))
}

func raceBit(writes bool) int64 {
	if writes {
		return raceWrites
	}
	return 0
}

// raceAtomic wraps the expansion of an atomic operation.
func raceAtomic(sym string, x expansion) expansion {
	name := sym[strings.LastIndexByte(sym, '.')+1:]
	does := raceAcquires | raceReleases
	switch {
	case strings.HasPrefix(name, "Load"):
		does = raceAcquires
	case strings.HasPrefix(name, "Store"):
		does = raceReleases
	case strings.HasPrefix(name, "CompareAndSwap"):
		does = 0 // whether it writes is to be found out
	}
	bytes := 8
	if strings.HasSuffix(name, "32") {
		bytes = 4
	}
	return func(b *fn, a []ir.Value) []ir.Value {
		if does != 0 {
			b.CallAt(ir.Void, b.m.rtFunc("raceatomic"), a[0], ir.Int(ir.I64, bytes<<raceBytes|does))
			return x(b, a)
		}
		old := a[1]
		switch {
		case bytes == 4:
			old = b.Cast(ir.ZExt, old, ir.I64)
		case strings.HasSuffix(name, "Pointer"):
			old = b.Cast(ir.PtrToInt, old, ir.I64)
		}
		b.CallAt(ir.Void, b.m.rtFunc("racecas"), a[0], ir.Int(ir.I64, bytes), old)
		return x(b, a)
	}
}

// isAtomic tells whether a symbol is that of an operation of sync/atomic.
func isAtomic(sym string) bool { return strings.HasPrefix(sym, "sync/atomic.") }
