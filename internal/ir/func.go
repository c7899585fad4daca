package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Func is the body of one function in the making: an entry block that holds only stack
// slots and what must precede everything, and a list of labelled blocks.
type Func struct {
	entry  strings.Builder
	blocks []*Block
	Cur    *Block // block that Op and Do append to
	temps  int
	slots  map[string]bool // what Alloca returned
	Dbg    string          // suffix `, !dbg !N` for instructions that carry a position, or ""
	AllDbg bool            // all do, not only those that DoDbg and OpDbg make
}

// Block is one basic block.
type Block struct {
	Label string
	phis  strings.Builder
	head  strings.Builder
	body  strings.Builder
	last  strings.Builder // comes before the terminator
	term  int             // where in body the terminator is
	Done  bool            // ends in a terminator; later instructions are dropped
}

// NewBlock appends a block with the given label.
func (f *Func) NewBlock(label string) *Block {
	b := &Block{Label: label}
	f.blocks = append(f.blocks, b)
	return b
}

// Fresh returns a name part that is unique in the function.
func (f *Func) Fresh() string {
	f.temps++
	return strconv.Itoa(f.temps)
}

// Label makes a block with a unique label.
func (f *Func) Label(prefix string) *Block { return f.NewBlock(prefix + "." + f.Fresh()) }

// Entry appends an instruction to the entry block.
func (f *Func) Entry(format string, args ...any) {
	fmt.Fprintf(&f.entry, "  "+format+"\n", args...)
}

// Alloca reserves a stack slot of size bytes in the entry block.
func (f *Func) Alloca(size, align int64) string {
	n := "%slot." + f.Fresh()
	if f.slots == nil {
		f.slots = map[string]bool{}
	}
	f.slots[n] = true
	if size == 0 {
		size = 1
	}
	fmt.Fprintf(&f.entry, "  %s = alloca [%d x i8], align %d\n", n, size, align)
	return n
}

// IsSlot tells whether v is a slot that Alloca reserved.
func (f *Func) IsSlot(v string) bool { return f.slots[v] }

// Phi adds a phi instruction's text to the head of b.
func (b *Block) Phi(text string) { b.phis.WriteString("  " + text + "\n") }

// Head adds an instruction behind b's phis, before everything else in it.
func (b *Block) Head(format string, args ...any) { fmt.Fprintf(&b.head, "  "+format+"\n", args...) }

// BeforeTerm adds an instruction before the terminator, which b must have.
func (b *Block) BeforeTerm(format string, args ...any) {
	if !b.Done {
		panic("ir: block without terminator")
	}
	fmt.Fprintf(&b.last, "  "+format+"\n", args...)
}

// Do appends an instruction without result.
func (f *Func) Do(format string, args ...any) {
	if f.Cur.Done {
		return
	}
	b := &f.Cur.body
	start := b.Len()
	b.WriteString("  ")
	fmt.Fprintf(b, format, args...)
	if f.AllDbg && !strings.Contains(b.String()[start:], "!dbg") {
		b.WriteString(f.Dbg)
	}
	b.WriteByte('\n')
}

// DoDbg appends an instruction without result that carries the current position.
func (f *Func) DoDbg(format string, args ...any) { f.Do("%s%s", fmt.Sprintf(format, args...), f.Dbg) }

// Op appends an instruction with a result and returns the result's name.
func (f *Func) Op(format string, args ...any) string {
	n := "%v" + f.Fresh()
	f.Do("%s = %s", n, fmt.Sprintf(format, args...))
	return n
}

// OpDbg is Op with the current position.
func (f *Func) OpDbg(format string, args ...any) string {
	n := "%v" + f.Fresh()
	f.Do("%s = %s%s", n, fmt.Sprintf(format, args...), f.Dbg)
	return n
}

// Term appends a terminator.
func (f *Func) Term(format string, args ...any) {
	if !f.Cur.Done {
		f.Cur.term = f.Cur.body.Len()
	}
	f.Do(format, args...)
	f.Cur.Done = true
}

// Body returns the text between the braces: the entry block jumps to the first block.
func (f *Func) Body() string {
	var b strings.Builder
	b.WriteString("entry:\n")
	b.WriteString(f.entry.String())
	fmt.Fprintf(&b, "  br label %%%s\n", f.blocks[0].Label)
	for _, k := range f.blocks {
		b.WriteString(k.Label)
		b.WriteString(":\n")
		b.WriteString(k.phis.String())
		b.WriteString(k.head.String())
		body := k.body.String()
		if !k.Done {
			b.WriteString(body)
			b.WriteString("  unreachable\n")
			continue
		}
		b.WriteString(body[:k.term])
		b.WriteString(k.last.String())
		b.WriteString(body[k.term:])
	}
	return b.String()
}

// NewBlockFirst makes a labelled block that the entry block jumps to.
func (f *Func) NewBlockFirst(label string) *Block {
	b := &Block{Label: label}
	f.blocks = append([]*Block{b}, f.blocks...)
	return b
}
