package race

import "sync/atomic"

// reported is where races were reported. Others there are no news, until the memory is another
// object.
type reported struct {
	lock lock
	n    int64 // atomic: how many there are
	at   [256]extent
	next int
}

// IsNews notes that a race was found at size bytes from addr on, and returns whether it is the
// first one there.
func (d *Detector) IsNews(addr, size uintptr) bool {
	r := &d.reported
	r.lock.take()
	news := true
	for i := range r.at[:r.n] {
		if r.at[i].meets(addr, size) {
			news = false
		}
	}
	if news {
		r.at[r.next] = extent{addr, size}
		r.next = (r.next + 1) % len(r.at)
		atomic.StoreInt64(&r.n, min(r.n+1, int64(len(r.at))))
	}
	r.lock.release()
	return news
}

// forgetReported is a part of Forget.
func (d *Detector) forgetReported(addr, size uintptr) {
	r := &d.reported
	if atomic.LoadInt64(&r.n) == 0 {
		return
	}
	r.lock.take()
	for i := range r.at[:r.n] {
		if r.at[i].meets(addr, size) {
			r.at[i] = extent{}
		}
	}
	r.lock.release()
}

// meets reports whether the extent and size bytes from addr on have something in common.
func (e *extent) meets(addr, size uintptr) bool { return e.lo < addr+size && addr < e.lo+e.size }
