package link

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"

	"loam/internal/amd64"
	"loam/internal/toolchain"
)

// A program with C is linked with the C library, which begins it: the linker is run by clang, which
// knows where the library is. Otherwise it is made of the same objects.

func (p *Program) hasC() bool {
	return slices.ContainsFunc(p.Packages, func(n *Package) bool { return n.C != nil })
}

// startOfC is where the run-time system finds what it calls of C, if the program has C: then the C
// library begins the program, and calls main.
func (p *Program) startOfC(mode toolchain.Mode) string {
	table := constants(mode, "c", "R") + "\t.balign 8\n\t.globl \"loam.c_functions\"\n\"loam.c_functions\":\n\t.quad "
	if !p.hasC() {
		return table + "0\n" + threadBlock()
	}
	if mode.Library() {
		const linked = "\t.section .rodata.loam.text,\"aR\",@progbits\n\t.balign 8\n\t.globl \"loam.linked_text\"\n" +
			"\"loam.linked_text\":\n\t.quad \"loam.linked_text_address\"\n"
		return table + "loam_c_table\n" + linked + threadBlock()
	}
	return table + "loam_c_table\n\t.section .text.main,\"axR\",@progbits\n\t.globl main\n\t.type main,@function\nmain:\n\tjmp \"loam.c_main\"\n"
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

// threadBlock is the thread block as a thread-local variable (docs/abi.md). It ends where %fs
// points if it is the last of the program's; its alignment is the largest that variables of C may
// have. runtime.tlsg is the word that has the goroutine: by it debuggers find it.
func threadBlock() string {
	return fmt.Sprintf("\t.section .tbss.loam,\"awTR\",@nobits\n\t.balign 64\n\t.globl loam.thread_block\n\t.hidden loam.thread_block\n\t.type loam.thread_block,@tls_object\nloam.thread_block:\t.zero %d\n"+
		"\t.globl \"runtime.tlsg\"\n\t.type \"runtime.tlsg\",@tls_object\n\"runtime.tlsg\" = loam.thread_block+8\n", amd64.ThreadBase)
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
