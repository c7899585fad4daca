package runtime

import (
	"internal/chacha8rand"
	"loam/rt/sched"
	"loam/rt/sys"
	"unsafe"
)

// Random numbers for hashing, map iteration, select, and the global source of math/rand.

// Each P has a generator of its own (ChaCha8 reseeded by package chacha8rand), seeded by the
// kernel. Holding the thread, and so its P, is what makes access exclusive.

var generators [sched.MaxProcs]*chacha8rand.State

// rand returns 64 random bits that cannot be predicted from earlier ones. Package math/rand's
// top-level functions, maphash, maps and others pull it. Goroutine stacks only.
func rand() uint64 {
	sys.AcquireM()
	if s := generators[sched.ProcID()]; s != nil {
		if x, ok := s.Next(); ok {
			sys.ReleaseM()
			return x
		}
	}
	sys.ReleaseM()
	return refilled()
}

// refilled is rand where the P has no generator yet, or its generator no more numbers at hand.
//
//go:noinline
func refilled() uint64 {
	for {
		sys.AcquireM()
		p := sched.ProcID()
		s := generators[p]
		if s == nil {
			// Made without the thread: allocation may park. Losing a race costs one generator.
			sys.ReleaseM()
			s = newGenerator()
			sys.AcquireM()
			if p = sched.ProcID(); generators[p] == nil {
				generators[p] = s
			}
			sys.ReleaseM()
			continue
		}
		x := nextRandom(s)
		sys.ReleaseM()
		return x
	}
}

// bootstrapRand is for internal/runtime/maps.
func bootstrapRand() uint64 { return rand() }

func nextRandom(s *chacha8rand.State) uint64 {
	for {
		if x, ok := s.Next(); ok {
			return x
		}
		s.Refill()
	}
}

func newGenerator() *chacha8rand.State {
	var seed [32]byte
	if sys.Simulated {
		return simGenerator(seed)
	}
	const dontWait = 1
	n := int(sys.Syscall6(sysGetrandom, uintptr(unsafe.Pointer(&seed)), uintptr(len(seed)), dontWait, 0, 0, 0))
	if n != len(seed) {
		// An old or confined kernel, or one that has just started and would have every map wait for
		// its first noise: what it gave the process at its start must do.
		for i := range seed {
			seed[i] ^= byte(sys.StartupRandom[i/8%2]>>(i%8*8)) ^ byte(sys.Rand())
		}
	}
	s := new(chacha8rand.State)
	s.Init(seed)
	return s
}

const sysGetrandom = 318

// cheaprand is fast and not for anything that an attacker may gain from.
func cheaprand() uint32 { return uint32(sys.Rand()) }

// randn returns a number below n, which is not 0.
func randn(n uint32) uint32 { return uint32(uint64(uint32(rand())) * uint64(n) >> 32) }

func cheaprandn(n uint32) uint32 { return uint32(uint64(cheaprand()) * uint64(n) >> 32) }

// Names that programs pull although they should not.

//go:linkname fastrand runtime.fastrand
func fastrand() uint32 { return uint32(rand()) }

//go:linkname fastrandn runtime.fastrandn
func fastrandn(n uint32) uint32 { return randn(n) }

//go:linkname fastrand64 runtime.fastrand64
func fastrand64() uint64 { return rand() }

//go:linkname maps_rand internal/runtime/maps.rand
func maps_rand() uint64 { return rand() }
