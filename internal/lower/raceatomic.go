package lower

import (
	"strings"

	"loam/internal/ir"
)

// raceAtomic wraps the expansion of an atomic operation, between whose two calls no other one comes
// on the same memory. What a compare-and-swap has done is known behind it.
func raceAtomic(sym string, x expansion) expansion {
	name := sym[strings.LastIndexByte(sym, '.')+1:]
	does := raceAcquires | raceReleases
	switch {
	case strings.HasPrefix(name, "Load"), strings.HasPrefix(name, "CompareAndSwap"):
		does = raceAcquires
	case strings.HasPrefix(name, "Store"):
		does = raceReleases
	}
	bytes := 8
	if strings.HasSuffix(name, "32") {
		bytes = 4
	}
	swaps := strings.HasPrefix(name, "CompareAndSwap")
	return func(b *calls, a []ir.Value) []ir.Value {
		what := b.CallAt(ir.I64, b.m.rtFunc("raceatomic"), a[0], ir.Int(ir.I64, bytes<<raceBytes|does))
		results := x(b, a)
		if swaps { // what is 0 if nobody looks
			done := b.Select(results[0], ir.Int(ir.I64, raceReleases), ir.Int(ir.I64, 0))
			what = b.Select(b.ICmp(ir.EQ, what, ir.Int(ir.I64, 0)), what, b.Or(what, done))
		}
		b.CallAt(ir.Void, b.m.rtFunc("raceatomicend"), a[0], what)
		return results
	}
}

// isAtomic reports whether a symbol is that of an operation of sync/atomic.
func isAtomic(sym string) bool { return strings.HasPrefix(sym, "sync/atomic.") }
