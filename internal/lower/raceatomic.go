package lower

import (
	"strings"

	"loam/internal/ir"
)

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
	return func(b *calls, a []ir.Value) []ir.Value {
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

// isAtomic reports whether a symbol is that of an operation of sync/atomic.
func isAtomic(sym string) bool { return strings.HasPrefix(sym, "sync/atomic.") }
