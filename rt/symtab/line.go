package symtab

// lineTable is a unit's line program, prepared: its header, file names, and sequences.
type lineTable struct {
	program    []byte // instructions
	minInst    uint64
	lineBase   int
	lineRange  uint64
	opcodeBase uint8
	lengths    [256]uint8 // operands of each standard opcode, for those we do not know
	files      []string   // by DWARF file number; [0] unused
	seqs       []sequence // sorted by lo
}

// sequence is a run of the line program for one contiguous piece of code: with a section for
// each function, one function.
type sequence struct {
	lo, hi uint64
	off    int // where its instructions begin in program
}

// loadLines prepares the line table of u.
func (m *image) loadLines(u *unit) {
	t := &u.lines
	r := at(m.line, u.stmtList)
	length := r.u32()
	if length >= 0xFFFFFFF0 || uint64(r.left()) < length {
		return
	}
	end := r.off + int(length)
	r.b = r.b[:end]
	version := r.u16()
	if version < 2 || version > 4 {
		return
	}
	headerLength := int(r.u32())
	program := r.off + headerLength
	if program > end || program < r.off {
		return
	}
	t.minInst = uint64(r.u8())
	if version >= 4 {
		r.u8() // operations per instruction: 1 on this machine
	}
	r.u8() // default is_stmt: every row counts for us
	t.lineBase = int(int8(r.u8()))
	t.lineRange = uint64(r.u8())
	if t.lineRange == 0 {
		return
	}
	t.opcodeBase = r.u8()
	for i := 1; i < int(t.opcodeBase); i++ {
		t.lengths[i] = r.u8()
	}
	t.readFiles(r, u.compDir)
	t.program = m.line[program:end]
	t.findSequences()
}

// readFiles reads the directory and file tables at r.
func (t *lineTable) readFiles(r reader, compDir string) {
	dirs := r
	ndirs := 0
	for !r.bad && r.str() != "" {
		ndirs++
	}
	dir := allocSlice[string](ndirs + 1)
	if dir == nil {
		return
	}
	dir[0] = compDir
	for i := 1; i <= ndirs; i++ {
		dir[i] = joinPath(compDir, dirs.str())
	}
	names := r
	nfiles := 0
	for !r.bad && r.str() != "" {
		nfiles++
		r.uleb()
		r.uleb()
		r.uleb()
	}
	t.files = allocSlice[string](nfiles + 1)
	for i := 1; i < len(t.files); i++ {
		name := names.str()
		d := names.uleb()
		names.uleb()
		names.uleb()
		if d < uint64(len(dir)) {
			name = joinPath(dir[d], name)
		}
		t.files[i] = name
	}
}

func (t *lineTable) file(n uint64) string {
	if n < uint64(len(t.files)) {
		return t.files[n]
	}
	return ""
}

// lineState is the line program's virtual machine.
type lineState struct {
	r          reader
	addr       uint64
	file, line uint64
}

func (t *lineTable) start(off int) lineState {
	return lineState{r: at(t.program, uint64(off)), file: 1, line: 1}
}

type lineEvent uint8

const (
	lineNothing lineEvent = iota
	lineRow               // the state is a row of the table
	lineEnd               // the state's address ends the sequence
)

// step executes one instruction. Standard opcodes as in section 6.2.5 of DWARF 4.
func (t *lineTable) step(s *lineState) lineEvent {
	op := s.r.u8()
	if op >= t.opcodeBase {
		n := uint64(op - t.opcodeBase)
		s.addr += n / t.lineRange * t.minInst
		s.line += uint64(t.lineBase + int(n%t.lineRange))
		return lineRow
	}
	switch op {
	case 0:
		return t.stepExtended(s)
	case 1: // copy
		return lineRow
	case 2: // advance_pc
		s.addr += s.r.uleb() * t.minInst
	case 3: // advance_line
		s.line += uint64(s.r.sleb())
	case 4: // set_file
		s.file = s.r.uleb()
	case 8: // const_add_pc
		s.addr += uint64(255-t.opcodeBase) / t.lineRange * t.minInst
	case 9: // fixed_advance_pc
		s.addr += s.r.u16()
	default: // set_column, set_isa, flags, and whatever else has only operands
		for i := uint8(0); i < t.lengths[op]; i++ {
			s.r.uleb()
		}
	}
	return lineNothing
}

func (t *lineTable) stepExtended(s *lineState) lineEvent {
	n := int(s.r.uleb())
	end := s.r.off + n
	op := s.r.u8()
	event := lineNothing
	switch op {
	case 1: // end_sequence
		event = lineEnd
	case 2: // set_address
		s.addr = s.r.uint(n - 1)
	}
	if end < s.r.off || end > len(s.r.b) {
		s.r.bad = true
	} else {
		s.r.off = end
	}
	return event
}

// findSequences runs the whole program once to find where each sequence begins and which code it covers.
func (t *lineTable) findSequences() {
	count := 0
	for pass := 0; pass < 2; pass++ {
		s := t.start(0)
		begin, first, started := 0, uint64(0), false
		n := 0
		for s.r.left() > 0 && !s.r.bad {
			switch t.step(&s) {
			case lineRow:
				if !started {
					first, started = s.addr, true
				}
			case lineEnd:
				if started && isCode(first) && s.addr > first {
					if pass == 1 && n < len(t.seqs) {
						t.seqs[n] = sequence{lo: first, hi: s.addr, off: begin}
					}
					n++
				}
				begin = s.r.off
				s = t.start(begin)
				started = false
			}
		}
		if pass == 0 {
			count = n
			t.seqs = allocSlice[sequence](count)
		}
	}
	sortBy(t.seqs, func(a, b *sequence) bool { return a.lo < b.lo })
}

// lookup returns the file and line of the instruction at pc; line 0 if unknown. Instructions that the compiler made
// up have line 0 in the table: they count as the nearest earlier line.
func (t *lineTable) lookup(pc uint64) (file string, line int) {
	lo, hi := 0, len(t.seqs)
	for lo < hi {
		if mid := (lo + hi) / 2; t.seqs[mid].hi <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(t.seqs) || t.seqs[lo].lo > pc {
		return "", 0
	}
	s := t.start(t.seqs[lo].off)
	var haveFile, haveLine uint64
	for s.r.left() > 0 && !s.r.bad {
		event := t.step(&s)
		if event == lineNothing {
			continue
		}
		if s.addr > pc || event == lineEnd {
			break
		}
		if s.line != 0 || haveLine == 0 {
			haveFile, haveLine = s.file, s.line
		}
	}
	return t.file(haveFile), int(haveLine)
}

// sortBy is a heap sort.
func sortBy[T any](a []T, less func(x, y *T) bool) {
	for i := len(a)/2 - 1; i >= 0; i-- {
		siftDown(a, i, less)
	}
	for n := len(a) - 1; n > 0; n-- {
		a[0], a[n] = a[n], a[0]
		siftDown(a[:n], 0, less)
	}
}

func siftDown[T any](a []T, i int, less func(x, y *T) bool) {
	for {
		c := 2*i + 1
		if c >= len(a) {
			return
		}
		if c+1 < len(a) && less(&a[c], &a[c+1]) {
			c++
		}
		if !less(&a[i], &a[c]) {
			return
		}
		a[i], a[c] = a[c], a[i]
		i = c
	}
}
