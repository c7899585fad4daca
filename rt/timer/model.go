//go:build !loam

package timer

import "loam/rt/park"

// Each schedule of the model starts without timers.
func init() {
	park.AtStart(func() {
		for i := range heaps {
			if heaps[i].size != 0 {
				heaps[i] = Heap{}
				filled.Remove(int32(i))
			}
		}
	})
}
