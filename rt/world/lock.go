//go:build loam

package world

import "loam/rt/sys"

// lock is how a file has locked its node, by flock.
type lock uint8

const (
	unlocked lock = iota
	shared
	exclusive
)

func (f *file) flock(c *call) uintptr {
	const lockShared, lockExclusive, lockNonblock, lockNone = 1, 2, 4, 8
	want := unlocked
	switch c.a2 &^ lockNonblock {
	case lockNone:
		f.unlock()
		return 0
	case lockShared:
		want = shared
	case lockExclusive:
		want = exclusive
	default:
		return failure(sys.EINVAL)
	}
	if f.locked == want {
		return 0
	}
	f.unlock() // a change is not atomic
	l := files.Locked(f.node)
	if l.Exclusive || want == exclusive && l.Shared > 0 {
		return c.block(c.a2&lockNonblock == 0, sys.EAGAIN)
	}
	if want == shared {
		l.Shared++
	} else {
		l.Exclusive = true
	}
	f.locked = want
	return 0
}

func (f *file) unlock() {
	l := files.Locked(f.node)
	switch f.locked {
	case unlocked:
		return
	case shared:
		l.Shared--
	case exclusive:
		l.Exclusive = false
	}
	f.locked = unlocked
	happened()
}
