package link

import "slices"

// linkFlags are those of a program without C: no libc, no relocations left.
func linkFlags() []string {
	return slices.Concat([]string{"-static", "-nostdlib", "-e", "loam.start"}, sharedFlags)
}

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
