package sys

import "unsafe"

// Features says what this CPU can do and the kernel has enabled.
type Features struct {
	SSE42, POPCNT, AESNI, PCLMUL, AVX, AVX2, BMI1, BMI2, FMA, ERMS, FSRM, SHA, AVX512, ADX bool
}

// CPU is filled before any other run-time code runs.
var CPU Features

// copyKind picks the loops in mem.gas: bit 0 AVX2 usable, bit 1 fast `rep movsb`
// and `rep stosb` for large blocks. Written once at start.
var copyKind uint64

// NumCPU is the number of CPUs this process may run on (affinity mask), at
// least 1. Read at start.
var NumCPU int32

// Cpuid runs the CPUID instruction.
func Cpuid(leaf, sub uint32) (a, b, c, d uint32) {
	var out [4]uint32
	cpuid(leaf, sub, &out)
	return out[0], out[1], out[2], out[3]
}

// Xgetbv reads extended control register 0.
func Xgetbv() uint64

func cpuid(leaf, sub uint32, out *[4]uint32)

func detectCPU() {
	maxLeaf, _, _, _ := Cpuid(0, 0)
	_, _, c, _ := Cpuid(1, 0)
	f := &CPU
	f.SSE42 = c>>20&1 != 0
	f.POPCNT = c>>23&1 != 0
	f.AESNI = c>>25&1 != 0
	f.PCLMUL = c>>1&1 != 0
	// AVX registers exist only if the kernel saves them (OSXSAVE, XCR0 bits 1, 2).
	var xcr uint64
	if c>>27&1 != 0 {
		xcr = Xgetbv()
	}
	osAVX := xcr&6 == 6
	f.AVX = osAVX && c>>28&1 != 0
	f.FMA = osAVX && c>>12&1 != 0
	if maxLeaf >= 7 {
		_, b, _, d := Cpuid(7, 0)
		f.BMI1 = b>>3&1 != 0
		f.AVX2 = osAVX && b>>5&1 != 0
		f.BMI2 = b>>8&1 != 0
		f.ERMS = b>>9&1 != 0
		f.ADX = b>>19&1 != 0
		f.SHA = b>>29&1 != 0
		f.FSRM = d>>4&1 != 0
		f.AVX512 = xcr&0xe6 == 0xe6 && b>>16&1 != 0
	}
	if f.AVX2 {
		copyKind |= 1
	}
	if f.ERMS {
		copyKind |= 2
	}
	NumCPU = CountCPUs()
}

// CountCPUs counts the CPUs in the calling thread's affinity mask.
func CountCPUs() int32 {
	var mask [128]uint64
	r := int(Syscall6(SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)), 0, 0, 0))
	if r <= 0 {
		return 1
	}
	n := int32(0)
	for i := 0; i < r/8; i++ {
		for w := mask[i]; w != 0; w &= w - 1 {
			n++
		}
	}
	if n < 1 {
		n = 1
	}
	return n
}
