package race

import (
	"sync/atomic"
	"unsafe"
)

// paths are places in the program, each as a return address and the path of the call around it: two
// stacks that have their outer calls in common share them. A path that is there does not change but
// for its newest child, so it is found without a lock.
type paths struct {
	lock lock
	Memory
	heads *[pathHeads]uint32 // by hash, the first one
	parts [maxPaths / pathsInPart]unsafe.Pointer
	n     uint32 // atomic
}

type path struct {
	pc      uintptr
	from    uint32 // 0: none, it is the outermost
	next    uint32 // with the same hash
	child   uint32 // atomic: the newest path from this one
	sibling uint32 // the one before, of the same from
}

const (
	pathHeads   = 1 << 18
	pathsInPart = 1 << 12
	pathBits    = 20
	maxPaths    = 1 << pathBits

	// So many of the children of a path are looked at, which lie close to each other, before the hash.
	nearChildren = 4

	// If there are more than fullPaths, only the innermost frames of a stack are kept.
	fullPaths   = maxPaths / 4 * 3
	framesShort = 8
)

func (p *paths) begin(grow func(bytes uintptr) unsafe.Pointer) {
	p.Grow = grow
	p.heads = (*[pathHeads]uint32)(grow(unsafe.Sizeof([pathHeads]uint32{})))
}

// kept is how many paths there are, and one more, or 0 if there are more than fullPaths.
//
//loam:inline
func (p *paths) kept() uint32 {
	if n := atomic.LoadUint32(&p.n); n <= fullPaths {
		return n + 1
	}
	return 0
}

// at is the path with the number, which is not 0.
func (p *paths) at(number uint32) *path {
	part := (*[pathsInPart]path)(atomic.LoadPointer(&p.parts[number/pathsInPart]))
	return &part[number%pathsInPart]
}

// to is the number of the path from one to pc, which is the same whenever these are. 0: there are
// too many.
func (p *paths) to(from uint32, pc uintptr) uint32 { return p.hashed(pathHash(from, pc), from, pc) }

func pathHash(from uint32, pc uintptr) uint64 {
	return (uint64(pc) ^ uint64(from)<<40) * 0x9fb21c651e98df25
}

// hashed is to, with the hash of both.
func (p *paths) hashed(h uint64, from uint32, pc uintptr) uint32 {
	if from != 0 {
		n := atomic.LoadUint32(&p.at(from).child)
		for i := 0; n != 0 && i < nearChildren; i++ {
			x := p.at(n)
			if x.pc == pc {
				return n
			}
			n = x.sibling
		}
	}
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
		x := p.at(n)
		*x = path{pc: pc, from: from, next: *head}
		atomic.StoreUint32(&p.n, n)
		if from != 0 {
			parent := p.at(from)
			x.sibling = parent.child
			atomic.StoreUint32(&parent.child, n)
		}
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

// Depth is how many frames of a stack are kept of each access at least, and three times as many at
// most. A walk ends after Reach of them, if none before knows where it was called: then there are
// more, perhaps, and only those of them get words from which paths of Depth lead outwards.
const (
	Depth = 48
	Reach = 2 * Depth
)

// Word is what the frame of a function has for the detector: 0, or the path to where the function
// was called, once that is known. Then it has the mark wordKnown, in 16 bits, how long the path is,
// in 16, and its number. What has another mark is no Word.
type Word uint64

const (
	wordKnown   Word = 0xace5 << wordMarkAt
	wordMarkAt       = 48
	wordDepthAt      = 32
)

func wordOf(number uint32, depth int) Word {
	return wordKnown | Word(depth)<<wordDepthAt | Word(number)
}

func (w Word) depth() int { return int(w >> wordDepthAt & 0xffff) }

// Number is the path's, of a word that Ends a walk.
//
//loam:inline
func (w Word) Number() uint32 { return uint32(w) }

// Walk is a thread's look at a stack, from the inside out.
type Walk struct {
	// PCs are the return addresses, and Words those of the frames that they lead to, nil: there is
	// none.
	PCs   [Reach]uintptr
	Words [Reach]*Word

	recent [recentPaths]recentPath // by hash
}

// recentPath is a path that the thread has gone.
type recentPath struct {
	pc           uintptr
	from, number uint32
}

const (
	recentShift = 64 - 13
	recentPaths = 1 << (64 - recentShift)
)

// NewWalk is for a thread.
func (d *Detector) NewWalk() *Walk { return (*Walk)(d.room(unsafe.Sizeof(Walk{}))) }

// Words reports whether words help. They do not if there are too many paths to keep more than a few
// frames of each stack: a walk finds so many.
func (d *Detector) Words() (frames int, help bool) {
	if d.paths.kept() == 0 {
		return framesShort, false
	}
	return Reach, true
}

// Ends reports whether the frame to which so many return addresses lead can be the last one that a
// walk looks at.
//
//loam:inline
func (w Word) Ends(d *Detector, n int) bool {
	return w>>wordMarkAt == wordKnown>>wordMarkAt && w.depth()+n <= 3*Depth && uint32(w) < d.paths.kept()
}

// Walked is the number of the stack of which the first n return addresses are in w. End is the word
// of the frame that the last one leads to, if that Ends the walk, and otherwise more says whether
// there are more. The words that lack get one. Nobody else uses w meanwhile.
func (w *Walk) Walked(d *Detector, n int, end Word, more bool) uint32 {
	number, depth, least := uint32(end), end.depth(), 0
	if more {
		least = Depth
	}
	for i := n - 1; i >= 0; i-- {
		if word := w.Words[i]; word != nil && *word == 0 && depth >= least {
			*word = wordOf(number, depth)
		}
		number = w.Further(d, number, w.PCs[i])
		depth++
	}
	return number
}

// Further is the number of the path from one to pc.
//
//loam:inline
func (w *Walk) Further(d *Detector, from uint32, pc uintptr) uint32 {
	h := pathHash(from, pc)
	r := &w.recent[h>>recentShift]
	if r.pc == pc && r.from == from {
		return r.number
	}
	return r.found(d, h, from, pc)
}

func (r *recentPath) found(d *Detector, h uint64, from uint32, pc uintptr) uint32 {
	n := d.paths.hashed(h, from, pc)
	if n != 0 {
		*r = recentPath{pc, from, n}
	}
	return n
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
