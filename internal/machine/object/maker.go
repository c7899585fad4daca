package object

import "encoding/binary"

// Further types and flags of sections, and types of symbols and relocations.
const (
	Note        = 7
	ThreadLocal = 1 << 10
	Retain      = 1 << 21 // what nothing refers to stays, too

	ThreadObject = 6

	Abs64 = 1  // R_X86_64_64
	PLT32 = 4  // R_X86_64_PLT32
	Abs32 = 10 // R_X86_64_32
)

// A Maker makes an object of data: its sections are filled from front to back, and refer to places
// in each other and to names.
type Maker struct {
	file   File
	parts  map[string]*Part
	symbol map[string]int
}

// A Part is a section that is filled.
type Part struct {
	m *Maker
	n int // the section
}

// A Place is one in a section of the object, or a symbol of any object; Add bytes behind that.
type Place struct {
	part   *Part
	symbol string
	Add    int64
}

// To is the place that a symbol names.
func To(symbol string, add int64) Place { return Place{symbol: symbol, Add: add} }

// Part returns the section of that name; it is made with these types and flags if it is new.
func (m *Maker) Part(name string, typ uint32, flags uint64) *Part {
	if p := m.parts[name]; p != nil {
		return p
	}
	if m.parts == nil {
		m.parts, m.symbol = map[string]*Part{}, map[string]int{}
	}
	p := &Part{m, m.file.Add(Section{Name: name, Type: typ, Flags: flags, Group: -1})}
	m.parts[name] = p
	return p
}

// Bytes is the object's file.
func (m *Maker) Bytes() []byte { return m.file.Bytes() }

func (p *Part) section() *Section { return &p.m.file.Sections[p.n] }

// size is how much of the part is filled.
func (p *Part) size() uint64 {
	s := p.section()
	return s.Size + uint64(len(s.Data))
}

// Zero adds n bytes of zeros.
func (p *Part) Zero(n int) {
	if s := p.section(); s.Type == Nobits {
		s.Size += uint64(n)
	} else {
		s.Data = append(s.Data, make([]byte, n)...)
	}
}

// Align fills the part up to a multiple of n, and aligns its section so.
func (p *Part) Align(n int) {
	s := p.section()
	s.Align = max(s.Align, uint64(n))
	p.Zero(int(-p.size() & uint64(n-1)))
}

// Here is the place behind what the part has so far.
func (p *Part) Here() Place { return Place{part: p, Add: int64(p.size())} }

// Since is how far it is from a place in the part to its end.
func (p *Part) Since(begin Place) int { return int(int64(p.size()) - begin.Add) }

// Define gives the end of the part a global name.
func (p *Part) Define(name string) { p.DefineAs(name, NoType, false, 0) }

// DefineAs does so with a symbol's type, hidden from other programs or not, some bytes further on.
func (p *Part) DefineAs(name string, typ byte, hidden bool, further int) {
	n := p.m.named(name)
	p.m.file.Symbols[n] = Symbol{Name: name, Bind: Global, Type: typ, Hidden: hidden, Section: p.n, Value: p.size() + uint64(further)}
}

// named is the number of the symbol with that name, which another object has unless it is defined.
func (m *Maker) named(name string) int {
	n, ok := m.symbol[name]
	if !ok {
		n = len(m.file.Symbols)
		m.file.Symbols = append(m.file.Symbols, Symbol{Name: name, Bind: Global, Section: -1})
		m.symbol[name] = n
	}
	return n
}

// Bytes adds bytes.
func (p *Part) Bytes(b ...byte) {
	s := p.section()
	s.Data = append(s.Data, b...)
}

// Text adds the bytes of s, CText with a zero behind them.
func (p *Part) Text(s string) { p.Bytes([]byte(s)...) }

func (p *Part) CText(s string) {
	p.Text(s)
	p.Zero(1)
}

// Short, Long and Quad add numbers of two, four and eight bytes, Uleb one of any length.
func (p *Part) Short(v int) { p.Bytes(binary.LittleEndian.AppendUint16(nil, uint16(v))...) }

func (p *Part) Long(v int) { p.Bytes(binary.LittleEndian.AppendUint32(nil, uint32(v))...) }

func (p *Part) Quad(v int) { p.Bytes(binary.LittleEndian.AppendUint64(nil, uint64(v))...) }

func (p *Part) Uleb(v int) { p.Bytes(binary.AppendUvarint(nil, uint64(v))...) }

// SetLong writes a number of four bytes at a place in the part.
func (p *Part) SetLong(at Place, v int) {
	binary.LittleEndian.PutUint32(p.section().Data[at.Add:], uint32(v))
}

// Address adds the address of a place, of eight bytes.
func (p *Part) Address(to Place) { p.refer(to, Abs64, 8) }

// Offset adds the place of something in a section that is not loaded, of four bytes.
func (p *Part) Offset(to Place) { p.refer(to, Abs32, 4) }

// Jump adds a jump to a function.
func (p *Part) Jump(to Place) {
	const opcode, width = 0xe9, 4
	p.Bytes(opcode)
	to.Add -= width // it counts from its end
	p.refer(to, PLT32, width)
}

// refer adds the bytes of a reference.
func (p *Part) refer(to Place, typ uint32, width int) {
	r := Reloc{At: p.size(), Type: typ, Add: to.Add}
	if to.part != nil {
		r.Symbol = p.m.file.SectionSymbol(to.part.n)
	} else {
		r.Symbol = p.m.named(to.symbol)
	}
	p.Zero(width)
	s := p.section()
	s.Relocs = append(s.Relocs, r)
}
