package sync

import (
	"internal/race"
	"internal/rt/pool"
	"unsafe"
)

// A Pool keeps values that are not needed at the moment for the next that asks, so that they need
// not be allocated again. It may drop any of them at any time; a value that nobody asked for since
// the last collection but one is dropped. A Pool may be used by any number of goroutines at once,
// and may not be copied after its first use. Put(x) happens before the Get that returns x, and
// New's return before the Get that returns what it made.
type Pool struct {
	noCopy noCopy

	state pool.Pool
	_     [2]uintptr // so that it is as large as the official one

	// New, if set, makes what Get returns when there is nothing in the pool. It may not be changed
	// while Get can be running.
	New func() any
}

// Put adds x to the pool. Put(nil) does nothing.
func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	if p == nil {
		nilPool()
	}
	if race.Enabled {
		race.ReleaseMerge(dataOf(&x))
	}
	pool.Put(&p.state, x)
}

// Get removes some value from the pool and returns it; if there is none, it returns what New makes,
// or nil if there is no New. Callers may not expect the value to be one that they put.
func (p *Pool) Get() any {
	if p == nil {
		nilPool()
	}
	if x := pool.Get(&p.state); x != nil {
		if race.Enabled {
			race.Acquire(dataOf(&x))
		}
		return x
	}
	return p.make()
}

//go:noinline
func (p *Pool) make() any {
	if p.New == nil {
		return nil
	}
	return p.New()
}

// dataOf is what stands for a value on its way through a Pool.
func dataOf(x *any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(x))[1] }

//go:noinline
func nilPool() { panic("nil Pool") }

// poolCleanup is known to packages that wrap it in a hook of their own (go.dev/issue/67401): they
// give that to runtime_registerPoolCleanup, and it has to be called when a collection begins.
//
//go:linkname poolCleanup
func poolCleanup() { pool.Turn() }

// Implemented by overlay/runtime and rt/heap; other packages know them by these names, too.
func runtime_registerPoolCleanup(cleanup func())
func runtime_procPin() int
func runtime_procUnpin()
