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
	From, To  uintptr // the code around the program counter that belongs to the same frames and lines
}

// Move adds to the frame's addresses how far the program lies from where the link has put it.
func (f *Frame) Move(bias uintptr) {
	f.Entry, f.End, f.From, f.To = f.Entry+bias, f.End+bias, f.From+bias, f.To+bias
	if f.Inlined {
		f.Call += bias
	}
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

// Start returns the address of the first function, 0 if there is none.
func (t Table) Start() uintptr {
	if len(t) < HeaderSize || t.word(HeaderMagic) != Magic || t.word(HeaderBlocks) == 0 {
		return 0
	}
	block := at(t, t.word(HeaderBlockTable))
	return uintptr(block.u32())
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
	number     uint64
	inside     uint64 // how many calls are inlined into it
	subprogram uint64
	line       int64  // of the call, from the start line of the function around
	file       uint64 // of the call, 0 if it is that function's
	begin      uint64 // where its code begins, from the function's start, if that is written
}

func (r *reader) inlined(number uint64, indexed bool) (c inlined) {
	head := r.uleb()
	c = inlined{number: number, inside: head >> 1, subprogram: r.uleb(), line: r.sleb()}
	if head&1 != 0 {
		c.file = r.uleb()
	}
	if indexed {
		c.begin = r.uleb()
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

// parts are those of a function's body.
type parts struct {
	subprogram  uint64
	count       uint64 // how many calls were inlined
	calls, rows reader
	// of a function with an index
	indexed             bool
	callIndex, rowIndex []byte
}

func (r reader) parts() (p parts) {
	p.subprogram = r.uleb()
	flags := r.u8()
	r.skipFrame(flags)
	length := uint64(0)
	if p.indexed = flags&IsIndexed != 0; p.indexed {
		length = r.uleb()
		p.callIndex = r.take(r.uleb() * entrySize)
		p.rowIndex = r.take(r.uleb() * entrySize)
	}
	if flags&HasCalls != 0 {
		p.count = r.uleb()
	}
	p.calls = r
	if p.indexed {
		r.take(length)
	} else {
		for i := uint64(1); i <= p.count && r.more(); i++ {
			r.inlined(i, false)
		}
	}
	p.rows = r
	return p
}

const entrySize = 8

// entry returns the words of an index's entry.
func entry(index []byte, i int) (a, b uint64) {
	r := at(index, uint64(i)*entrySize)
	return r.u32(), r.u32()
}

// row finds what pc, of a function that begins at lo, belongs to, and where the code of that ends.
func (p *parts) row(lo, hi, pc uintptr) (here code, end uintptr) {
	r, here := p.rows, code{addr: lo}
	first, behind := 0, len(p.rowIndex)/entrySize
	for first < behind { // the last entry whose row is not behind pc
		mid := int(uint(first+behind) / 2)
		if from, _ := entry(p.rowIndex, mid); lo+uintptr(from) > pc {
			behind = mid
		} else {
			first = mid + 1
		}
	}
	if first > 0 {
		from, off := entry(p.rowIndex, first-1)
		r.take(off)
		r.row(&here)
		here.addr = lo + uintptr(from)
	}
	for next := here; r.more(); here = next {
		if r.row(&next); next.addr > pc {
			return here, next.addr
		}
	}
	return here, hi
}

// path stores the calls that call number last is in and is, and returns how many there are; the
// innermost comes first.
func (p *parts) path(last uint64, calls *[MaxInline]inlined) (n int) {
	for to := last; to > 0; {
		from, around, r := uint64(1), uint64(0), p.calls
		if k := int((to - 1) / IndexStride); k > 0 && k < len(p.callIndex)/entrySize {
			var off uint64
			off, around = entry(p.callIndex, k)
			from += uint64(k) * IndexStride
			r.take(off)
		}
		begin := n
		for i := from; i <= min(to, p.count) && r.more(); i++ {
			if c := r.inlined(i, p.indexed); last <= i+c.inside && n < MaxInline-1 {
				calls[n] = c
				n++
			}
		}
		for i, j := begin, n-1; i < j; i, j = i+1, j-1 {
			calls[i], calls[j] = calls[j], calls[i]
		}
		if around >= from {
			break // damaged
		}
		to = around
	}
	return n
}

// Lookup stores the logical frames at pc, innermost first, and returns how many there are.
func (t Table) Lookup(pc uintptr, out *[MaxInline]Frame) int {
	f, ok := t.function(pc)
	if !ok {
		return 0
	}
	p := f.body.parts()
	here, end := p.row(f.lo, f.hi, pc)
	var calls [MaxInline]inlined
	n := p.path(here.call, &calls)
	out[n] = Frame{}
	file := t.subprogram(p.subprogram, &out[n])
	var spans [MaxInline]callSpan
	for i := n - 1; i >= 0; i-- { // from the outermost inwards
		c := &calls[i]
		outer := &out[i+1]
		outer.File, outer.Line = file, outer.StartLine+int(c.line)
		if c.file != 0 {
			outer.File = t.file(c.file)
		}
		out[i] = Frame{Inlined: true, Call: f.lo + uintptr(c.begin)}
		spans[i] = callSpan{from: c.number, to: c.number + c.inside}
		file = t.subprogram(c.subprogram, &out[i])
	}
	out[0].File, out[0].Line = file, out[0].StartLine+int(here.line)
	if here.file != 0 {
		out[0].File = t.file(here.file)
	}
	if n > 0 && !p.indexed {
		begins(p.rows, &f, spans[:n])
		for i := range n {
			out[i].Call = spans[i].begin
		}
	}
	for i := range n + 1 {
		out[i].Entry, out[i].End, out[i].From, out[i].To = f.lo, f.hi, here.addr, end
	}
	return n + 1
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

// Nullary reports whether the physical function at pc is known to have no parameters.
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
