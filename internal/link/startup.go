package link

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"loam/internal/finish"
	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/machine/object"
	"loam/internal/store"
)

// startup is the object that only the link knows enough to write: the list of initialisers and what
// the program says about its build.
func (l *Linker) startup(p *Program) []byte {
	m := newObject()
	writeInitTasks(constants(m, l.Mode, "startup", 0), m.Part(".data.loam.inittasks", object.Progbits, object.Alloc|object.Write), initOrder(p))
	info := l.modInfo(p)
	l.writeVersions(constants(m, l.Mode, "startup", 0), p, info)
	writeBounds(m)
	for i, name := range slices.Sorted(maps.Keys(l.LinkVars)) {
		text := l.LinkVars[name]
		value := m.Part(fmt.Sprintf(".rodata.loam.x%d", i), object.Progbits, object.Alloc)
		variable := m.Part(fmt.Sprintf(".data.loam.x%d", i), object.Progbits, object.Alloc|object.Write)
		variable.Align(8)
		variable.Define(name)
		variable.Address(value.Here())
		variable.Quad(len(text))
		value.Text(text)
	}
	// What `go version -m` reads: a magic number, flags "strings inline", two strings.
	build := m.Part(".go.buildinfo", object.Progbits, object.Alloc|object.Write|object.Retain)
	build.Align(16)
	build.Text("\xff Go buildinf:\x08\x02" + strings.Repeat("\x00", 16) + prefixed(l.Load.FullVersion()) + prefixed(info))
	if module, _ := splitFIPS(p.Packages); module != nil {
		writeFIPSInfo(m, l.Mode)
	}
	p.writeStartOfC(m, l.Mode)
	writeDebugUnit(m, l.Load.FullVersion(), l.Mode)
	l.IDs.writeNote(m)
	return m.Bytes()
}

// newObject begins an object of the link's. Its functions know split stacks, as those of all
// objects: toolchain.SplitStackNote.
func newObject() *object.Maker {
	m := new(object.Maker)
	m.Part(".note.GNU-split-stack", object.Progbits, 0)
	return m
}

// writeInitTasks writes the list of initialisers, and what they have in the other section.
func writeInitTasks(list, tasks *object.Part, order []*Package) {
	list.Align(8)
	tasks.Align(8)
	list.Define("loam.inittasks")
	for _, n := range order {
		list.Address(tasks.Here())
		tasks.Long(0) // overlay/runtime/runmain.go has the type
		tasks.Long(1)
		tasks.Address(object.To(importpath.Prefix(load.TypePath(n.Package))+".init", 0))
	}
	list.Define("loam.ninittasks")
	list.Quad(len(order))
}

// writeVersions writes what the program knows of its build: strings.
func (l *Linker) writeVersions(s *object.Part, p *Program, info string) {
	goroot := l.Load.GOROOT
	if l.Load.TrimPath {
		goroot = ""
	}
	for _, v := range []struct{ name, value string }{
		{"loam.modinfo", info}, {"loam.goversion", l.Load.FullVersion()}, {"loam.goroot", goroot}, {"loam.godebug", p.Main.DefaultGODEBUG},
	} {
		const header = 16 // address and length
		s.Align(8)
		s.Define(v.name)
		text := s.Here()
		text.Add += header
		s.Address(text)
		s.Quad(len(v.value))
		s.Text(v.value)
	}
}

// writeBounds writes what sections have that others fill, so that they exist: their bounds are
// taken.
func writeBounds(m *object.Maker) {
	const loaded, written = object.Alloc | object.Retain, object.Alloc | object.Write | object.Retain
	// Where the table of functions and lines is (internal/finish sets it).
	table := m.Part(finish.VariableSection, object.Progbits, loaded)
	table.Align(8)
	table.Define("loam.table")
	table.Zero(16)
	for _, b := range []struct {
		name        string
		flags       uint64
		align, size int
	}{
		{"loam_captures", loaded, 8, 16},   // one empty entry: overlay/runtime/cleanup.go,
		{"loam_staticmaps", loaded, 8, 48}, // and staticmap.go
		{"loam_covctrs", written, 16, 16},
		// counters of fuzzing, whose constructors, which would register them, never run
		{"__sancov_cntrs", written, 1, 1},
		{".data.loam", written, 16, 16},
		{".bss.loam", written, 16, 16},
		// What is there after relocation only has a program header, which internal/finish needs.
		{".data.rel.ro.loam", written, 1, 1},
	} {
		typ := uint32(object.Progbits)
		if b.name == ".bss.loam" {
			typ = object.Nobits
		}
		part := m.Part(b.name, typ, b.flags)
		part.Align(b.align)
		part.Zero(b.size)
	}
}

// keep stores an object of the link's and returns its key; the name is for -work.
func (l *Linker) keep(p *Program, name string, data []byte) (key string, err error) {
	h := store.NewHasher("startup")
	h.Add("object", string(data))
	key = h.Sum()
	if l.Work != "" {
		if _, err := l.Intermediate(p.Main.ImportPath, "."+name+".o", data); err != nil {
			return "", err
		}
	}
	if l.DryRun || l.Cache.Has(key, "o") {
		return key, nil
	}
	return key, l.Keep(key, data)
}

// prefixed is s after its length as a varint.
func prefixed(s string) string {
	return string(binary.AppendUvarint(nil, uint64(len(s)))) + s
}
