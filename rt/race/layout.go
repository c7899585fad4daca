package race

import "unsafe"

// What overlay/runtime/raceaccess.gas knows.
var (
	_ [0]byte                                   = [unsafe.Offsetof(Actor{}.Recent)]byte{}
	_ [0]byte                                   = [unsafe.Offsetof(Detector{}.heap)]byte{}
	_ [16]byte                                  = [unsafe.Offsetof(Detector{}.data)]byte{}
	_ [32]byte                                  = [unsafe.Offsetof(Detector{}.regions)]byte{}
	_ [0]byte                                   = [unsafe.Offsetof(region{}.cells)]byte{}
	_ [32]byte                                  = [unsafe.Sizeof(cell{})]byte{}
	_ [21]byte                                  = [regionShift]byte{}
	_ [0x200]byte                               = [writeBit]byte{}
	_ [uint64(1<<64-1-0x3ffffeff) >> 8]struct{} = [(whoMask | atomicBit) >> 8]struct{}{}
)
