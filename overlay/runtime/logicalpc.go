package runtime

import (
	"loam/rt/cpuprof"
	"loam/rt/heap"
	"loam/rt/symtab"
	"sync/atomic"
	"unsafe"
)

// # Program counters that stand for inlined calls
//
// Callers returns one program counter for each logical frame. The innermost frame of a piece of
// code has the address itself. A frame around an inlined call has an address of its own, a
// stand-in, which does not depend on the place in the inlined function: programs know a call by one
// number, whether it was inlined or not.
//
// A stand-in is an address in the function's code, so that tools which look addresses up later find
// the function. Where there is code of that very frame beside the code of the inlined call, it is
// an address of that, and they find the line, too. A table tells which addresses are stand-ins, and
// for what. They are multiples of four, and none is an address to which a call returns, or within
// two bytes of one, so that pc, pc-1 and pc-2 mean the same: Frame.PC is one less than what Callers
// returned, and programs that take it for a return address subtract another one.

type standIn struct {
	next *standIn // in standIns
	also *standIn // in standInsFor
	pc   uintptr
	addr uintptr // taken for a return address: two bytes into the code of the inlined call
	tag  int     // which of the frames there: 1 is the function itself, 2 what was inlined into it
}

// standIns is a table of all there are, by pc, and standInsFor by what they are for. Entries are
// never changed and never go. One can be added while the world is stopped.
var standIns, standInsFor [4096]atomic.Pointer[standIn]

func standInsOf(pc uintptr) *atomic.Pointer[standIn] {
	return &standIns[pc*0x9E3779B97F4A7C15>>52]
}

// standInGap is what addresses of stand-ins are multiples of.
const standInGap = 4

// standInAt returns what pc, pc+1 or pc+2 stands for; nil if that is nothing but code.
func standInAt(pc uintptr) *standIn {
	pc = (pc + 2) &^ (standInGap - 1)
	for s := standInsOf(pc).Load(); s != nil; s = s.next {
		if s.pc == pc {
			return s
		}
	}
	return nil
}

func standInsForFrame(addr uintptr, tag int) *atomic.Pointer[standIn] {
	return &standInsFor[(addr+uintptr(tag)<<40)*0x9E3779B97F4A7C15>>52]
}

// standInFor returns the program counter that stands for a frame, 0 if none does yet.
func standInFor(addr uintptr, tag int) uintptr {
	for s := standInsForFrame(addr, tag).Load(); s != nil; s = s.also {
		if s.addr == addr && s.tag == tag {
			return s.pc
		}
	}
	return 0
}

// claim makes pc stand for a frame, unless it stands for another one.
func claim(pc, addr uintptr, tag int) bool {
	list := standInsOf(pc)
	var made *standIn
	for {
		first := list.Load()
		for s := first; s != nil; s = s.next {
			if s.pc == pc {
				return s.addr == addr && s.tag == tag
			}
		}
		if made == nil {
			made = (*standIn)(heap.Permanent(unsafe.Sizeof(standIn{}), 8, false))
			made.pc, made.addr, made.tag = pc, addr, tag
		}
		made.next = first
		if list.CompareAndSwap(first, made) {
			break
		}
	}
	for list := standInsForFrame(addr, tag); ; {
		if made.also = list.Load(); list.CompareAndSwap(made.also, made) {
			return true
		}
	}
}

// resolvePC returns the return address to look up for a program counter of Callers, and which frame
// there is meant: see taggedFrame.
func resolvePC(pc uintptr) (addr uintptr, tag int) {
	if s := standInAt(pc); s != nil {
		return s.addr, s.tag
	}
	return pc, 0
}

// taggedFrame returns which of the n frames at an address, innermost first, a tag means. It is -1
// or less if that is none of them.
func taggedFrame(n, tag int) int {
	if tag == 0 {
		return 0
	}
	return n - tag
}

// logicalPCs keeps the last answers of logicalPC. Each has two words: what was asked, and the
// answer. The first is stored with the second's bits flipped in, so that of two answers that are
// written at the same time none is believed whose words are mixed.
var logicalPCs [1024][2]uint64

// logicalPC returns the program counter of frame i, counted from the innermost, at the return
// address pc.
func logicalPC(pc uintptr, i int) uintptr {
	if i == 0 {
		// A sample's address need not be one to which a call returns.
		for standInAt(pc) != nil {
			pc++
		}
		return pc
	}
	asked := uint64(pc) | uint64(i)<<48
	entry := &logicalPCs[asked*0x9E3779B97F4A7C15>>54]
	answer := atomic.LoadUint64(&entry[1])
	if atomic.LoadUint64(&entry[0])^answer != asked || answer == 0 {
		answer = uint64(findLogicalPC(pc, i))
		atomic.StoreUint64(&entry[0], asked^answer)
		atomic.StoreUint64(&entry[1], answer)
	}
	return uintptr(answer)
}

// nearby is how far from the code of an inlined call code of the frame around it is looked for.
const nearby = 48

//go:noinline
func findLogicalPC(addr uintptr, i int) uintptr {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(addr-1, &out)
	if i >= n {
		return addr
	}
	around, tag := out[i:n], n-i
	begin := out[i-1].Call
	if pc := standInFor(begin+2, tag); pc != 0 {
		return pc
	}
	lo, hi := around[tag-1].Entry+3, around[tag-1].End
	try := func(pc uintptr) bool {
		if pc < lo || hi <= pc {
			return false
		}
		for at := pc - 2; at <= pc+2; at++ {
			if cpuprof.IsReturn(at) {
				return false
			}
		}
		return claim(pc, begin+2, tag)
	}
	first := begin &^ (standInGap - 1)
	code := codeAround(first, around)
	for d := uintptr(0); d < nearby-standInGap; d += standInGap {
		for _, pc := range [2]uintptr{first - d, first + standInGap + d} {
			// Users subtract one, and functions that are given a return address do so too.
			if i := pc - 2 - (first - nearby); lo <= pc && pc < hi && code[i] && code[i+1] && try(pc) {
				return pc
			}
		}
	}
	// There is none. Some address of the inlined code does, and if it has too few, of the function.
	for pc := first + standInGap; pc < hi; pc += standInGap {
		if try(pc) {
			return pc
		}
	}
	for pc := first; pc >= lo; pc -= standInGap {
		if try(pc) {
			return pc
		}
	}
	return addr
}

// codeAround says for each address from first-nearby on whether the frames there are these and no
// more.
//
//go:noinline
func codeAround(first uintptr, frames []symtab.Frame) (code [2 * nearby]bool) {
	var out [symtab.MaxInline]symtab.Frame
	from := first - nearby
	for at := 0; at < len(code); {
		n := symbolize(from+uintptr(at), &out)
		end := at + 1
		if n > 0 {
			end = min(max(end, int(out[0].To-from)), len(code))
		}
		same := n == len(frames)
		for i := 0; same && i < n; i++ {
			same = out[i].Line == frames[i].Line && out[i].Func == frames[i].Func && out[i].Entry == frames[i].Entry
		}
		for ; at < end; at++ {
			code[at] = same
		}
	}
	return code
}

// expandPC appends the program counters of all frames at a return address, as far as there is
// room.
func expandPC(out []uintptr, pc uintptr) []uintptr {
	n := frameShape(pc - 1).frames()
	for i := 0; i < n && len(out) < cap(out); i++ {
		out = append(out, logicalPC(pc, i))
	}
	return out
}
