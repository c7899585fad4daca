package race

// Stacks are places in the program. Each has its return addresses, from the inside out, once.
type Stacks struct {
	Memory
	pcs   []uintptr
	all   []span   // by number, from 1 on
	index []uint32 // by hash
}

type span struct {
	first, n int
	hash     uint64
}

// Number returns the number of a stack, which is the same whenever the stack is.
func (s *Stacks) Number(pcs []uintptr) uint32 {
	return s.number(hashOf(pcs), pcs)
}

func hashOf(pcs []uintptr) uint64 {
	h := uint64(len(pcs))
	for _, pc := range pcs {
		h = (h ^ uint64(pc)) * 0x9fb21c651e98df25
		h ^= h >> 29
	}
	return h
}

func (s *Stacks) number(h uint64, pcs []uintptr) uint32 {
	if 2*(len(s.all)+1) > len(s.index) {
		s.grow()
	}
	mask := uint64(len(s.index) - 1)
	for i := h; ; i++ {
		at := &s.index[i&mask]
		if *at == 0 {
			s.all = extend(&s.Memory, s.all, span{len(s.pcs), len(pcs), h})
			for _, pc := range pcs {
				s.pcs = extend(&s.Memory, s.pcs, pc)
			}
			*at = uint32(len(s.all))
			return *at
		}
		if same := &s.all[*at-1]; same.hash == h && equal(s.pcs[same.first:same.first+same.n], pcs) {
			return *at
		}
	}
}

// Frames returns the return addresses of a stack.
func (s *Stacks) Frames(number uint32) []uintptr {
	if number == 0 {
		return nil
	}
	at := s.all[number-1]
	return s.pcs[at.first : at.first+at.n]
}

// Known is how many there are.
func (s *Stacks) Known() uint32 { return uint32(len(s.all)) }

func (s *Stacks) grow() {
	s.index = table[uint32](&s.Memory, max(1024, 2*len(s.index)))
	mask := uint64(len(s.index) - 1)
	for k := range s.all {
		i := s.all[k].hash
		for s.index[i&mask] != 0 {
			i++
		}
		s.index[i&mask] = uint32(k + 1)
	}
}

func equal(a, b []uintptr) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}
