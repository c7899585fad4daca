package reflectcall

import "unsafe"

// A Call is one call out of a frame: Prepare, Pack, then the trampoline
//
//	func call(c *Call)
//
// of reflectcall.gas, which package reflect declares for itself (no frame of rt lies between the
// two, so that the trampoline can be a wrapper for recover). It runs on the goroutine's stack and
// grows it as any function does. The first fields are known to the assembly.
type Call struct {
	code   uintptr           // 0x00
	ctx    unsafe.Pointer    // 0x08: r10, the closure
	ints   [intRegs]uintptr  // 0x10: rdi rsi rdx rcx r8 r9
	floats [floatRegs]uint64 // 0x40: xmm0-7
	stack  unsafe.Pointer    // 0x80: the stack words, lowest first
	words  uintptr           // 0x88: how many
	area   uintptr           // 0x90: bytes of result area, a multiple of 16
	wanted uintptr           // 0x98: 1 if the area's address is the first argument
	after  uintptr           // 0xa0: code of func(*Call, *Results, unsafe.Pointer)
	Sig    Signature
	ni, nf int
	ns     uintptr
}

// Results are the result registers as the called function left them.
type Results struct {
	ints   [intResultRegs]uintptr // rax rdx rcx
	floats [floatResultReg]uint64 // xmm0 xmm1
}

// Prepare starts the description of a call: fn is the closure (the address of a word that holds the
// code address), after the code address of a function
//
//	func(c *Call, res *Results, area unsafe.Pointer)
//
// that takes the results. Afterwards c.Sig.StackWords says how many words Pack needs.
func (c *Call) Prepare(t *FuncType, receiver bool, fn unsafe.Pointer, after uintptr) {
	c.Sig = SignatureOf(t, receiver)
	c.code = *(*uintptr)(fn)
	c.ctx = fn
	c.after = after
	c.words = c.Sig.StackWords
	if c.Sig.Area {
		c.wanted = 1
		c.area = alignUp(c.Sig.AreaSize+1, 16) // never nothing
		c.ni = 1
	}
}

// Pack fills in the arguments from a frame; stack has room for c.Sig.StackWords words, and both it
// and the frame must stay where they are until the call is over: big arguments are passed
// as addresses in the frame.
func (c *Call) Pack(t *FuncType, receiver bool, frame, stack unsafe.Pointer) {
	c.stack = stack
	off := uintptr(0)
	if receiver {
		c.int(*(*uintptr)(frame))
		off = 8
	}
	for i, n := 0, t.NumIn(); i < n; i++ {
		p := t.In(i)
		off = alignUp(off, uintptr(p.Align))
		at := unsafe.Add(frame, off)
		off += p.Size
		sh := ShapeOf(p)
		if sh.Big {
			c.int(uintptr(at))
			continue
		}
		for k := 0; k < sh.N; k++ {
			l := &sh.Leaves[k]
			if l.Float {
				c.float(l.load(at))
			} else {
				c.int(uintptr(l.load(at)))
			}
		}
	}
}

func (c *Call) int(v uintptr) {
	if c.ni < intRegs {
		c.ints[c.ni] = v
		c.ni++
		return
	}
	c.word(v)
}

func (c *Call) float(v uint64) {
	if c.nf < floatRegs {
		c.floats[c.nf] = v
		c.nf++
		return
	}
	c.word(uintptr(v))
}

func (c *Call) word(v uintptr) {
	*(*uintptr)(unsafe.Add(c.stack, c.ns*8)) = v
	c.ns++
}

// A ResultReader takes results out of the registers one after the other.
type ResultReader struct {
	Results *Results
	ni, nf  int
}

// Next writes the leaves of the next result, a value of small type t, to p, without a write
// barrier: p is a temporary, whose content is moved on while r.Results still keeps the pointers in
// it alive. Padding is not written.
func (r *ResultReader) Next(t *Type, p unsafe.Pointer) {
	sh := ShapeOf(t)
	for k := 0; k < sh.N; k++ {
		l := &sh.Leaves[k]
		if l.Float {
			l.store(p, r.Results.floats[r.nf])
			r.nf++
		} else {
			l.store(p, uint64(r.Results.ints[r.ni]))
			r.ni++
		}
	}
}
