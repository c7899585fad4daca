package link

import (
	"slices"

	"loam/internal/machine/object"
	"loam/internal/toolchain"
)

// linkFlags are those of a program without C: no libc, and no relocations left but those that a
// program which may lie anywhere does by itself (rt/sys/start.gas).
func linkFlags(mode toolchain.Mode) []string {
	flags := []string{"-static", "-nostdlib", "-e", "loam.start"}
	if mode.Movable() {
		flags = append(flags, "-pie", "--no-dynamic-linker", "-z", "text", "--pack-dyn-relocs=relr")
	}
	return slices.Concat(flags, sharedFlags)
}

// constants is a section for constants that have addresses: what the program changes in it, when it
// begins, is where it lies, if it may lie anywhere. further are flags of it.
func constants(m *object.Maker, mode toolchain.Mode, name string, further uint64) *object.Part {
	section, flags := ".rodata", uint64(object.Alloc)
	if mode.Movable() {
		section, flags = ".data.rel.ro", object.Alloc|object.Write
	}
	return m.Part(section+".loam."+name, object.Progbits, flags|further)
}

// flagNames are the symbols that flags refer to.
var flagNames = []string{"loam.start", "__morestack"}

// sharedFlags are those of all programs: dead sections are dropped. The collector's bounds of the
// data and bss sections are computed here; pointer-free globals lie outside them.
var sharedFlags = []string{"--gc-sections",
	"-z", "start-stop-gc", // bounds of a section do not keep what is in it
	"-z", "noexecstack",
	"--defsym=__morestack_non_split=__morestack", // lld wants it to exist; nothing is switched to it
	"--defsym=internal/fuzz._counters=__start___sancov_cntrs", "--defsym=internal/fuzz._ecounters=__stop___sancov_cntrs",
	"--defsym=__sanitizer_cov_8bit_counters_init=0",
	"--defsym=loam.data_start=ADDR(.data)", "--defsym=loam.data_end=ADDR(.data)+SIZEOF(.data)",
	"--defsym=loam.bss_start=ADDR(.bss)", "--defsym=loam.bss_end=ADDR(.bss)+SIZEOF(.bss)"}
