//go:build !loam

package pool

import (
	"sync/atomic"
	"unsafe"
)

// On the host the deque runs on sync/atomic, or on the memory of a model.

// memory is what the model provides.
type memory interface {
	ownWord(p *uint64) uint64
	ownPointer(p *unsafe.Pointer) unsafe.Pointer
	loadWord(p *uint64) uint64
	storeWord(p *uint64, v uint64)
	loadPointer(p *unsafe.Pointer) unsafe.Pointer
	storePointer(p *unsafe.Pointer, v unsafe.Pointer)
	storeFence(p *uint64, v uint64)
	swapWord(p *uint64, old, new uint64) bool
}

var model memory // nil: the machine's

func ownWord(p *uint64) uint64 {
	if model != nil {
		return model.ownWord(p)
	}
	return *p
}

func ownPointer(p *unsafe.Pointer) unsafe.Pointer {
	if model != nil {
		return model.ownPointer(p)
	}
	return *p
}

func loadWord(p *uint64) uint64 {
	if model != nil {
		return model.loadWord(p)
	}
	return atomic.LoadUint64(p)
}

func loadPointer(p *unsafe.Pointer) unsafe.Pointer {
	if model != nil {
		return model.loadPointer(p)
	}
	return atomic.LoadPointer(p)
}

func storeWord(p *uint64, v uint64) {
	if model != nil {
		model.storeWord(p, v)
		return
	}
	atomic.StoreUint64(p, v)
}

func storePointer(p *unsafe.Pointer, v unsafe.Pointer) {
	if model != nil {
		model.storePointer(p, v)
		return
	}
	atomic.StorePointer(p, v)
}

func storeFence(p *uint64, v uint64) {
	if model != nil {
		model.storeFence(p, v)
		return
	}
	atomic.StoreUint64(p, v)
}

func swapWord(p *uint64, old, new uint64) bool {
	if model != nil {
		return model.swapWord(p, old, new)
	}
	return atomic.CompareAndSwapUint64(p, old, new)
}
