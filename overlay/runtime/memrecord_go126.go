//go:build !go1.27

package runtime

import (
	"internal/profilerecord"
	"loam/rt/heap"
)

// setSizes tells package runtime/pprof of a call stack's objects: their bytes, up to Go 1.26.
func setSizes(q *profilerecord.MemProfileRecord, r *heap.ProfileRecord) {
	q.AllocBytes, q.FreeBytes = int64(r.Allocs)*int64(r.Size), int64(r.Frees)*int64(r.Size)
}
