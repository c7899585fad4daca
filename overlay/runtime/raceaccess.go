//go:build race

package runtime

import (
	"unsafe"

	"loam/rt/sched"
)

// What raceaccess.gas knows, beside rt/race/layout.go.
var _ [0x178]byte = [unsafe.Offsetof(sched.G{}.Race)]byte{}
