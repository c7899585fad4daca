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

// table is all that is known of one program.
type table struct {
	image
	units  []unit
	ranges []unitRange // sorted by lo
	recent []answer    // the last answers, each in the place that its pc hashes to
}

// answer is what lookup said about pc, if that was not more than fits.
type answer struct {
	pc     uintptr
	n      int
	frames [4]Frame
}

const recentBits = 9

type unitRange struct {
	lo, hi uint64
	unit   int
}

// load builds level 1: units and their ranges.
func (t *table) load(file []byte) {
	if !t.parse(file) {
		return
	}
	count := 0
	for off := uint64(0); off < uint64(len(t.info)); {
		_, next, ok := t.unitAt(off)
		if ok {
			count++
		}
		if next <= off {
			break
		}
		off = next
	}
	t.units = allocSlice[unit](count)
	n := 0
	for off := uint64(0); off < uint64(len(t.info)) && n < len(t.units); {
		u, next, ok := t.unitAt(off)
		if ok {
			t.units[n] = u
			t.readRoot(&t.units[n])
			n++
		}
		if next <= off {
			break
		}
		off = next
	}
	for pass := 0; pass < 2; pass++ {
		n := 0
		for i := range t.units {
			u := &t.units[i]
			if !u.hasRanges {
				if isCode(u.lowPC) && u.lowPC < u.highPC {
					t.addRange(pass, n, u.lowPC, u.highPC, i)
					n++
				}
				continue
			}
			for w := t.rangeList(u, u.ranges); ; {
				lo, hi, ok := w.next()
				if !ok {
					break
				}
				t.addRange(pass, n, lo, hi, i)
				n++
			}
		}
		if pass == 0 {
			t.ranges = allocSlice[unitRange](n)
		}
	}
	sortBy(t.ranges, func(a, b *unitRange) bool { return a.lo < b.lo })
}

func (t *table) addRange(pass, n int, lo, hi uint64, unit int) {
	if pass == 1 && n < len(t.ranges) {
		t.ranges[n] = unitRange{lo, hi, unit}
	}
}

// readRoot reads the unit's own DIE.
func (t *table) readRoot(u *unit) {
	t.abbrevTable(u)
	r := at(t.info, u.root)
	var d die
	t.readDIE(u, &r, &d)
	u.lowPC, u.highPC = d.low, d.high
	u.ranges, u.hasRanges = d.ranges, d.hasRanges
	u.stmtList, u.hasLines = d.stmtList, d.hasLines
	u.compDir = d.compDir
}

// unitOf returns the unit whose code contains pc, or nil.
func (t *table) unitOf(pc uint64) *unit {
	lo, hi := 0, len(t.ranges)
	for lo < hi {
		if mid := (lo + hi) / 2; t.ranges[mid].hi <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(t.ranges) || t.ranges[lo].lo > pc {
		return nil
	}
	return &t.units[t.ranges[lo].unit]
}

// loadUnit builds level 2 of u.
func (t *table) loadUnit(u *unit) {
	if u.loaded {
		return
	}
	u.loaded = true
	if u.hasLines {
		t.loadLines(u)
	}
	for pass := 0; pass < 2; pass++ {
		n := 0
		r := at(t.info[:u.end], u.root)
		depth := 0
		for r.left() > 0 && !r.bad {
			off := uint64(r.off)
			var d die
			t.readDIE(u, &r, &d)
			if d.null {
				depth--
				if depth <= 0 {
					break
				}
				continue
			}
			if d.tag == tagSubprogram && d.hasLow && isCode(d.low) {
				if pass == 1 && n < len(u.funcs) {
					u.funcs[n] = function{uintptr(d.low), uintptr(d.high), off}
				}
				n++
			}
			if d.children {
				depth++
			}
		}
		if pass == 0 {
			u.funcs = allocSlice[function](n)
		}
	}
	sortBy(u.funcs, func(a, b *function) bool { return a.lo < b.lo })
}

func (u *unit) funcOf(pc uintptr) *function {
	lo, hi := 0, len(u.funcs)
	for lo < hi {
		if mid := (lo + hi) / 2; u.funcs[mid].hi <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(u.funcs) || u.funcs[lo].lo > pc {
		return nil
	}
	return &u.funcs[lo]
}

// abstract fills in the names and first line of a subprogram and returns its file (of d's unit),
// following references from a concrete instance to the abstract one.
func (t *table) abstract(u *unit, d *die, f *Frame) (file uint64) {
	home := u
	cur := *d
	for hops := 0; ; hops++ {
		f.Func, f.Linkage = cur.name, cur.linkage
		if f.Func == "" {
			f.Func = f.Linkage
		}
		if f.Linkage == "" {
			f.Linkage = f.Func
		}
		if f.Func != "" || cur.origin == 0 || hops == 4 {
			f.StartLine = int(cur.declLine)
			if u != home {
				return 0
			}
			return cur.declFile
		}
		v := u
		if cur.origin < u.start || cur.origin >= u.end {
			if v = t.unitAtInfo(cur.origin); v == nil {
				return 0
			}
		}
		r := at(t.info, cur.origin)
		t.readDIE(v, &r, &cur)
		u = v
	}
}

// unitAtInfo returns the unit whose debug information contains offset off.
func (t *table) unitAtInfo(off uint64) *unit {
	for i := range t.units {
		if u := &t.units[i]; u.start <= off && off < u.end {
			return u
		}
	}
	return nil
}

// MaxInline bounds the depth of inlined calls that is reported; deeper ones are left out.
const MaxInline = 24

// find is lookup with a memory: programs ask for the same few places again and again.
func (t *table) find(pc uintptr, out *[MaxInline]Frame) int {
	if t.recent == nil {
		if t.recent = allocSlice[answer](1 << recentBits); t.recent == nil {
			return t.lookup(pc, out)
		}
	}
	a := &t.recent[uint64(pc)*0x9E3779B97F4A7C15>>(64-recentBits)]
	if a.pc == pc && pc != 0 {
		copy(out[:], a.frames[:a.n])
		return a.n
	}
	n := t.lookup(pc, out)
	if n <= len(a.frames) {
		a.pc, a.n = pc, n
		copy(a.frames[:], out[:n])
	}
	return n
}

// lookup stores the logical frames at pc, innermost first, and returns how many there are.
func (t *table) lookup(pc uintptr, out *[MaxInline]Frame) int {
	u := t.unitOf(uint64(pc))
	if u == nil {
		return t.lookupSymbol(pc, out)
	}
	t.loadUnit(u)
	f := u.funcOf(pc)
	if f == nil {
		return t.lookupSymbol(pc, out)
	}
	// From the outermost frame inwards; reversed at the end.
	r := at(t.info[:u.end], f.die)
	var d die
	t.readDIE(u, &r, &d)
	n := 1
	out[0] = Frame{Entry: f.lo, End: f.hi}
	var file uint64 // in which the innermost function is declared
	file = t.abstract(u, &d, &out[0])
	depth := 0
	if d.children {
		depth = 1
	}
	match := 1 // depth at which a DIE is a child of the innermost match
	for depth > 0 && r.left() > 0 && !r.bad {
		t.readDIE(u, &r, &d)
		if d.null {
			depth--
			if depth < match {
				break // the innermost match has no more children
			}
			continue
		}
		if d.tag == tagBlock && d.children && depth == match {
			if _, ok := t.covers(u, &d, uint64(pc)); ok {
				match++ // its children count as its parent's
			}
		}
		call, covers := uintptr(0), false
		if d.tag == tagInlined && depth == match && n < MaxInline {
			call, covers = t.covers(u, &d, uint64(pc))
		}
		if covers {
			out[n-1].File, out[n-1].Line = u.lines.file(d.callFile), int(d.callLine)
			out[n] = Frame{Entry: f.lo, End: f.hi, Inlined: true, Call: call}
			file = t.abstract(u, &d, &out[n])
			n++
			match++
			if !d.children {
				break
			}
		}
		if d.children {
			depth++
		}
	}
	out[n-1].File, out[n-1].Line = u.lines.lookup(uint64(pc))
	if out[n-1].Line == 0 && file != 0 { // all of the function is code without a position
		out[n-1].File, out[n-1].Line = u.lines.file(file), out[n-1].StartLine
	}
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return n
}

// nullary says whether the function that contains pc is marked as one without parameters: by a
// child of its DIE, or of the one that describes all its instances.
func (t *table) nullary(pc uintptr) bool {
	u := t.unitOf(uint64(pc))
	if u == nil {
		return false
	}
	t.loadUnit(u)
	f := u.funcOf(pc)
	if f == nil {
		return false
	}
	for off, hops := f.die, 0; hops < 4; hops++ {
		r := at(t.info[:u.end], off)
		var function, d die
		t.readDIE(u, &r, &function)
		depth := 0
		if function.children {
			depth = 1
		}
		for depth > 0 && r.left() > 0 && !r.bad {
			switch t.readDIE(u, &r, &d); {
			case d.null:
				depth--
			case d.tag == tagAnnotation && depth == 1 && d.name == "nullary":
				return true
			case d.children:
				depth++
			}
		}
		off = function.origin
		if off < u.start || off >= u.end {
			break
		}
	}
	return false
}

// covers says whether the block or inlined call d has code at pc. If so, first is where its code
// begins, of which at least two bytes follow each other there if they do anywhere.
func (t *table) covers(u *unit, d *die, pc uint64) (first uintptr, ok bool) {
	if !d.hasRanges {
		return uintptr(d.low), d.hasLow && d.low <= pc && pc < d.high
	}
	long := false
	for w := t.rangeList(u, d.ranges); ; {
		lo, hi, more := w.next()
		if !more {
			return first, ok
		}
		if first == 0 || !long && hi-lo > 1 {
			first, long = uintptr(lo), hi-lo > 1
		}
		ok = ok || lo <= pc && pc < hi
	}
}

func (t *table) lookupSymbol(pc uintptr, out *[MaxInline]Frame) int {
	name, lo, hi := t.symbol(pc)
	if name == "" {
		return 0
	}
	out[0] = Frame{Func: name, Linkage: name, Entry: lo, End: hi}
	return 1
}
