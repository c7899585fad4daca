// Package ir writes LLVM assembly text.
//
// It knows nothing of Go: a Module collects top-level definitions, declarations and
// metadata, each once, and a Func collects the basic blocks of one function. Values are
// their operand text ("%t3", "@\"main.x\"", "42"), types are their LLVM spelling; what a
// malformed text means is left to clang, whose message names the line.
package ir

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// Module is one LLVM module in the making. It is not safe for concurrent use.
type Module struct {
	Header string // target triple, data layout, source name, module flags
	// LastSection names the section whose functions are written after all others: then the line
	// table of the module is in the order of the linked program's addresses, which is what
	// debug/dwarf, and with it go tool pprof, takes for granted.
	LastSection string

	defs    map[string]bool
	order   []string // texts of definitions, in order of registration
	decls   map[string]string
	meta    []string       // text of metadata node i, "" while reserved
	metaIDs map[string]int // interned nodes
	named   []string
}

// NewModule returns an empty module.
func NewModule() *Module {
	return &Module{defs: map[string]bool{}, decls: map[string]string{}, metaIDs: map[string]int{}}
}

// Quote spells a symbol as an LLVM global name.
func Quote(sym string) string { return "@" + Name(sym) }

// Name spells a symbol as the name of a global or comdat, without what tells of which. LLVM takes
// names that begin with llvm., as those of a package of this path, for its own, unless a byte says
// that they are to be taken as they are. The linker takes what is behind an @, as in a tag of a
// struct, for a version, and symbols that differ behind two of them for one; so another byte stands
// for it.
func Name(sym string) string {
	sym = strings.ReplaceAll(sym, "@", "\x02")
	if strings.HasPrefix(sym, "llvm.") {
		return `"\01` + Escape(sym) + `"`
	}
	return `"` + Escape(sym) + `"`
}

// Escape spells arbitrary bytes inside an LLVM string or quoted name.
func Escape(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			b.WriteByte('\\')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Defined tells whether a definition for sym has been registered.
func (m *Module) Defined(sym string) bool { return m.defs[sym] }

// Define adds a top-level definition unless sym has one. The symbol is registered before
// text is called, so definitions may refer to each other.
func (m *Module) Define(sym string, text func() string) {
	if m.defs[sym] {
		return
	}
	m.defs[sym] = true
	t := text()
	m.order = append(m.order, t)
}

// Declare adds a declaration that is written unless sym gets a definition.
func (m *Module) Declare(sym, text string) {
	if _, ok := m.decls[sym]; !ok {
		m.decls[sym] = text
	}
}

// Meta returns the reference ("!7") of a metadata node with this text, interned.
func (m *Module) Meta(text string) string {
	id, ok := m.metaIDs[text]
	if !ok {
		id = len(m.meta)
		m.meta = append(m.meta, text)
		m.metaIDs[text] = id
	}
	return fmt.Sprintf("!%d", id)
}

// DistinctMeta returns the reference of a new metadata node.
func (m *Module) DistinctMeta(text string) string {
	m.meta = append(m.meta, text)
	return fmt.Sprintf("!%d", len(m.meta)-1)
}

// ReserveMeta returns the reference of a node whose text SetMeta gives later: nodes may refer to
// each other in circles.
func (m *Module) ReserveMeta() string { return m.DistinctMeta("") }

// SetMeta gives a reserved node its text.
func (m *Module) SetMeta(ref, text string) {
	var id int
	if _, err := fmt.Sscanf(ref, "!%d", &id); err != nil || m.meta[id] != "" {
		panic("ir: SetMeta of " + ref)
	}
	m.meta[id] = text
}

// Named adds a named metadata line such as `!llvm.dbg.cu = !{!0}`.
func (m *Module) Named(line string) { m.named = append(m.named, line) }

// goesLast says whether a definition is of a function in LastSection.
func (m *Module) goesLast(text string) bool {
	head, _, _ := strings.Cut(text, "\n")
	return m.LastSection != "" && strings.HasPrefix(head, "define ") && strings.Contains(head, "section \""+m.LastSection+"\"")
}

// WriteTo writes the module's text. Declarations are sorted so that equal modules have
// equal text, which the build cache relies on.
func (m *Module) WriteTo(w io.Writer) (n int64, err error) {
	put := func(s string) {
		if err == nil {
			var k int
			k, err = io.WriteString(w, s)
			n += int64(k)
		}
	}
	put(m.Header)
	put("\n")
	for _, last := range [...]bool{false, true} {
		for _, t := range m.order {
			if m.goesLast(t) == last {
				put(t)
				put("\n")
			}
		}
	}
	syms := make([]string, 0, len(m.decls))
	for s := range m.decls {
		if !m.defs[s] {
			syms = append(syms, s)
		}
	}
	sort.Strings(syms)
	for _, s := range syms {
		put(m.decls[s])
		put("\n")
	}
	for _, l := range m.named {
		put(l)
		put("\n")
	}
	for i, t := range m.meta {
		put(fmt.Sprintf("!%d = %s\n", i, t))
	}
	return n, err
}
