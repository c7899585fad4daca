//go:build loam

package race

import "loam/rt/sys"

// pin keeps the goroutine on its thread until unpin. In a simulated run it stays there beyond.
//
//loam:inline
func pin() { sys.AcquireM() }

//loam:inline
func unpin() {
	if sys.Simulated {
		sys.Self().Locks--
	} else {
		sys.ReleaseM()
	}
}
