package sim

// A Stream is a sequence of random numbers with one purpose.
type Stream uint8

const (
	Setup    Stream = iota // how this run is to be disturbed
	Schedule               // which goroutine goes on
	Preempt                // where a goroutine is taken off its thread
	Clock                  // what operations cost, how late timers are
	Slow                   // where the machine stands still
	Runtime                // the run-time system's own numbers (sys.Rand)
	Program                // the generators of math/rand, maps and crypto/rand
	Pools                  // chances (chance.go)
	World                  // the network and the disks
	User                   // testing/sim.Rand
	Trouble                // what comes of faults of the network and the disks
	streams
)

// next is splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
func next(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	return finish(*state)
}

func finish(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next returns 64 bits of a stream that is nobody's else: state is its seed at first.
func Next(state *uint64) uint64 { return next(state) }

// Random returns 64 bits of the stream.
func (o *Oracle) Random(s Stream) uint64 { return next(&o.streams[s]) }

// Below returns a number of the stream below n, which is not 0.
func (o *Oracle) Below(s Stream, n uint64) uint64 { return next(&o.streams[s]) % n }

// There returns 64 bits of the stream that only the seed and the place decide, not what was drawn
// before. It is not drawn from it.
func (o *Oracle) There(s Stream, at At) uint64 {
	return finish(finish(o.Seed^finish(uint64(s)+101)) ^ at.G ^ finish(at.Op^finish(at.Turn)))
}

// Child is the name of a goroutine that is the n-th of the one with the name parent. No name is 0.
func Child(parent, n uint64) uint64 { return finish(parent^finish(n))&(1<<40-1) | 1<<39 }

// chance says yes in one of so many cases; never if oneIn is 0.
func (o *Oracle) chance(s Stream, oneIn uint64) bool { return oneIn != 0 && o.Below(s, oneIn) == 0 }
