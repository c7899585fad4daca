package runtime

import (
	"loam/rt/cpuprof"
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
	"loam/rt/timer"
	"unsafe"
)

// The CPU profile as runtime/pprof reads it. rt/cpuprof samples; here samples become stacks of
// logical frames.

// SetCPUProfileRate starts the CPU profile with hz samples per second of CPU time, or with hz <= 0
// ends it. Package runtime/pprof is what most programs should use.
func SetCPUProfileRate(hz int) {
	if hz <= 0 {
		cpuprof.Stop()
		return
	}
	if !cpuprof.Start(int32(min(hz, cpuprof.MaxRate))) {
		print("runtime: cannot set cpu profile rate until previous profile has finished.\n")
		return
	}
	cpuReader = cpuProfileReader{rate: uint64(cpuprof.Rate())}
}

// CPUProfile panics, as it does in Go.
func CPUProfile() []byte { panic("CPUProfile no longer available") }

// cpuProfileReader is what readProfile keeps between calls, for one profile.
type cpuProfileReader struct {
	rate   uint64 // not yet told to the reader; 0: told
	leaves map[uintptr]leafShape
	frames [24 * (cpuprof.Depth + 2)]uintptr
}

var cpuReader cpuProfileReader

const (
	cpuReadEvery = 100 * 1000 * 1000 // nanoseconds between two looks at the samples
	cpuReadStep  = 10 * 1000 * 1000  // how long the end of the profile may go unnoticed
)

// pprof_readProfile waits for samples and returns them in the form of package runtime/pprof: for
// each its length, the time (which nobody reads), how often it counts, and the stack. The first
// record says the rate; one with count 0 how many samples were lost.
//
//go:linkname pprof_readProfile runtime/pprof.readProfile
func pprof_readProfile() (data []uint64, tags []unsafe.Pointer, eof bool) {
	r := &cpuReader
	if r.rate != 0 {
		data, tags = append(data, 3, 0, r.rate), append(tags, nil)
		r.rate = 0
		r.leaves = make(map[uintptr]leafShape)
	}
	for waited := 0; waited < cpuReadEvery && cpuprof.Rate() != 0 && !cpuprof.Full(); waited += cpuReadStep {
		timer.SleepFor(cpuReadStep)
	}
	lost, eof := cpuprof.Read(func(count uint64, tag unsafe.Pointer, stack []uint64) {
		pcs := r.expand(stack)
		data = append(data, uint64(3+len(pcs)), 0, count)
		for _, pc := range pcs {
			data = append(data, uint64(pc))
		}
		tags = append(tags, tag)
	})
	if lost != 0 {
		data, tags = append(data, 4, 0, 0, lost), append(tags, nil)
	}
	takeLabels()
	return data, tags, eof
}

// expand returns the logical frames of a sample, those of the run-time system included, in the form
// of Callers.
func (r *cpuProfileReader) expand(sample []uint64) []uintptr {
	var pcs [2 + cpuprof.Depth]uintptr
	out := r.frames[:0]
	for _, pc := range cpuprof.OfC(sample) {
		out = append(out, uintptr(pc))
	}
	for _, pc := range pcs[:r.returns(sample, &pcs)] {
		if findsC() && isOfC(pc) {
			out = append(out, pc)
		} else {
			out = expandPC(out, pc)
		}
	}
	return out
}

// returns stores the addresses of a sample, all of them as return addresses, and says how many
// there are.
func (r *cpuProfileReader) returns(sample []uint64, pcs *[2 + cpuprof.Depth]uintptr) int {
	pc := uintptr(sample[0])
	n := 1
	if c := len(cpuprof.OfC(sample)); c > 0 {
		n, sample = 0, sample[1+c:]
	} else if sched.InText(pc) {
		pcs[0] = pc + 1
		found := func(ret uint64) bool { return len(sample) > cpuprof.Leaf && sample[cpuprof.Leaf] == ret }
		if at := r.leaf(pc); int(at) < cpuprof.Leaf && cpuprof.IsReturn(uintptr(sample[at])) && !found(sample[at]) {
			pcs[n] = uintptr(sample[at])
			n++
		}
	} else {
		pcs[0] = funcPC(vdsoCode) + 1
	}
	if n > 0 {
		sample = sample[cpuprof.Leaf:]
	}
	for _, ret := range sample {
		if uintptr(ret) == cpuprof.External {
			ret = uint64(funcPC(_ExternalCode) + 1)
		}
		if !sys.IsHopReturn(uintptr(ret)) && n < len(pcs) {
			pcs[n] = uintptr(ret)
			n++
		}
	}
	return n
}

// _ExternalCode stands for what has called C in a thread that Go does not know.
//
//go:noinline
func _ExternalCode() { panic("not to be called") }

// vdsoCode stands for code of the kernel's that is mapped into the program: reading the clock,
// making random bytes.
//
//go:noinline
func vdsoCode() { panic("not to be called") }

// leafShape says where the innermost function's return address is: the number of the sample's word.
type leafShape uint8

const (
	leafCalled leafShape = 1    // at the stack pointer
	leafFramed leafShape = 0xFF // in its frame record, like any other's
)

// leaf finds out what the function at pc has done to the stack, from its code. Compiled functions
// that call others make their frame with push %rbp; mov %rsp, %rbp after the check of the stack
// limit, and pop it right before they return. Those that call nothing may push other registers, and
// make room. Assembly translated from Go's loads %rbp with the address of its frame record; other
// assembly has none.
func (r *cpuProfileReader) leaf(pc uintptr) leafShape {
	if s := r.leaves[pc]; s != 0 {
		return s
	}
	s := readLeaf(pc)
	r.leaves[pc] = s
	return s
}

func readLeaf(pc uintptr) leafShape {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc, &out)
	if n == 0 {
		return leafFramed
	}
	entry, end := out[n-1].Entry, out[n-1].End
	if pc < entry || end <= pc {
		return leafFramed // out of line, where the return address is too far up
	}
	if n, ok := popsToReturn(pc, end); ok {
		return leafCalled + n
	}
	const reach = 64 // bytes: the check of the limit takes 20
	for at := entry; at < entry+reach && at+4 <= end; at++ {
		switch b := *(*uint32)(ptr(at)); {
		case b == 0xe5894855: // push %rbp; mov %rsp, %rbp
			if pc <= at {
				return leafCalled
			}
			if pc == at+1 {
				return leafCalled + 1
			}
			return leafFramed
		case b == 0x48006a55: // push %rbp; push $0; lea 8(%rsp), %rbp (race.Word)
			switch {
			case pc <= at:
				return leafCalled
			case pc == at+1:
				return leafCalled + 1
			case pc == at+3:
				return leafCalled + 2
			}
			return leafFramed
		case b == 0x246c8d48, b == 0x24ac8d48: // lea disp(%rsp), %rbp
			return leafFramed
		}
	}
	return leafCalled + pushedAt(entry, pc)
}

// popsToReturn counts the words that the code at pc pops before it returns; ok is false if it does
// more than that, or pops the frame pointer.
func popsToReturn(pc, end uintptr) (n leafShape, ok bool) {
	for pc < end {
		if *(*uint32)(ptr(pc)) == 0xf5ba0f48 { // btr $60, %rbp, behind a frame with a race.Word
			pc += 5
			continue
		}
		switch size := popSize(pc, 0x58); {
		case *(*byte)(ptr(pc)) == 0xc3:
			return n, true
		case size == 0 || *(*byte)(ptr(pc)) == 0x5d:
			return 0, false
		default:
			pc += size
			n++
		}
	}
	return 0, false
}

// popSize is the size of the instruction at pc if it is a pop, whose opcodes begin at first, of
// a register that a function keeps for its caller; or a push, if first is that one's. Otherwise it
// is 0.
func popSize(pc uintptr, first byte) uintptr {
	switch b := *(*byte)(ptr(pc)); {
	case b == first+3, b == first+5: // rbx, rbp
		return 1
	case b == 0x41: // r12 to r15
		if b := *(*byte)(ptr(pc + 1)); first+4 <= b && b < first+8 {
			return 2
		}
	}
	return 0
}

// pushedAt counts the words that a function without a frame has on the stack at pc.
func pushedAt(entry, pc uintptr) (n leafShape) {
	at := entry
	if *(*uint32)(ptr(at)) == 0x243b4864 { // cmp %fs:limit, %rsp; jbe
		if at += 9; *(*byte)(ptr(at)) == 0x76 {
			at += 2
		} else {
			at += 6
		}
	}
	for size := popSize(at, 0x50); size > 0 && at < pc; size = popSize(at, 0x50) {
		at += size
		n++
	}
	if at >= pc {
		return n
	}
	switch *(*uint32)(ptr(at)) & 0xFFFFFF { // sub $n, %rsp
	case 0xec8348:
		n += leafShape(*(*byte)(ptr(at + 3)) / 8)
	case 0xec8148:
		n = leafFramed - leafCalled // too far away
	}
	return n
}
