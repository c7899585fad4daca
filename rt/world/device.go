//go:build loam

package world

import "loam/rt/disk"

// Devices of /dev.
const (
	devNull    = 0x103
	devZero    = 0x105
	devFull    = 0x107
	devRandom  = 0x108
	devURandom = 0x109
	devTTY     = 0x500
)

// openDevice reports whether a device can be opened: 0, or an error number; ok is false if it has
// no model.
func openDevice(dev uint64) (errno int32, ok bool) {
	switch dev {
	case devNull, devZero, devFull, devRandom, devURandom:
		return 0, true
	case devTTY:
		return errNxio, true // the program has no terminal
	}
	return 0, false
}

func readDevice(dev uint64, p, n uintptr) int {
	switch dev {
	case devNull:
		return 0
	case devRandom, devURandom:
		random(p, n)
	default:
		clear(bytesAt(p, n))
	}
	return int(n)
}

func writeDevice(dev uint64, n uintptr) int {
	if dev == devFull {
		return -disk.ENOSPC
	}
	return int(n)
}
