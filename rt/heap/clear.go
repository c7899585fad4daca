package heap

import (
	"math/bits"
	"unsafe"
)

// Clearing of large objects whose memory was used before. That a page was used says little: the
// program may never have touched it, or it has been given back and only looked at since. Such pages
// must not become the process's own by being cleared, so that of gigabytes that nobody touches none
// are in memory. The system knows which pages are, and a page that the collector has read, but
// nobody has written, holds zeros.

const (
	// osPage is the system's unit, in bytes.
	osPage = 4 << 10

	// askStep is for how many bytes the system is asked at a time; smaller objects are just cleared.
	askStep = 512 * osPage
	askMin  = 256 << 10

	// clearStepSize bounds what is cleared before the goroutine can be stopped. The thread that stops
	// the world waits for one step at most: where each page has to be asked of the system first, that
	// takes 4 µs a page.
	clearStepSize = 16 << 10
)

// clearLarge clears n bytes, whole pages, of an object that the caller keeps alive, and lets the
// goroutine be stopped in between.
func clearLarge(p, n uintptr) {
	for n > 0 {
		step := min(n, askStep)
		if n < askMin || !clearResident(p, step) {
			clearSteps(p, step)
		}
		p, n = p+step, n-step
	}
}

// clearSteps clears n bytes.
func clearSteps(p, n uintptr) {
	for ; n > clearStepSize; n -= clearStepSize {
		clearStep(p, clearStepSize)
		p += clearStepSize
	}
	clearStep(p, n)
}

// clearStep is a call, at whose beginning the goroutine can be stopped.
//
//go:noinline
func clearStep(p, n uintptr) { memclr(unsafe.Pointer(p), n) }

// clearResident clears n bytes, at most askStep, without touching pages that are not in memory.
// False: the system does not say which those are.
func clearResident(p, n uintptr) bool {
	var resident [askStep / osPage / 64]uint64
	if !osResident(p, n, &resident) {
		return false
	}
	last := n / osPage
	for i := uintptr(0); i < last; {
		in, end := alike(&resident, i, last)
		if at, size := p+i*osPage, (end-i)*osPage; in {
			clearPages(at, size)
		} else if !osDiscard(at, size) { // they may be swapped out: then they have contents
			clearSteps(at, size)
		}
		i = end
	}
	return true
}

// alike reports whether page i is in the set, and up to where those behind it are like it.
func alike(set *[askStep / osPage / 64]uint64, i, last uintptr) (in bool, end uintptr) {
	first := set[i/64] >> (i % 64)
	in = first&1 != 0
	for end = i; end < last; {
		w := set[end/64] >> (end % 64)
		if in {
			w = ^w
		}
		left := 64 - end%64
		if n := uintptr(bits.TrailingZeros64(w)); n < left {
			return in, min(end+n, last)
		}
		end += left
	}
	return in, last
}

// clearPages clears n bytes of pages in memory, but for those that are zero: they may be the
// system's one page of zeros, which reading has put there.
func clearPages(p, n uintptr) {
	for end := p + n; p < end; p += osPage {
		clearUsed(p)
	}
}

// clearUsed clears a page, if it has to be. It is a call, as clearStep is.
//
//go:noinline
func clearUsed(p uintptr) {
	page := (*[osPage / 8]uint64)(ptr(p))
	for i := 0; i < len(page); i += 8 {
		w := page[i : i+8 : i+8]
		if w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7] != 0 {
			memclr(ptr(p), osPage)
			return
		}
	}
}
