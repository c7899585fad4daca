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
	if lock(f.open.Locked) == want {
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
	f.open.Locked = uint8(want)
	return 0
}

func (f *file) unlock() {
	if f.dropLock() {
		happened()
		stirOthers()
	}
}

// dropLock is unlock, of which nobody is told. It says whether there was a lock.
func (f *file) dropLock() bool {
	l := files.Locked(f.node)
	switch lock(f.open.Locked) {
	case unlocked:
		return false
	case shared:
		l.Shared--
	case exclusive:
		l.Exclusive = false
	}
	f.open.Locked = uint8(unlocked)
	return true
}

// leaveOpen notes that this process has no descriptor of f any more, and says whether nobody has:
// then its lock ends.
func (f *file) leaveOpen() (last bool) {
	if f.open != &f.own {
		f.open.Users--
		return f.open.Users == 0
	}
	return true
}
