package symtab

// Frame is one logical call at a program counter.
type Frame struct {
	Func      string  // Go name; the symbol's name for code without debug information
	Linkage   string  // name with type arguments, Func if there are none
	File      string  // absolute path, "" if unknown
	Line      int     // 0 if unknown
	StartLine int     // line of the func keyword, 0 if unknown
	Entry     uintptr // entry of the physical function that contains the code
	End       uintptr // end of it
	Inlined   bool    // Func was inlined into the next frame
	Call      uintptr // if so: an address that is the same for all code of this inlined call
}

// Table is a program's.
type Table []byte

// word reads a word of the header.
func (t Table) word(i uint64) uint64 {
	r := at(t, i*4)
	return r.u32()
}

// function is a physical one that is being looked at.
type function struct {
	lo, hi uintptr
	body   reader
}

// function finds the one that contains pc.
func (t Table) function(pc uintptr) (f function, ok bool) {
	if len(t) < HeaderSize || t.word(HeaderMagic) != Magic {
		return f, false
	}
	table := t.word(HeaderBlockTable)
	// The block is the last one that does not begin behind pc.
	lo, hi := uint64(0), t.word(HeaderBlocks)
	for lo < hi {
		mid := (lo + hi) / 2
		if r := at(t, table+8*mid); r.u32() > uint64(pc) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == 0 {
		return f, false
	}
	block := at(t, table+8*(lo-1))
	start, place := uintptr(block.u32()), block.u32()
	r := at(t[:min(t.word(HeaderSubprograms), uint64(len(t)))], t.word(HeaderFuncs)+place)
	f.hi = start
	for i := 0; i < BlockLength && r.more(); i++ {
		f.lo = f.hi + uintptr(r.uleb())
		f.hi = f.lo + uintptr(r.uleb())
		body := r.take(r.uleb())
		if pc < f.lo || r.bad {
			return f, false
		}
		if pc < f.hi {
			f.body = reader{b: body}
			return f, true
		}
	}
	return f, false
}

// subprogram fills in the names and first line of one, and returns its file.
func (t Table) subprogram(off uint64, f *Frame) (file string) {
	r := at(t, t.word(HeaderSubprograms)+off)
	f.Func = t.name(r.uleb())
	number := r.uleb()
	f.StartLine = int(r.uleb())
	f.Linkage = f.Func
	if number&HasLinkage != 0 {
		f.Linkage = t.name(r.uleb())
	}
	return t.file(number >> SubprogramBits)
}

func (t Table) name(off uint64) string {
	r := at(t, t.word(HeaderNames)+off)
	return r.text()
}

func (t Table) file(number uint64) string {
	if number == 0 || number > t.word(HeaderFiles) {
		return ""
	}
	r := at(t, t.word(HeaderFileTable)+4*(number-1))
	return t.name(r.u32())
}

// inlined is a call that was inlined.
type inlined struct {
	inside     uint64 // how many calls are inlined into it
	subprogram uint64
	line       int64  // of the call, from the start line of the function around
	file       uint64 // of the call, 0 if it is that function's
}

func (r *reader) inlined() (c inlined) {
	head := r.uleb()
	c = inlined{inside: head >> 1, subprogram: r.uleb(), line: r.sleb()}
	if head&1 != 0 {
		c.file = r.uleb()
	}
	return c
}

// code says what an instruction belongs to, as rows change it.
type code struct {
	addr uintptr
	call uint64
	line int64  // from the start line of the call's function
	file uint64 // 0 if it is that function's
}

// row reads the next one.
func (r *reader) row(c *code) {
	head := r.uleb()
	c.addr += uintptr(head >> 1)
	if head&1 == 0 {
		c.line += r.sleb()
		return
	}
	call := r.uleb()
	*c = code{addr: c.addr, call: call >> 1, line: r.sleb()}
	if call&1 != 0 {
		c.file = r.uleb()
	}
}

// Lookup stores the logical frames at pc, innermost first, and returns how many there are.
func (t Table) Lookup(pc uintptr, out *[MaxInline]Frame) int {
	f, ok := t.function(pc)
	if !ok {
		return 0
	}
	r := f.body
	subprogram, flags := r.uleb(), r.u8()
	r.skipFrame(flags)
	count := uint64(0)
	if flags&HasCalls != 0 {
		count = r.uleb()
	}
	calls := r
	for i := uint64(0); i < count && r.more(); i++ {
		r.inlined()
	}
	rows := r
	here, next := code{addr: f.lo}, code{addr: f.lo}
	for r.more() {
		if r.row(&next); next.addr > pc {
			break
		}
		here = next
	}
	// From the outermost frame inwards; reversed at the end.
	var spans [MaxInline]callSpan
	out[0] = Frame{Entry: f.lo, End: f.hi}
	file := t.subprogram(subprogram, &out[0])
	n := 1
	for i := uint64(1); i <= min(count, here.call) && n < MaxInline; i++ {
		c := calls.inlined()
		if here.call > i+c.inside {
			continue
		}
		outer := &out[n-1]
		outer.File, outer.Line = file, outer.StartLine+int(c.line)
		if c.file != 0 {
			outer.File = t.file(c.file)
		}
		out[n] = Frame{Entry: f.lo, End: f.hi, Inlined: true}
		spans[n] = callSpan{from: i, to: i + c.inside}
		file = t.subprogram(c.subprogram, &out[n])
		n++
	}
	inner := &out[n-1]
	inner.File, inner.Line = file, inner.StartLine+int(here.line)
	if here.file != 0 {
		inner.File = t.file(here.file)
	}
	if n > 1 {
		begins(rows, &f, spans[1:n])
		for i := 1; i < n; i++ {
			out[i].Call = spans[i].begin
		}
	}
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return n
}

// callSpan is a call and those that are inlined into it, by number.
type callSpan struct {
	from, to uint64
	begin    uintptr // where its code begins
	long     bool    // two bytes follow each other there
	run      uintptr // where the piece begins that is being read, 0 if none is
}

// begins finds where the code of each call begins, of which at least two bytes follow each other
// there if they do anywhere.
func begins(rows reader, f *function, spans []callSpan) {
	next := code{addr: f.lo}
	for more := true; more; {
		if more = rows.more(); more {
			rows.row(&next)
		} else {
			next = code{addr: f.hi, call: ^uint64(0)}
		}
		open := false
		for i := range spans {
			s := &spans[i]
			if s.long {
				continue
			}
			if in := s.from <= next.call && next.call <= s.to; in && s.run == 0 {
				s.run = next.addr
			} else if !in && s.run != 0 {
				if long := next.addr-s.run > 1; s.begin == 0 || long {
					s.begin, s.long = s.run, long
				}
				s.run = 0
			}
			open = open || !s.long
		}
		if !open {
			return
		}
	}
}

// Nullary says whether the physical function at pc is known to have no parameters.
func (t Table) Nullary(pc uintptr) bool {
	f, ok := t.function(pc)
	if !ok {
		return false
	}
	f.body.uleb()
	return f.body.u8()&IsNullary != 0
}

// skipFrame passes over what is said of a function's frame.
func (r *reader) skipFrame(flags uint8) {
	switch flags & FrameMask {
	case FrameStandard:
		r.uleb()
		for n := r.uleb(); n > 0 && !r.bad; n-- {
			if r.uleb()&1 == 0 {
				r.uleb()
			}
		}
	case FrameRows:
		for n := r.uleb(); n > 0 && !r.bad; n-- {
			r.uleb()
			r.uleb()
		}
	}
}

// ReturnSlot says where in the physical function at pc its return address lies: so many bytes above
// the stack pointer. ok is false if that is not known, or goes by the frame pointer.
func (t Table) ReturnSlot(pc uintptr) (above uintptr, ok bool) {
	f, ok := t.function(pc)
	if !ok {
		return 0, false
	}
	r := f.body
	r.uleb()
	off := uint64(pc - f.lo)
	switch r.u8() & FrameMask {
	case FrameTop:
		return 0, true
	case FrameStandard:
		return r.standardSlot(off, uint64(f.hi-f.lo))
	case FrameRows:
		at, place := uint64(0), uint64(0)
		for n := r.uleb(); n > 0 && !r.bad; n-- {
			if at += r.uleb(); at > off {
				break
			}
			place = r.uleb()
		}
		return uintptr(place-1) * 8, place != 0
	}
	return 0, false
}

// standardSlot is ReturnSlot in a function with the standard frame.
func (r *reader) standardSlot(off, size uint64) (above uintptr, ok bool) {
	const pushed, moved = 1, 4 // the ends of the two instructions
	push := r.uleb()
	switch {
	case off < push+pushed:
		return 0, true
	case off < push+moved:
		return 8, true
	}
	at := push
	for n := r.uleb(); n > 0 && !r.bad; n-- {
		head := r.uleb()
		at += head >> 1
		length := uint64(1)
		if head&1 == 0 {
			if length = r.uleb(); length == 0 {
				length = size - at
			}
		}
		if off < at {
			break
		}
		if at += length; off < at {
			return 0, true
		}
	}
	return 0, false
}
