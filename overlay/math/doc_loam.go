// Loam's part of math: the C names that LLVM calls for llvm.floor and its like where the target
// processor has no instruction for them, in libm.gas. math itself uses upstream's portable
// functions (overlay.txt selects them), with the compiler's expansions of overlay/INTRINSICS.md
// inside.

package math

import "internal/cpu"

// setFeatures tells the assembly what the processor has. Until then it has nothing.
func setFeatures(sse41, fma bool)

func init() {
	setFeatures(cpu.X86.HasSSE41, cpu.X86.HasAVX && cpu.X86.HasFMA)
}
