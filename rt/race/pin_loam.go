//go:build loam

package race

import "loam/rt/sys"

// pin keeps the goroutine on its thread until unpin. In a simulated run it stays there beyond.
//
//loam:inline
func pin() { sys.AcquireM() }

// storeRel and storeRel64 are atomic stores that order what came before, which is what giving a
// lock up takes: no full barrier as other atomic stores are.
//
//loam:inline
func storeRel(p *uint32, v uint32) { sys.StoreRel(p, v) }

//loam:inline
func storeRel64(p *uint64, v uint64) { sys.StoreRel64(p, v) }

//loam:inline
func unpin() {
	if sys.Simulated {
		sys.Self().Locks--
	} else {
		sys.ReleaseM()
	}
}

func latest(to, from []uint32) bool {
	if sys.CPU.AVX2 {
		return latestAVX2(&to[0], &from[0], len(from))
	}
	return latestPlain(to, from)
}

func latestSwap(to, from []uint32) bool {
	if sys.CPU.AVX2 && len(from) > 0 {
		return latestSwapAVX2(&to[0], &from[0], len(from))
	}
	return latestSwapPlain(to, from)
}

func latestAVX2(to, from *uint32, n int) bool
func latestSwapAVX2(to, from *uint32, n int) bool
