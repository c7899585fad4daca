//go:build loam

package world

import (
	"loam/rt/sim"
	"loam/rt/simulation"
)

// What goes wrong with the disk and the network, as the settings say. Nothing is drawn for what
// does not happen.

// Faults are the settings. The one that runs the program may change them at any time.
var Faults sim.Faults

// faulty reports whether an operation of the disk fails.
func faulty() bool {
	return simulation.Suffers(sim.DiskFails, Faults.DiskErrors, "'s operation of the disk fails here\n")
}

// losesLine reports whether a write loses the connection.
func losesLine(oneIn uint64) bool {
	return simulation.Suffers(sim.LosesLine, oneIn, "'s write loses the connection here\n")
}

// shortened is how many of n bytes a write writes.
func shortened(n uintptr) uintptr {
	if n > 1 && simulation.Suffers(sim.WritesLess, Faults.ShortWrites, " writes a part only here\n") {
		return 1 + uintptr(simulation.Draw(sim.Trouble, uint64(n)-1))
	}
	return n
}

// firstPiece is how many of n bytes that are written to a TCP connection arrive together, if not
// all do: the others come later.
func firstPiece(n int, oneIn uint64) (k int, divided bool) {
	if n > 1 && simulation.Suffers(sim.Divides, oneIn, "'s write arrives in two pieces from here\n") {
		return 1 + int(simulation.Draw(sim.Trouble, uint64(n)-1)), true
	}
	return n, false
}

// accessTime is how long an operation of the disk takes.
func accessTime() int64 {
	if Faults.DiskTime == 0 {
		return 0
	}
	return 1 + int64(simulation.Draw(sim.World, Faults.DiskTime))
}

// syncTime is how long it takes until something is durable.
func syncTime() int64 {
	return 20_000 + int64(simulation.Draw(sim.World, 200_000)) + 2*accessTime()
}
