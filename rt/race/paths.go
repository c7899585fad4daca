package race

import (
	"sync/atomic"
	"unsafe"
)

// paths are places in the program, each as a return address and the path of the call around it: two
// stacks that have their outer calls in common share them. A path that is there does not change, so
// it is found without a lock.
type paths struct {
	lock lock
	Memory
	heads *[pathHeads]uint32 // by hash, the first one
	parts [maxPaths / pathsInPart]unsafe.Pointer
	n     uint32 // atomic
}

type path struct {
	pc   uintptr
	from uint32 // 0: none, it is the outermost
	next uint32 // with the same hash
}

const (
	pathHeads   = 1 << 18
	pathsInPart = 1 << 12
	maxPaths    = 1 << 20

	// If there are more than fullPaths, only the innermost frames of a stack are kept.
	fullPaths   = maxPaths / 4 * 3
	framesShort = 8
)

func (p *paths) begin(grow func(bytes uintptr) unsafe.Pointer) {
	p.Grow = grow
	p.heads = (*[pathHeads]uint32)(grow(unsafe.Sizeof([pathHeads]uint32{})))
}

// at is the path with the number, which is not 0.
func (p *paths) at(number uint32) *path {
	part := (*[pathsInPart]path)(atomic.LoadPointer(&p.parts[number/pathsInPart]))
	return &part[number%pathsInPart]
}

// to is the number of the path from one to pc, which is the same whenever these are. 0: there are
// too many.
func (p *paths) to(from uint32, pc uintptr) uint32 {
	h := (uint64(pc) ^ uint64(from)<<40) * 0x9fb21c651e98df25
	head := &p.heads[h>>32%pathHeads]
	first := atomic.LoadUint32(head)
	if n := p.among(first, 0, from, pc); n != 0 {
		return n
	}
	p.lock.take()
	n := p.among(*head, first, from, pc)
	if n == 0 && p.n+1 < maxPaths {
		n = p.n + 1
		if part := &p.parts[n/pathsInPart]; *part == nil {
			atomic.StorePointer(part, p.room(unsafe.Sizeof([pathsInPart]path{})))
		}
		*p.at(n) = path{pc, from, *head}
		atomic.StoreUint32(&p.n, n)
		atomic.StoreUint32(head, n)
	}
	p.lock.release()
	return n
}

// among looks for a path from n on, in front of end.
func (p *paths) among(n, end, from uint32, pc uintptr) uint32 {
	for n != end {
		x := p.at(n)
		if x.pc == pc && x.from == from {
			return n
		}
		n = x.next
	}
	return 0
}

// Depth is how many frames of a stack are kept of each access.
const Depth = 48

// Walk is the stack that a thread has looked at last. From one access to the next most of it stays.
type Walk struct {
	// Found are the return addresses that Number is told, from the inside out.
	Found [Depth]uintptr

	pcs     [Depth]uintptr // from the outside in, with
	numbers [Depth]uint32  // the path to each
	n       int
}

// NewWalk is for a thread.
func (d *Detector) NewWalk() *Walk { return (*Walk)(d.room(unsafe.Sizeof(Walk{}))) }

// Walked is the number of the stack of which the first n return addresses have been Found. Nobody
// else uses w meanwhile.
func (d *Detector) Walked(w *Walk, n int) uint32 {
	if atomic.LoadUint32(&d.paths.n) > fullPaths {
		n = min(n, framesShort)
	}
	same := 0
	for same < min(n, w.n) && w.pcs[same] == w.Found[n-1-same] {
		same++
	}
	number := uint32(0)
	if same > 0 {
		number = w.numbers[same-1]
	}
	for i := same; i < n; i++ {
		w.pcs[i] = w.Found[n-1-i]
		number = d.paths.to(number, w.pcs[i])
		w.numbers[i] = number
	}
	w.n = n
	return number
}

// Number is the number of a stack, of its return addresses from the inside out.
func (d *Detector) Number(pcs []uintptr) uint32 {
	number := uint32(0)
	for i := len(pcs) - 1; i >= 0; i-- {
		number = d.paths.to(number, pcs[i])
	}
	return number
}

// Frames writes the return addresses of a stack to pcs, and returns how many they are.
func (d *Detector) Frames(number uint32, pcs []uintptr) int {
	n := 0
	for ; number != 0 && n < len(pcs); n++ {
		p := d.paths.at(number)
		pcs[n], number = p.pc, p.from
	}
	return n
}
