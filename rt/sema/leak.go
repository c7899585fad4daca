package sema

import "unsafe"

// For rt/leak.

// Table returns where the table of waiters lies.
func Table() (lo, hi uintptr) {
	lo = uintptr(unsafe.Pointer(&table))
	return lo, lo + unsafe.Sizeof(table)
}

// ForEachWaiter visits the records of goroutines that wait for semaphores, on their stacks, with
// the semaphores' addresses. World stopped, system stack.
func ForEachWaiter(visit func(waiter, semaphore uintptr)) {
	for i := range table {
		table[i].root.visit(visit)
	}
}

// visit visits the waiters of the subtree at w, which is at most 64 deep.
func (w *waiter) visit(f func(waiter, semaphore uintptr)) {
	if w == nil {
		return
	}
	for x := w; x != nil; x = x.next {
		f(uintptr(unsafe.Pointer(x)), uintptr(unsafe.Pointer(x.addr)))
	}
	w.child[0].visit(f)
	w.child[1].visit(f)
}
