package runtime

import (
	"internal/chacha8rand"
	"loam/rt/sched"
	"loam/rt/sys"
	"unsafe"
)

// Random numbers for hashing, map iteration, select, and the global source of math/rand.

// Each P has a generator of its own (ChaCha8 reseeded by package chacha8rand), seeded by the
// kernel when its first number is wanted: until then it is zero, and has none at hand. Holding the
// thread, and so its P, is what makes access exclusive. To take a number that is at hand, nothing
// is called, and no signal takes a goroutine off its thread in the run-time system's code.

// generator is what sched.RandomState is used for.
type generator struct {
	chacha8rand.State
	seeded bool
}

// Does not compile if there is not enough memory.
const _ = uint(sched.RandomWords*8 - unsafe.Sizeof(generator{}))

// rand returns 64 random bits that cannot be predicted from earlier ones. Package math/rand's
// top-level functions, maphash, maps and others pull it. Goroutine stacks only.
func rand() uint64 {
	if s := (*generator)(unsafe.Pointer(sched.RandomState())); s != nil {
		if x, ok := s.Next(); ok {
			return x
		}
	}
	return refilled()
}

// refilled is rand where the P's generator has no more numbers at hand.
//
//go:noinline
func refilled() uint64 {
	sys.AcquireM()
	s := (*generator)(unsafe.Pointer(sched.RandomState()))
	if s == nil {
		sys.Throw("a random number without P")
	}
	if !s.seeded {
		s.Init(randomSeed())
		s.seeded = true
	}
	for {
		if x, ok := s.Next(); ok {
			sys.ReleaseM()
			return x
		}
		s.Refill()
	}
}

// bootstrapRand is for internal/runtime/maps.
func bootstrapRand() uint64 { return rand() }

// randomSeed does not wait.
func randomSeed() (seed [32]byte) {
	if sys.Simulated {
		return simGeneratorSeed()
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
	return seed
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
