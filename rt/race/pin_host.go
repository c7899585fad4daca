//go:build !loam

package race

import "sync/atomic"

// In tests of this package a lock is held by a goroutine that Wait lets go on.

func pin()   {}
func unpin() {}

func storeRel(p *uint32, v uint32)   { atomic.StoreUint32(p, v) }
func storeRel64(p *uint64, v uint64) { atomic.StoreUint64(p, v) }

func latest(to, from []uint32) bool     { return latestPlain(to, from) }
func latestSwap(to, from []uint32) bool { return latestSwapPlain(to, from) }
