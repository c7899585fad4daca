package bundle

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
)

// A global is a symbol that objects have in common.
type global struct {
	name       string
	definition *definition // the one that counts, nil if there is none
	places     []place     // of all definitions that are not gone
	visibility byte
	strong     bool // some reference is not weak
	typ        byte // of the first reference
	number     int  // in the bundle
}

type definition struct {
	place
	symbol *symbol
}

// A place is a section of an object.
type place struct {
	object  *file
	section int
}

// maker makes a bundle.
type maker struct {
	objects []*file
	globals []*global // as they come up
	named   map[string]*global
	queue   []place // sections that are kept, and whose relocations were not followed
	drop    map[string]bool
}

// collect finds which groups count, and the globals.
func (m *maker) collect() error {
	groups := map[string]bool{}
	for _, o := range m.objects {
		for i := range o.sections {
			s := &o.sections[i]
			if s.Type != typeGroup || !s.group.once {
				continue
			}
			if groups[s.group.name] {
				s.gone = true
				for _, k := range s.group.members {
					o.sections[k].gone = true
				}
			}
			groups[s.group.name] = true
		}
	}
	for _, o := range m.objects {
		for i := o.locals; i < len(o.symbols); i++ {
			if err := m.enter(o, &o.symbols[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter enters a global symbol of an object.
func (m *maker) enter(o *file, y *symbol) error {
	g := m.named[y.name]
	if g == nil {
		g = &global{name: y.name, typ: y.Info & 15}
		m.named[y.name] = g
		m.globals = append(m.globals, g)
	}
	y.global = g
	if v := y.Other & 3; v != 0 && (g.visibility == 0 || v < g.visibility) {
		g.visibility = v
	}
	if y.Shndx == uint16(elf.SHN_ABS) {
		return unknown("symbol %s, which is a number", y.name)
	}
	if !y.defined() || o.sections[y.Shndx].gone {
		g.strong = g.strong || y.bind() == elf.STB_GLOBAL
		return nil
	}
	at := place{o, int(y.Shndx)}
	g.places = append(g.places, at)
	switch {
	case g.definition == nil || g.definition.symbol.bind() == elf.STB_WEAK && y.bind() == elf.STB_GLOBAL:
		g.definition = &definition{at, y}
	case y.bind() == elf.STB_GLOBAL:
		return unknown("symbol %s, as another one has", y.name)
	}
	return nil
}

// isCode tells of sections that are in a program, which are kept only if something leads to them.
func isCode(s *section) bool { return s.Flags&alloc != 0 }

// mark keeps what the linker keeps, or more: what the names need, what is kept for itself, and what
// any of that refers to.
func (m *maker) mark(names []string) {
	for _, name := range names {
		m.need(m.named[name])
	}
	for _, o := range m.objects {
		for i := range o.sections {
			s := &o.sections[i]
			switch {
			case s.gone || s.Type == typeGroup:
			case !isCode(s):
				s.kept = s.Flags&uint64(elf.SHF_LINK_ORDER) == 0 && s.group == nil
			case s.Flags&flagRetain != 0 || s.Type != uint32(elf.SHT_PROGBITS) && s.Type != uint32(elf.SHT_NOBITS) || kindOfStart(s.name):
				m.keep(place{o, i})
			}
		}
	}
	for len(m.queue) > 0 {
		p := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		m.follow(p)
	}
}

// kindOfStart tells of sections that run at a program's beginning or end.
func kindOfStart(name string) bool {
	return slices.ContainsFunc([]string{".init", ".fini", ".ctors", ".dtors", ".preinit", ".jcr"}, func(head string) bool {
		return strings.HasPrefix(name, head)
	})
}

func (m *maker) need(g *global) {
	if g != nil {
		for _, p := range g.places {
			m.keep(p)
		}
	}
}

func (m *maker) keep(p place) {
	s := &p.object.sections[p.section]
	if s.kept || s.gone {
		return
	}
	s.kept = true
	if isCode(s) {
		m.queue = append(m.queue, p)
	}
}

// follow keeps what a section that is kept leads to.
func (m *maker) follow(p place) {
	o, s := p.object, &p.object.sections[p.section]
	if s.group != nil {
		for _, k := range s.group.members {
			m.keep(place{o, k})
		}
	}
	for _, k := range s.linked {
		m.keep(place{o, k})
	}
	if s.rela == 0 {
		return
	}
	for b := o.sections[s.rela].content; len(b) >= relaSize; b = b[relaSize:] {
		n := int(binary.LittleEndian.Uint32(b[12:]))
		if n >= len(o.symbols) {
			continue // the bundle is not written
		}
		if y := &o.symbols[n]; y.global != nil {
			m.need(y.global)
		} else if y.defined() {
			m.keep(place{o, int(y.Shndx)})
		}
	}
}
