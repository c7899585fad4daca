package sys

import "unsafe"

// The layout that the compiler, LLVM and the gas files rely on (offsets.h, docs/abi.md): an array
// of another length does not compile.
var (
	_ [0x08]byte  = [unsafe.Offsetof(Thread{}.G)]byte{}
	_ [0x10]byte  = [unsafe.Offsetof(Thread{}.M)]byte{}
	_ [0x18]byte  = [unsafe.Offsetof(Thread{}.Cache)]byte{}
	_ [0x20]byte  = [unsafe.Offsetof(Thread{}.P)]byte{}
	_ [0x28]byte  = [unsafe.Offsetof(Thread{}.Locks)]byte{}
	_ [0x2c]byte  = [unsafe.Offsetof(Thread{}.InSig)]byte{}
	_ [0x30]byte  = [unsafe.Offsetof(Thread{}.G0)]byte{}
	_ [0x38]byte  = [unsafe.Offsetof(Thread{}.SysSP)]byte{}
	_ [0x40]byte  = [unsafe.Offsetof(Thread{}.SysLim)]byte{}
	_ [0x4c]byte  = [unsafe.Offsetof(Thread{}.Tid)]byte{}
	_ [0x60]byte  = [unsafe.Offsetof(Thread{}.SegBox)]byte{}
	_ [0x68]byte  = [unsafe.Offsetof(Thread{}.SigLim)]byte{}
	_ [0x70]byte  = [unsafe.Offsetof(Thread{}.Trace)]byte{}
	_ [0x88]byte  = [unsafe.Offsetof(Thread{}.SysLo)]byte{}
	_ [0x90]byte  = [unsafe.Offsetof(Thread{}.SysHi)]byte{}
	_ [0x98]byte  = [unsafe.Offsetof(Thread{}.Start)]byte{}
	_ [0xa0]byte  = [unsafe.Offsetof(Thread{}.ClearTid)]byte{}
	_ [0xa8]byte  = [unsafe.Offsetof(Thread{}.AsmG)]byte{}
	_ [0xb0]byte  = [unsafe.Offsetof(Thread{}.Hops)]byte{}
	_ [0x100]byte = [unsafe.Offsetof(Thread{}.GoSP)]byte{}
	_ [0x108]byte = [unsafe.Offsetof(Thread{}.Ready)]byte{}
	_ [0x118]byte = [unsafe.Offsetof(Thread{}.limit)]byte{}
	_ [0x180]byte = [BlockSize]byte{}
	_ [0x1f0]byte = [unsafe.Offsetof(Thread{}.fsLimit)]byte{}

	_ [0x08]byte = [unsafe.Offsetof(Context{}.Limit)]byte{}
	_ [0x10]byte = [unsafe.Offsetof(Context{}.DeferFrame)]byte{}
	_ [0x18]byte = [unsafe.Offsetof(Context{}.Panic)]byte{}
	_ [0x20]byte = [unsafe.Offsetof(Context{}.Segment)]byte{}
	_ [0x40]byte = [unsafe.Offsetof(SyscallRegs{}.Segment)]byte{}

	_ [0x10]byte = [unsafe.Offsetof(DeferFrame{}.SP)]byte{}
	_ [0x18]byte = [unsafe.Offsetof(DeferFrame{}.Point)]byte{}
	_ [0x20]byte = [unsafe.Offsetof(DeferFrame{}.thunk)]byte{}
	_ [0x00]byte = [unsafe.Offsetof(DeferPoint{}.Resume)]byte{}
	_ [0x08]byte = [unsafe.Offsetof(DeferPoint{}.Thunk)]byte{}

	_ [0xa0]byte  = [unsafe.Offsetof(Ucontext{}.RSP)]byte{}
	_ [0xa8]byte  = [unsafe.Offsetof(Ucontext{}.RIP)]byte{}
	_ [0xe0]byte  = [unsafe.Offsetof(Ucontext{}.FPState)]byte{}
	_ [0x128]byte = [unsafe.Offsetof(Ucontext{}.Sigmask)]byte{}
)
