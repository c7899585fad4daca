//go:build loam

package channel

import (
	"internal/abi"
	"unsafe"

	"loam/rt/park"
)

// The functions that compiled code, reflect and time call by name.

//go:linkname makechan runtime.makechan
func makechan(t *abi.ChanType, size int) *Chan {
	c, ok := New(t.Elem.Size_, t.Elem.PtrBytes != 0, size)
	if !ok {
		park.Panic("makechan: size out of range")
	}
	return c
}

//go:linkname makechan64 runtime.makechan64
func makechan64(t *abi.ChanType, size int64) *Chan { return makechan(t, int(size)) }

//go:linkname chansend1 runtime.chansend1
func chansend1(c *Chan, elem unsafe.Pointer) { c.send(elem, true) }

// chanrecv1 is v, ok := <-c too: one function, for the reason that wait gives.
//
//go:linkname chanrecv1 runtime.chanrecv1
func chanrecv1(c *Chan, elem unsafe.Pointer) bool {
	_, ok := c.recv(elem, true)
	return ok
}

//go:linkname closechan runtime.closechan
func closechan(c *Chan) { c.close() }

// Entries are where chansend1 and closechan begin.
func Entries() (send, closes uintptr) {
	return abi.FuncPCABIInternal(chansend1), abi.FuncPCABIInternal(closechan)
}

//go:linkname selectnbsend runtime.selectnbsend
func selectnbsend(c *Chan, elem unsafe.Pointer) bool { return c.send(elem, false) }

//go:linkname selectnbrecv runtime.selectnbrecv
func selectnbrecv(elem unsafe.Pointer, c *Chan) (selected, received bool) {
	return c.recv(elem, false)
}

// maxCases is the limit of reflect.Select; the compiler's selects are smaller.
const maxCases = 1 << 16

//go:linkname selectgo runtime.selectgo
func selectgo(cases *Case, ncases, nsends int, block bool) (int, bool) {
	return Select((*[maxCases]Case)(unsafe.Pointer(cases))[:ncases:ncases], nsends, block)
}

//go:linkname block runtime.block
func block() { park.Forever(park.SelectNoCases) }

//go:linkname reflectMakechan reflect.makechan
func reflectMakechan(t *abi.ChanType, size int) *Chan { return makechan(t, size) }

//go:linkname reflectChanlen reflect.chanlen
func reflectChanlen(c *Chan) int { return length(c) }

//go:linkname reflectliteChanlen internal/reflectlite.chanlen
func reflectliteChanlen(c *Chan) int { return length(c) }

func length(c *Chan) int {
	if c == nil {
		return 0
	}
	return int(c.Len)
}

//go:linkname reflectChancap reflect.chancap
func reflectChancap(c *Chan) int {
	if c == nil {
		return 0
	}
	return int(c.Cap)
}

//go:linkname reflectChanclose reflect.chanclose
func reflectChanclose(c *Chan) { c.close() }

//go:linkname reflectChansend reflect.chansend0
func reflectChansend(c *Chan, elem unsafe.Pointer, nb bool) bool { return c.send(elem, !nb) }

//go:linkname reflectChanrecv reflect.chanrecv
func reflectChanrecv(c *Chan, nb bool, elem unsafe.Pointer) (selected, received bool) {
	return c.recv(elem, !nb)
}

// A reflectCase is reflect's runtimeSelect.
type reflectCase struct {
	dir  uintptr
	typ  unsafe.Pointer
	ch   *Chan
	elem unsafe.Pointer
}

// reflect's SelectDir.
const (
	dirSend    = 1
	dirRecv    = 2
	dirDefault = 3
)

// rselect orders reflect's cases as Select wants them, sends first. The map back to reflect's
// numbers needs memory: up to 65536 cases, from the heap. Channels and elements are alive through
// in, so pointer-free memory will do.
//
//go:linkname rselect reflect.rselect
func rselect(in []reflectCase) (int, bool) {
	n := len(in)
	if n == 0 {
		block()
	}
	mem := park.Alloc(uintptr(n)*(unsafe.Sizeof(Case{})+8), true)
	cases := unsafe.Slice((*Case)(mem), n)
	origin := unsafe.Slice((*int)(unsafe.Add(mem, uintptr(n)*unsafe.Sizeof(Case{}))), n)
	def, nsends, nrecvs := -1, 0, 0
	for i := range in {
		at := 0
		switch in[i].dir {
		case dirSend:
			at = nsends
			nsends++
		case dirRecv:
			nrecvs++
			at = n - nrecvs
		default:
			def = i
			continue
		}
		cases[at] = Case{in[i].ch, in[i].elem}
		origin[at] = i
	}
	if nsends+nrecvs < n {
		// Only a default makes a gap, of one: close it.
		for at := nsends; at < n-1; at++ {
			cases[at], origin[at] = cases[at+1], origin[at+1]
		}
	}
	index, ok := Select(cases[:nsends+nrecvs], nsends, def < 0)
	if index < 0 {
		return def, false
	}
	return origin[index], ok
}

//go:linkname timeNewTimer time.newTimer
func timeNewTimer(when, period int64, f func(any, uintptr, int64), arg any, c *Chan) *TimeTimer {
	return NewTimer(when, period, f, arg, c)
}

//go:linkname timeStopTimer time.stopTimer
func timeStopTimer(tt *TimeTimer) bool { return tt.Stop() }

//go:linkname timeResetTimer time.resetTimer
func timeResetTimer(tt *TimeTimer, when, period int64) bool { return tt.Reset(when, period) }
