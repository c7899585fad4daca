//go:build loam

package channel

// Packages whose small functions the operations of a channel are to have inline (bodies cross
// packages only between direct importers: internal/inline). A call from wait that is not inlined
// costs more than its time: it must fit into the smallest cell, or each goroutine that waits for a
// channel hops.
import (
	_ "loam/rt/blockprof"
	_ "loam/rt/heap"
	_ "loam/rt/sched"
	_ "loam/rt/sys"
)
