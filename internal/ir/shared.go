package ir

// Shared is memory of the frame that several values have in turn. Where each lies in it, and how
// much it is, is said when the function has been written: only then is known what lives when.
type Shared struct {
	f    *Func
	slot int           // of the entry's instructions
	part map[Value]int // likewise
}

// NewShared reserves the memory in the entry block.
func NewShared(f *Func, align int64) *Shared {
	s := &Shared{f, len(f.entry.body), map[Value]int{}}
	f.Alloca(1, align)
	return s
}

// At is the address of all of it.
func (s *Shared) At() Value { return s.f.entry.body[s.slot].result }

// NewPart returns the address of a value's part, which has no place yet.
func (s *Shared) NewPart() (p Value) {
	s.f.AtEntry(func() {
		at := len(s.f.entry.body)
		p = s.f.IndexIn(I8, s.At(), Int(I64, 0))
		s.part[p] = at
	})
	return p
}

// Place says how many bytes behind the memory's beginning the part p lies.
func (s *Shared) Place(p Value, at int64) { s.f.entry.body[s.part[p]].args[1] = Int(I64, at) }

// Resize says how many bytes the memory is.
func (s *Shared) Resize(bytes int64) { s.f.entry.body[s.slot].typ = Array(max(bytes, 1), I8) }
