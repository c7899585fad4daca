package sys

import "unsafe"

// The vDSO's getrandom makes random bytes without a system call, of a state that its caller keeps.
// Each thread has one. The kernel says what a state needs and how its memory is mapped: it may take
// that back, and a forked process begins with an empty one.

// randomStates is memory for states that no thread has yet. States stay with their threads, whose
// memory new threads take.
var randomStates struct {
	lock       Mutex
	need       randomNeed
	next, left uintptr
}

// randomNeed is what the kernel says of states.
type randomNeed struct {
	size, prot, flags uint32
	_                 [13]uint32
}

// randomPart is how many bytes are made while the goroutine keeps its thread: some microseconds.
const randomPart = 4096

// VDSORandom does what the system call getrandom does, through the vDSO: it returns how many bytes
// of p it has filled, or a negative errno. Without a vDSO that has it, ok is false.
func VDSORandom(p []byte, flags uint32) (n int, ok bool) {
	for {
		if vdsoRandom == 0 || Simulated {
			return 0, false
		}
		t := AcquireM()
		if t.random == 0 {
			newRandomState(t)
		}
		if t.random == 0 {
			ReleaseM()
			return 0, false
		}
		part := min(len(p)-n, randomPart)
		r := vdsoGetrandom(unsafe.Add(unsafe.Pointer(unsafe.SliceData(p)), n), part, flags, t.random, uintptr(randomStates.need.size))
		ReleaseM()
		switch {
		case r < 0 && n == 0:
			return r, true
		case r < 0:
			return n, true
		}
		if n += r; r < part || n == len(p) {
			return n, true
		}
	}
}

// newRandomState gives the calling thread a state if there is memory for it.
func newRandomState(t *Thread) {
	s := &randomStates
	s.lock.Lock()
	if s.need.size == 0 && vdsoGetrandom(nil, 0, 0, uintptr(unsafe.Pointer(&s.need)), ^uintptr(0)) != 0 {
		vdsoRandom = 0
	}
	size := (uintptr(s.need.size) + stateAlign - 1) &^ (stateAlign - 1)
	if vdsoRandom != 0 && s.left < size { // no state lies in two pages
		if p, err := Mmap(0, PageSize, int32(s.need.prot), int32(s.need.flags)); err == 0 {
			s.next, s.left = p, PageSize
		}
	}
	if vdsoRandom != 0 && s.left >= size {
		t.random = s.next
		s.next += size
		s.left -= size
	}
	s.lock.Unlock()
}

// stateAlign keeps states of two threads out of one cache line.
const stateAlign = 64

// vdsoGetrandom calls the vDSO on the system stack (it is C code without split stacks). In
// random.gas.
func vdsoGetrandom(p unsafe.Pointer, n int, flags uint32, state, size uintptr) int
