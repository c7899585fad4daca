package link

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"

	"loam/internal/amd64"
	"loam/internal/machine/object"
	"loam/internal/toolchain"
)

// A program with C is linked with the C library, which begins it: the linker is run by clang, which
// knows where the library is. Otherwise it is made of the same objects.

func (p *Program) hasC() bool {
	return slices.ContainsFunc(p.Packages, func(n *Package) bool { return n.C != nil })
}

// writeStartOfC writes where the run-time system finds what it calls of C, if the program has C:
// then the C library begins the program, and calls main.
func (p *Program) writeStartOfC(m *object.Maker, mode toolchain.Mode) {
	table := constants(m, mode, "c", object.Retain)
	table.Align(8)
	table.Define("loam.c_functions")
	if !p.hasC() {
		table.Quad(0)
		writeThreadBlock(m)
		return
	}
	table.Address(object.To("loam_c_table", 0))
	if mode.Library() {
		linked := m.Part(".rodata.loam.text", object.Progbits, object.Alloc|object.Retain)
		linked.Align(8)
		linked.Define("loam.linked_text")
		linked.Address(object.To("loam.linked_text_address", 0))
		writeThreadBlock(m)
		return
	}
	main := m.Part(".text.main", object.Progbits, object.Alloc|object.Exec|object.Retain)
	main.DefineAs("main", object.Function, false, 0)
	main.Jump(object.To("loam.c_main", 0))
}

// allowed is an error if a flag of -extldflags asks for something else than -buildmode does.
func allowed(mode toolchain.Mode, flags []string) error {
	for _, flag := range flags {
		switch flag {
		case "-pie", "-static-pie":
			if !mode.Movable() {
				return fmt.Errorf("-extldflags=%s: that is for -buildmode=pie", flag)
			}
		case "-no-pie":
			if mode.Movable() {
				return fmt.Errorf("-extldflags=%s: that is not for -buildmode=pie", flag)
			}
		case "-shared":
			if !mode.Library() {
				return fmt.Errorf("-extldflags=%s: that is for -buildmode=c-shared", flag)
			}
		case "-r":
			return fmt.Errorf("-extldflags=%s: loam makes programs only", flag)
		}
	}
	return nil
}

// writeThreadBlock writes the thread block as a thread-local variable (docs/abi.md). It ends where
// %fs points if it is the last of the program's; its alignment is the largest that variables of C
// may have. runtime.tlsg is the word that has the goroutine: by it debuggers find it.
func writeThreadBlock(m *object.Maker) {
	const align, goroutine = 64, 8
	block := m.Part(".tbss.loam", object.Nobits, object.Alloc|object.Write|object.ThreadLocal|object.Retain)
	block.Align(align)
	block.DefineAs("loam.thread_block", object.ThreadObject, true, 0)
	block.DefineAs("runtime.tlsg", object.ThreadObject, false, goroutine)
	block.Zero(amd64.ThreadBase)
}

// openSymbols opens a file for its symbols and headers. The caller closes it.
func openSymbols(name string) (*elf.File, []elf.Symbol, error) {
	f, err := elf.Open(name)
	if err != nil {
		return nil, nil, err
	}
	symbols, err := f.Symbols()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, symbols, nil
}

// checkBlock is an error if the thread block does not end where %fs points, because thread-local
// data of a library lie behind it.
func checkBlock(name string) error {
	f, symbols, err := openSymbols(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range symbols {
		if s.Name != "runtime.tlsg" {
			continue
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_TLS && s.Value-8+amd64.ThreadBase == (p.Memsz+p.Align-1)&^(p.Align-1) {
				return nil
			}
		}
	}
	return errors.New("thread-local data of a library lie behind the run-time system's")
}
