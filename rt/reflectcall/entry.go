package reflectcall

import "unsafe"

// An Entry is what EntryStub found when a function value made by reflect was called, and where the
// results are left for it. It lies on the stub's stack.
type Entry struct {
	ints    [intRegs]uintptr  // 0x00
	floats  [floatRegs]uint64 // 0x30
	stack   unsafe.Pointer    // 0x70: the caller's stack words
	results Results           // 0x78
}

// StubSizes packs what the stub must know before it touches the stack, for the word at offset 16 of
// the closure: the bytes of stack arguments in the lower half, of the frame in the upper.
func StubSizes(t *FuncType) uintptr {
	s := SignatureOf(t, false)
	return alignUp(s.FrameSize, 16)<<32 | s.StackWords*8
}

// argReader takes arguments out of registers and stack words in order.
type argReader struct {
	e      *Entry
	ni, nf int
	ns     uintptr
}

func (r *argReader) int() uintptr {
	if r.ni < intRegs {
		r.ni++
		return r.e.ints[r.ni-1]
	}
	return r.word()
}

func (r *argReader) float() uint64 {
	if r.nf < floatRegs {
		r.nf++
		return r.e.floats[r.nf-1]
	}
	return uint64(r.word())
}

func (r *argReader) word() uintptr {
	r.ns++
	return *(*uintptr)(unsafe.Add(r.e.stack, (r.ns-1)*8))
}

// UnpackArgs builds the argument part of a frame, which must be stack memory, for a function of
// type t without receiver. It returns the result area's address, nil if results go to
// registers.
func (e *Entry) UnpackArgs(t *FuncType, frame unsafe.Pointer) (area unsafe.Pointer) {
	r := argReader{e: e}
	if SignatureOf(t, false).Area {
		area = word2ptr(r.int())
	}
	off := uintptr(0)
	for i, n := 0, t.NumIn(); i < n; i++ {
		p := t.In(i)
		off = alignUp(off, uintptr(p.Align))
		at := unsafe.Add(frame, off)
		off += p.Size
		sh := ShapeOf(p)
		if sh.Big {
			copyBytes(at, word2ptr(r.int()), p.Size)
			continue
		}
		for k := 0; k < sh.N; k++ {
			l := &sh.Leaves[k]
			if l.Float {
				l.store(at, r.float())
			} else {
				l.store(at, uint64(r.int()))
			}
		}
	}
	return area
}

// PackResults moves the results of a frame to the area, or to where the stub loads the result
// registers from if area is nil.
func (e *Entry) PackResults(t *FuncType, frame, area unsafe.Pointer) {
	s := SignatureOf(t, false)
	from := unsafe.Add(frame, s.RetOffset)
	ni, nf := 0, 0
	off := uintptr(0)
	for i, n := 0, t.NumOut(); i < n; i++ {
		p := t.Out(i)
		off = alignUp(off, uintptr(p.Align))
		at := unsafe.Add(from, off)
		if s.Area {
			copyBytes(unsafe.Add(area, off), at, p.Size)
			off += p.Size
			continue
		}
		off += p.Size
		sh := ShapeOf(p)
		for k := 0; k < sh.N; k++ {
			l := &sh.Leaves[k]
			if l.Float {
				e.results.floats[nf] = l.load(at)
				nf++
			} else {
				e.results.ints[ni] = uintptr(l.load(at))
				ni++
			}
		}
	}
}

// copyBytes copies n bytes between blocks that do not overlap, without write barriers.
func copyBytes(to, from unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}

// word2ptr is unsafe.Pointer(w) for a word that is known to be an address.
func word2ptr(w uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&w)) }
