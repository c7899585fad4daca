package sys

import "unsafe"

// Rand returns 64 random bits, not for cryptography. Generator: xoroshiro128+
// (Blackman and Vigna), state per thread, so no lock and no shared cache line.
// On a goroutine a preemption between load and store can only repeat a value.
func Rand() uint64 {
	t := Self()
	a, b := t.RandA, t.RandB
	r := a + b
	b ^= a
	t.RandA = (a<<24 | a>>40) ^ b ^ b<<16
	t.RandB = b<<37 | b>>27
	return r
}

// Rand32n returns a number in [0, n), n > 0, by Lemire's multiplication; the
// bias is below n/2^32.
func Rand32n(n uint32) uint32 {
	return uint32(uint64(uint32(Rand()>>32)) * uint64(n) >> 32)
}

// StartupRandom is the kernel's AT_RANDOM: 16 bytes, different for every
// process. Hash seeds start from it.
var StartupRandom [2]uint64

// SeedRand gives a new thread its own sequence.
func SeedRand(t *Thread) {
	if Simulated { // started anew with the run's own numbers (rt/sched)
		t.RandA, t.RandB = 1, 1
		return
	}
	t.RandA = mix(StartupRandom[0] ^ uint64(uintptr(unsafe.Pointer(t))))
	t.RandB = mix(StartupRandom[1]^Rdtsc()) | 1
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
