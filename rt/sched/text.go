package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// Bounds of the program's code, from the linker; run-time code lies in the section
// loam_rt_text.

//go:linkname rtTextStart __start_loam_rt_text
var rtTextStart byte

//go:linkname rtTextEnd __stop_loam_rt_text
var rtTextEnd byte

//go:linkname imageStart __executable_start
var imageStart byte

//go:linkname imageTextEnd etext
var imageTextEnd byte

// textStart is where the program's code begins. The linker has no name for that, and between the
// read-only data and the code there may be a page that is not mapped.
var textStart uintptr

func addr(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }

func inRT(pc uintptr) bool { return pc >= addr(&rtTextStart) && pc < addr(&rtTextEnd) }

// InRunTime reports whether pc lies in the code of the run-time system.
func InRunTime(pc uintptr) bool { return inRT(pc) }

// InText reports whether pc lies in the program's code, which can be read then. Any stack.
func InText(pc uintptr) bool { return pc >= textStart && pc < addr(&imageTextEnd) }

// findText returns where the executable segment of the program begins, by its headers, which are
// mapped at the start of the image.
func findText() uintptr {
	const (
		tableAt, sizeAt, countAt = 32, 54, 56 // in the ELF header
		flagsAt, addressAt       = 4, 16      // in a program header
		load, executable         = 1, 1
	)
	if sys.Library {
		return sys.TextStart()
	}
	image := addr(&imageStart)
	header := image + *(*uintptr)(sys.Ptr(image + tableAt))
	size := uintptr(*(*uint16)(sys.Ptr(image + sizeAt)))
	for n := *(*uint16)(sys.Ptr(image + countAt)); n > 0; n-- {
		kind, flags := *(*uint32)(sys.Ptr(header)), *(*uint32)(sys.Ptr(header + flagsAt))
		if kind == load && flags&executable != 0 {
			return *(*uintptr)(sys.Ptr(header + addressAt)) + sys.Bias()
		}
		header += size
	}
	return image
}
