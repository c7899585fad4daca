//go:build !loam

package timer

import "loam/rt/park"

// Each schedule of the model starts without timers.
func init() {
	park.AtStart(func() {
		for i := range heaps[:used] {
			heaps[i] = Heap{}
		}
		used = 0
	})
}
