package sys

import (
	"sync/atomic"
	"unsafe"
)

// Where a thread runs. The kernel writes down, for each thread that has registered a block of
// memory (rseq(2), for restartable sequences, which are not used here), on which CPU it goes on. So
// a thread can see, without asking the kernel, that another which it waits for was last on its own
// CPU: it waits for that CPU, then, or sleeps, and to spin for it is in vain.

// whereBlock is the kernel's struct rseq, half of it at a time: the struct is a multiple of 32
// bytes.
type whereBlock struct {
	cpuStart, cpu uint32
	section       uint64
	flags, node   uint32
	concurrency   uint32
	_             uint32
}

const (
	whereAlign     = 32
	whereSignature = 0x53053053 // in front of the abort handlers that we do not have
)

func (t *Thread) whereBlock() *whereBlock {
	return (*whereBlock)(Ptr((uintptr(unsafe.Pointer(&t.where)) + whereAlign - 1) &^ (whereAlign - 1)))
}

// WatchCPU has the kernel write down where the calling thread runs. Where it does not know how, or
// another library has registered the thread, CPU says -1. Once for each thread.
func WatchCPU() {
	t := Self()
	b := t.whereBlock()
	*b = whereBlock{}
	t.watched = Syscall6(SYS_RSEQ, uintptr(unsafe.Pointer(b)), unsafe.Sizeof(*b), 0, whereSignature, 0, 0) == 0
}

// CPU is the number of the CPU on which t runs, or ran last; -1: not known. Any thread.
func (t *Thread) CPU() int32 {
	if !t.watched {
		return -1
	}
	return int32(atomic.LoadUint32(&t.whereBlock().cpu))
}
