//go:build loam

// Package buckets counts events by call stack, for profiles.
//
// Events with the same stack and tag share a bucket. Buckets are never freed, so readers may keep
// them; their memory comes from the kernel and not from the collected heap, so events may happen
// with any lock of the heap held. Stacks are raw return addresses: the reader turns them into
// logical frames.
package buckets

import (
	"unsafe"

	"loam/rt/sys"
)

// MaxDepth is the greatest number of return addresses kept of a stack.
const MaxDepth = 128

// Bucket is what is known of one stack. Count and Sum may still grow while they are read.
type Bucket struct {
	Count float64 // events
	Sum   int64   // of their values
	Tag   uintptr // events with different tags have different buckets

	next  *Bucket // in the hash chain
	older *Bucket
	hash  uintptr
	depth uintptr
}

// Stack returns the return addresses, innermost first. They follow the bucket in memory.
func (b *Bucket) Stack() []uintptr {
	return unsafe.Slice((*uintptr)(unsafe.Add(unsafe.Pointer(b), unsafe.Sizeof(Bucket{}))), b.depth)
}

const (
	hashSize = 1 << 10
	chunk    = 64 << 10 // bytes asked of the kernel at a time; a bucket is at most some 1100
)

// Table is a set of buckets. The zero value is empty.
type Table struct {
	lock      sys.Mutex
	chains    *[hashSize]*Bucket
	newest    *Bucket
	free, end uintptr // rest of the current chunk
}

// Add counts an event, or several that look the same. Any stack; code that adds on goroutine stacks
// to one table must not add to it on system stacks too: a hop that happens with the lock held would
// wait for itself.
func (t *Table) Add(tag uintptr, stack []uintptr, count float64, sum int64) {
	if len(stack) > MaxDepth {
		stack = stack[:MaxDepth]
	}
	h := tag
	for _, pc := range stack {
		h = (h ^ pc) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	t.lock.Lock()
	b := t.find(h, tag, stack)
	b.Count += count
	b.Sum += sum
	t.lock.Unlock()
}

// find returns the bucket of a stack, a new one if there was none. t.lock is held.
func (t *Table) find(h, tag uintptr, stack []uintptr) *Bucket {
	if t.chains == nil {
		t.chains = (*[hashSize]*Bucket)(sys.MapAnon(hashSize * 8))
	}
	head := &t.chains[h%hashSize]
	for b := *head; b != nil; b = b.next {
		if b.hash == h && b.Tag == tag && b.isOf(stack) {
			return b
		}
	}
	size := unsafe.Sizeof(Bucket{}) + uintptr(len(stack))*8
	if t.end-t.free < size {
		t.free = uintptr(sys.MapAnon(chunk))
		t.end = t.free + chunk
	}
	b := (*Bucket)(sys.Ptr(t.free))
	t.free += size
	b.Tag, b.hash, b.depth = tag, h, uintptr(len(stack))
	copy(b.Stack(), stack)
	b.next, *head = *head, b
	b.older, t.newest = t.newest, b
	return b
}

func (b *Bucket) isOf(stack []uintptr) bool {
	if b.depth != uintptr(len(stack)) {
		return false
	}
	for i, pc := range b.Stack() {
		if stack[i] != pc {
			return false
		}
	}
	return true
}

// ForEach calls f for each bucket, the newest first. f must not allocate, block or add. Stacks as
// for Add.
func (t *Table) ForEach(f func(b *Bucket)) {
	t.lock.Lock()
	for b := t.newest; b != nil; b = b.older {
		f(b)
	}
	t.lock.Unlock()
}
