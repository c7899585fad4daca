//go:build go1.27

package runtime

import (
	"internal/profilerecord"
	"loam/rt/heap"
)

// setSizes tells package runtime/pprof of a call stack's objects: the size of each, from Go 1.27
// on.
func setSizes(q *profilerecord.MemProfileRecord, r *heap.ProfileRecord) {
	q.ObjectSize = int64(r.Size)
}
