package link

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/store"
	"loam/internal/timeline"
	"loam/internal/toolchain"
)

// initTaskSize is the size of what the run-time system is told of a package's initialiser.
const initTaskSize = 16

// startupText is the assembly text that only the link knows enough to write: the list of
// initialisers and what the program says about its build.
func (l *Linker) startupText(p *Program) string {
	var s strings.Builder
	order := initOrder(p)
	begin := constants(l.Mode, "startup", "")
	s.WriteString(begin + "\t.balign 8\n")
	fmt.Fprintf(&s, "\t.globl \"loam.inittasks\"\n\"loam.inittasks\":\n")
	for i := range order {
		fmt.Fprintf(&s, "\t.quad 8f+%d\n", initTaskSize*i)
	}
	fmt.Fprintf(&s, "\t.globl \"loam.ninittasks\"\n\"loam.ninittasks\":\n\t.quad %d\n", len(order))
	fmt.Fprintf(&s, "\t.section .data.loam.inittasks,\"aw\",@progbits\n\t.balign 8\n8:\n")
	for _, n := range order { // overlay/runtime/main.go has the type
		fmt.Fprintf(&s, "\t.long 0, 1\n\t.quad %q\n", importpath.Prefix(load.TypePath(n.Package))+".init")
	}
	s.WriteString(begin + "\t.balign 8\n")
	info := l.modInfo(p)
	goroot := l.Load.GOROOT
	if l.Load.TrimPath {
		goroot = ""
	}
	fmt.Fprintf(&s, "\t.globl \"loam.modinfo\"\n\"loam.modinfo\":\n\t.quad 1f\n\t.quad %d\n1:%s\n", len(info), asmBytes(info))
	for i, v := range []struct{ name, value string }{
		{"loam.goversion", l.Load.FullVersion()}, {"loam.goroot", goroot}, {"loam.godebug", p.Main.DefaultGODEBUG},
	} {
		fmt.Fprintf(&s, "\t.balign 8\n\t.globl %q\n%q:\n\t.quad %df\n\t.quad %d\n%d:%s\n", v.name, v.name, 4+i, len(v.value),
			4+i, asmBytes(v.value))
	}
	// Where the table of functions and lines is (internal/finish sets it).
	fmt.Fprintf(&s, "\t.section loam_table_at,\"aR\",@progbits\n\t.balign 8\n\t.globl \"loam.table\"\n\"loam.table\":\n\t.zero 16\n")
	// One empty entry each, so that the sections exist (overlay/runtime/cleanup.go, staticmap.go).
	fmt.Fprintf(&s, "\t.section loam_captures,\"aR\",@progbits\n\t.balign 8\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section loam_staticmaps,\"aR\",@progbits\n\t.balign 8\n\t.zero 48\n")
	// The same for counters of coverage and of fuzzing. The latter's constructors, which would
	// register them, never run.
	fmt.Fprintf(&s, "\t.section loam_covctrs,\"awR\",@progbits\n\t.balign 16\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section __sancov_cntrs,\"awR\",@progbits\n\t.zero 1\n")
	// The data and bss sections always exist, because their bounds are taken.
	fmt.Fprintf(&s, "\t.section .data.loam,\"awR\",@progbits\n\t.balign 16\n\t.zero 16\n")
	fmt.Fprintf(&s, "\t.section .bss.loam,\"awR\",@nobits\n\t.balign 16\n\t.zero 16\n")
	// What is there after relocation only has a program header, which internal/finish needs.
	fmt.Fprintf(&s, "\t.section .data.rel.ro.loam,\"awR\",@progbits\n\t.zero 1\n")
	for i, name := range slices.Sorted(maps.Keys(l.LinkVars)) {
		text := l.LinkVars[name]
		fmt.Fprintf(&s, "\t.section .rodata.loam.x%d,\"a\",@progbits\n3:%s\n", i, asmBytes(text))
		fmt.Fprintf(&s, "\t.section .data.loam.x%d,\"aw\",@progbits\n\t.balign 8\n\t.globl %q\n%q:\n\t.quad 3b\n\t.quad %d\n",
			i, name, name, len(text))
	}
	// What `go version -m` reads: a magic number, flags "strings inline", two strings.
	fmt.Fprintf(&s, "\t.section .go.buildinfo,\"awR\",@progbits\n\t.balign 16\n%s\n",
		asmBytes("\xff Go buildinf:\x08\x02"+strings.Repeat("\x00", 16)+prefixed(l.Load.FullVersion())+prefixed(info)))
	if module, _ := splitFIPS(p.Packages); module != nil {
		s.WriteString(fipsInfoText(l.Mode))
	}
	s.WriteString(p.startOfC(l.Mode))
	s.WriteString(debugUnit(l.Load.FullVersion(), l.Mode))
	s.WriteString(l.IDs.idNote())
	s.WriteString(toolchain.SplitStackNote)
	return s.String()
}

// startup makes the object of startupText and returns its key.
func (l *Linker) startup(p *Program, lane *timeline.Lane) (string, error) {
	return l.assemble(p, "startup", l.startupText(p), lane)
}

// assemble makes the object of an assembly text and returns its key; the name is for -work.
func (l *Linker) assemble(p *Program, name, text string, lane *timeline.Lane) (string, error) {
	h := store.NewHasher("startup")
	h.Add("clang", l.Clang.ID)
	h.Add("text", text)
	key := h.Sum()
	if l.Cache.Has(key, "o") {
		return key, nil
	}
	return key, l.Assemble(p.Main.ImportPath, key, toolchain.Assembly{Suffix: "." + name + ".s", Text: []byte(text)}, lane)
}

// prefixed is s after its length as a varint.
func prefixed(s string) string {
	return string(binary.AppendUvarint(nil, uint64(len(s)))) + s
}

func asmBytes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i%32 == 0 {
			b.WriteString("\n\t.byte ")
		} else {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", s[i])
	}
	return b.String()
}
