package goasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"loam/internal/amd64"
	"loam/internal/importpath"
)

// Words of the thread block that take the place of gc's g. asmGOffset is AsmG, which leads
// the assembler's stack checks to a limit of zero; currentGOffset is G, for code that asks for its
// goroutine itself.
const asmGOffset, currentGOffset = 0xa8 - amd64.ThreadBase, 0x08 - amd64.ThreadBase

// noMoreStack is where a stack check that fails would go. None can.
const noMoreStack = ".Lnomorestack"

// translator writes the symbols of an object as GNU assembly.
type translator struct {
	pkg     *Package
	out     *Object
	w       bytes.Buffer
	labels  map[*symbol]string
	calls   map[string]bool
	missing map[string]bool

	sections int
	lines    lineWriter
}

func translate(p *Package, defs []*symbol) (*Object, error) {
	t := &translator{pkg: p, out: &Object{Functions: map[string]int64{}, Registers: map[string]bool{},
		Changes: map[string]int{}, Variables: map[string]bool{}},
		labels: map[*symbol]string{}, calls: map[string]bool{}, missing: map[string]bool{},
		lines: lineWriter{posPath: p.PosPath, files: map[string]int{}}}
	t.labels[moreStack] = noMoreStack
	for i, s := range defs {
		switch {
		case s.name == "" || s.kind == 0 || s.kind > kindNoptrBSS:
			continue // debugging data
		case s.abi == abiStatic, s.content, strings.HasPrefix(s.name, "$"):
			// a constant's name begins with a dollar sign
			t.labels[s] = fmt.Sprintf(".Lasm%d", i)
		case s.text():
			switch s.abi {
			case abi0:
				t.labels[s] = ABI0(s.name)
			case abiInternal:
				t.labels[s] = ABIInternal(s.name)
				t.out.Registers[s.name] = true
			default:
				return nil, fmt.Errorf("function %s follows neither ABI0 nor ABIInternal", s.name)
			}
		default:
			t.labels[s] = s.name
			t.out.Variables[s.name] = true
		}
	}
	fmt.Fprintf(&t.w, "\t.cfi_sections .debug_frame\n\t.section %s\n%s:\tud2\n", sections[kindText], noMoreStack)
	written := map[string]bool{}
	for _, s := range defs {
		if label := t.labels[s]; label != "" && !(s.dup && written[label]) {
			written[label] = true
			if err := t.symbol(s, label); err != nil {
				return nil, fmt.Errorf("%s: %v", s.name, err)
			}
		}
	}
	if len(t.missing) > 0 {
		return nil, p.noSymbols(t.missing)
	}
	sets := changes(p.Files, importpath.Prefix(p.Path))
	for _, s := range defs {
		if s.text() && s.abi != abiStatic {
			t.out.Functions[s.name] = stackNeed(s, map[*symbol]bool{})
			t.out.Changes[s.name] = t.clobbers(s, sets, map[*symbol]bool{})
		}
	}
	for name := range t.calls {
		t.out.Calls = append(t.out.Calls, name)
	}
	slices.Sort(t.out.Calls)
	t.out.Text, t.out.functions, t.out.files = t.w.Bytes(), t.lines.functions, len(t.lines.files)
	return t.out, nil
}

// stackNeed is the stack that s and all assembly it calls use, with a return address and a saved
// frame pointer each. What Go code that it calls needs, that code asks for itself. Assembly that
// calls itself has no bound; none is known, and the frame is then counted once.
func stackNeed(s *symbol, active map[*symbol]bool) int64 {
	if active[s] {
		return 0
	}
	active[s] = true
	defer delete(active, s)
	var deepest int64
	for _, r := range s.relocs {
		if r.sym != nil && r.sym.defined && r.sym.text() {
			deepest = max(deepest, stackNeed(r.sym, active))
		}
	}
	return s.locals + 16 + deepest
}

var sections = map[uint8]string{
	kindText: `loam_rt_text,"ax",@progbits`, kindTextFIPS: `loam_rt_text,"ax",@progbits`,
	kindROData: `.rodata,"a",@progbits`, kindRODataFIPS: `.rodata,"a",@progbits`,
	kindNoptrData: `.noptrdata,"aw",@progbits`, kindNoptrDataFIPS: `.noptrdata,"aw",@progbits`,
	kindData: `.data,"aw",@progbits`, kindDataFIPS: `.data,"aw",@progbits`,
	kindBSS: `.bss,"aw",@nobits`, kindNoptrBSS: `.bss,"aw",@nobits`,
}

// symbol writes one definition, in a section of its own: what is not used is not linked, nor missed
// what that needs.
func (t *translator) symbol(s *symbol, label string) error {
	t.sections++
	fmt.Fprintf(&t.w, "\t.section %s,unique,%d\n\t.p2align %d\n", sections[s.kind], t.sections, bits.Len64(uint64(alignment(s)))-1)
	if !strings.HasPrefix(label, ".L") {
		bind := "globl"
		if s.dup {
			bind = "weak"
		}
		fmt.Fprintf(&t.w, "\t.%s %q\n\t.hidden %q\n", bind, label, label)
	}
	kind := "object"
	if s.text() {
		kind = "function"
	}
	fmt.Fprintf(&t.w, "\t.type %q, @%s\n%q:\n", label, kind, label)
	if err := readsOfG(s, t.pkg.Library); err != nil {
		return err
	}
	if s.text() {
		t.code(s)
	} else {
		t.bytes(s.data)
	}
	if rest := s.size - int64(len(s.data)); rest > 0 {
		fmt.Fprintf(&t.w, "\t.zero %d\n", rest)
	}
	fmt.Fprintf(&t.w, "\t.size %q, %d\n", label, max(s.size, int64(len(s.data))))
	for _, r := range s.relocs {
		if err := t.reloc(label, r); err != nil {
			return err
		}
	}
	return nil
}

// readsOfG leads what reads gc's g through its thread-local word elsewhere. Where the assembler has
// put a stack check, that is the first. Other reads are the source's own: they get our G, which has
// the goroutine's id at the offset that it has in gc's, and nothing else there that gc's has.
func readsOfG(s *symbol, library bool) error {
	checked := slices.ContainsFunc(s.relocs, func(r reloc) bool { return r.sym == moreStack })
	for _, r := range s.relocs {
		if r.kind != relTLSLE || r.size != 4 || r.off+4 > int64(len(s.data)) {
			continue
		}
		word := int32(currentGOffset)
		if library && !loadsTLS(s.data[:r.off]) {
			return errors.New("it does something else with gc's g than to load its address into a register")
		}
		if checked {
			word, checked = asmGOffset, false
		} else if !loadsTLS(s.data[:r.off]) {
			return errors.New("it does something else with gc's g than to load its address into a register: that exists only in the official toolchain's programs")
		}
		if library {
			const gs = 0x65
			s.data[r.off-5] = gs
		}
		binary.LittleEndian.PutUint32(s.data[r.off:], uint32(word))
	}
	return nil
}

// loadsTLS reports whether code ends within an instruction that loads a register from an absolute
// address relative to FS, before that address.
func loadsTLS(code []byte) bool {
	const fs, rexW, rexR, load, absolute, noBase = 0x64, 0x48, 0x04, 0x8b, 0x04, 0x25
	if len(code) < 5 {
		return false
	}
	code = code[len(code)-5:]
	return code[0] == fs && code[1]&^rexR == rexW && code[2] == load && code[3]&0xc7 == absolute && code[4] == noBase
}

// alignment is at least what the official linker gives: functions 32, data its size up to 32.
func alignment(s *symbol) int64 {
	a := int64(32)
	for !s.text() && a > 1 && a > s.size {
		a /= 2
	}
	return max(a, s.align)
}

func (t *translator) bytes(b []byte) {
	for len(b) > 0 {
		n := min(len(b), 32)
		t.w.WriteString("\t.byte ")
		for i, c := range b[:n] {
			if i > 0 {
				t.w.WriteByte(',')
			}
			fmt.Fprintf(&t.w, "%d", c)
		}
		t.w.WriteByte('\n')
		b = b[n:]
	}
}

// reloc writes one reference.
func (t *translator) reloc(label string, r reloc) error {
	name, add := "", r.add
	switch {
	case r.kind == relCallInd: // marks a call through a register
		return nil
	case r.kind == relTLSLE && r.size == 4: // part of the bytes
		return nil
	case (r.kind == relCall || r.kind == relPCRel) && r.size == 4:
		name, add = "R_X86_64_PC32", r.add-4
	case r.kind == relAddr && r.size == 4:
		name = "R_X86_64_32S"
	case r.kind == relAddr && r.size == 8:
		name = "R_X86_64_64"
	default:
		return fmt.Errorf("relocation of kind %d and size %d is not supported", r.kind, r.size)
	}
	if r.sym == nil {
		return fmt.Errorf("relocation of kind %d without a symbol", r.kind)
	}
	fmt.Fprintf(&t.w, "\t.reloc %q+%d, %s, %q%+d\n", label, r.off, name, t.target(r), add)
	return nil
}

// target is the label that a reference means.
func (t *translator) target(r reloc) string {
	s := r.sym
	if l := t.labels[s]; l != "" {
		return l
	}
	dot := strings.LastIndexByte(s.name, '.')
	if dot < 0 {
		t.missing[s.name] = true
		return s.name
	}
	path, name := importpath.Path(s.name[:dot]), s.name[dot+1:]
	if foreignVars[s.name] && r.kind != relCall {
		return s.name
	}
	if path == "runtime" { // which no package's types are needed for
		if !foreign[s.name] {
			t.missing[s.name] = true
		}
		return ABI0(s.name)
	}
	pkg := t.pkg.Types
	if path != t.pkg.Path {
		i := slices.IndexFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
		if i < 0 {
			t.missing[s.name] = true
			return s.name
		}
		pkg = pkg.Imports()[i]
	}
	switch pkg.Scope().Lookup(name).(type) {
	case *types.Func:
		t.calls[s.name] = true
		return ABI0(s.name)
	case *types.Var:
		return s.name
	}
	if path == t.pkg.Path {
		if r.kind == relCall {
			return ABI0(s.name)
		}
		return s.name
	}
	if r.kind == relCall {
		t.missing[s.name] = true
	}
	return s.name // an unexported variable of another package
}
