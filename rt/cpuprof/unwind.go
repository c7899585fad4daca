//go:build loam

package cpuprof

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Depth is how many return addresses a sample has at most, as under gc.
const Depth = 64

// Leaf is the number of words in a sample before the return addresses: the interrupted instruction,
// and the words at the stack pointer. If the interrupted function has no frame of its own at this
// instruction, one of them is its return address: it is above at most six registers that
// the function has pushed, and some room. The return addresses that follow begin with its caller's.
// Samples of C are others ([OfC]).
const Leaf = 1 + leafWords

const leafWords = 12

// stacks are the pieces of memory that the frames of one thread can be in.
type stacks struct {
	sysLo, sysHi uintptr
	// of the goroutine current now, and of the one that a switch just leaves
	segs [2]*stack.Segment
}

// contains reports whether the two words at a can be read.
func (s *stacks) contains(a uintptr) bool {
	if a&7 != 0 {
		return false
	}
	if s.sysLo <= a && a+16 <= s.sysHi {
		return true
	}
	for _, seg := range s.segs {
		for ; seg != nil; seg = seg.Prev {
			if seg.Lo <= a && a+16 <= seg.Hi {
				return true
			}
		}
	}
	return false
}

// capture stores the stack of the interrupted code and returns its length in words. Signal handlers
// only.
func capture(g *sched.G, uc *sys.Ucontext, out *[Leaf + Depth]uintptr) int {
	if n := captureC(uc, out); n > 0 {
		return n
	}
	t := sys.Self()
	s := stacks{sysLo: t.SysLo, sysHi: t.SysHi}
	if t.G != t.G0 {
		s.segs[0] = (*stack.Segment)((*sched.G)(t.G).Segment)
	}
	if g != nil && unsafe.Pointer(g) != t.G {
		s.segs[1] = (*stack.Segment)(g.Segment)
	}
	sp, fp := uintptr(uc.RSP), uintptr(uc.RBP)
	out[0] = uintptr(uc.RIP)
	n := Leaf
	if s.contains(sp) {
		for i := range uintptr(leafWords) {
			if a := sp + 8*i; s.contains(a) {
				out[1+i] = word(a)
			}
		}
		if !(s.contains(fp) && IsReturn(word(fp+8))) {
			fp = s.findFrame(sp)
		}
	}
	return s.returns(fp, out, n)
}

// returns stores the return addresses of the frames from the record at fp on, behind the first n
// words, and returns how many words there are then. Frames of C that called Go are among them.
func (s *stacks) returns(fp uintptr, out *[Leaf + Depth]uintptr, n int) int {
	for n < len(out) && s.contains(fp) {
		pc := word(fp + 8)
		if pc == 0 {
			break
		}
		out[n] = pc
		n++
		fp = word(fp)
		if at := sys.ContextOfC(fp); sys.IsReturnToC(pc) && s.contains(at) {
			n += CFrames(word(at), nil, out[n:min(n+MaxC, len(out))])
		}
	}
	return n
}

// findFrame looks for the innermost frame record above sp, for code that uses the frame pointer's
// register for something else: a compiled function without a frame has pushed it next to its return
// address, which is like a record. It returns 0 if there is none near.
func (s *stacks) findFrame(sp uintptr) uintptr {
	const words = 256
	for a := sp; a < sp+words*8 && s.contains(a); a += 8 {
		if up := word(a); up > a && s.contains(up) && IsReturn(word(a+8)) && IsReturn(word(up+8)) {
			return a
		}
	}
	return 0
}

// IsReturn reports whether the instruction before pc can be a call. Any stack.
func IsReturn(pc uintptr) bool {
	if !sched.InText(pc-8) || !sched.InText(pc) {
		return false
	}
	if code(pc-5) == 0xe8 {
		return true
	}
	for _, n := range [...]uintptr{2, 3, 4, 6, 7} { // ff /2 with its forms of addresses
		if code(pc-n) == 0xff && code(pc-n+1)>>3&7 == 2 {
			return true
		}
	}
	return false
}

func word(a uintptr) uintptr { return *(*uintptr)(sys.Ptr(a)) }
func code(a uintptr) byte    { return *(*byte)(sys.Ptr(a)) }
