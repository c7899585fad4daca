package sys

import "unsafe"

// Rewinding: a process of a simulated run (Simulated) puts its memory back to where it was, and
// goes on from there, as often as there are runs to be made (rt/simulation, server.go). That costs
// a fraction of what forking a process for each run does.
//
// Memory of the program is read-only until it is written to. The page fault keeps a copy of the
// page and makes it writable, for good: runs write to much the same pages, so after a few of them
// there are no faults any more. To rewind is to copy those pages back, and to take away what was
// mapped since. Where this is not possible, as the program has changed the protection of its memory
// for example, the run is spoiled: it goes on as it would, but it is the last one of the process.
//
// What the kernel does for the process is not taken back, and has to be such that it does not
// matter: descriptors that a run opened are closed, and no other threads or timers exist. The
// kernel does not fault as the program does: who lets it write to memory calls WillWrite.

// rewinder is the state, which itself is not rewound. It lies at rewindAt.
type rewinder struct {
	mark [9]uintptr // rewind.gas: registers where runs begin

	nRanges, nKept, nMade int
	spoiled               bool
	on                    bool // ranges are protected

	ranges [maxRanges]addressRange // memory that is kept track of
	made   [maxMade]addressRange   // what the run has mapped, or (reserved) made accessible
	kept   [maxKeptPages]keptPage
	index  [4 * maxKeptPages]uint32 // of kept, from 1, by address

	fds   int32 // the lowest descriptor that a run can open
	text  [128 << 10]byte
	stack [64 << 10]byte
}

// copies are where copies of kept pages lie, behind the rewinder.
const copies = rewindAt + (unsafe.Sizeof(rewinder{})+PageSize-1)&^(PageSize-1)

// stackTop is the upper end of the stack that is not rewound.
func (r *rewinder) stackTop() uintptr {
	return (uintptr(unsafe.Pointer(&r.stack)) + unsafe.Sizeof(r.stack)) &^ 15
}

// addressRange is memory from lo up to hi. reserved says that it has no access otherwise.
type addressRange struct {
	lo, hi   uintptr
	reserved bool
}

// keptPage is one that was written to. A copy of 0 stands for zeroes. rewind.gas knows it.
type keptPage struct{ at, copy uintptr }

const (
	rewindAt     = 0x1e00_0000_0000
	maxRanges    = 512
	maxMade      = 256
	maxKeptPages = 4096
	maxDiscard   = 4 << 20
	mostFDs      = 256
)

// rewinding is nil in a process that does not rewind.
var rewinding *rewinder

// rewindMark notes where runs begin, which is where it returns to, and calls fn on the stack whose
// upper end is top. fn does not return: rewindNow does, from here. In rewind.gas, as what follows.
func rewindMark(mark *[9]uintptr, top uintptr, fn func())

// rewindNow copies n pages back and goes on behind rewindMark.
func rewindNow(kept *keptPage, n int, mark *[9]uintptr)

// RewindFrom makes the process one that rewinds, and returns once for each run. fn is called before
// each of them on a stack of its own, and ends with Rewind; what it writes outside of memory of its
// own is the run's. False, and only once: the process cannot rewind. System stack.
func RewindFrom(fn func()) bool {
	flags := uintptr(MAP_PRIVATE | MAP_ANON | MAP_NORESERVE | mapFixedNoReplace)
	if Syscall6(SYS_MMAP, rewindAt, copies+maxKeptPages*PageSize-rewindAt, PROT_READ|PROT_WRITE, flags, ^uintptr(0), 0) != rewindAt {
		return false
	}
	r := (*rewinder)(Ptr(rewindAt))
	t := Self()
	// The kernel enlarges the stack as it is used: what is behind its end would not be known.
	probe := (*byte)(Ptr(t.SysLo))
	r.text[0] = *probe
	if !r.findDescriptors() || !r.findRanges() {
		return false
	}
	rewinding = r
	rewindMark(&r.mark, r.stackTop(), func() {
		r.protect()
		fn()
	})
	return true
}

// Rewinding reports whether the process rewinds.
func Rewinding() bool { return rewinding != nil }

// Rewind takes back what the last run has changed, and begins the next one. Called by what
// RewindFrom calls. It does not return.
func Rewind() {
	r := rewinding
	for i := range r.nMade {
		r.made[i].drop()
	}
	r.nMade = 0
	r.closeDescriptors()
	rewindNow(&r.kept[0], r.nKept, &r.mark)
}

// OnRewindStack calls fn on the stack that is not rewound, at the end of a run. fn does not return.
func OnRewindStack(fn func()) {
	CallOn(rewinding.stackTop(), 0, fn)
}

// Spoiled reports whether the process cannot rewind any more.
func Spoiled() bool { return rewinding != nil && rewinding.spoiled }

// Spoil lets the run that goes on be the last one of a process that rewinds.
func Spoil() {
	r := rewinding
	if r == nil || r.spoiled {
		return
	}
	r.spoiled = true
	if r.on {
		for i := range r.nRanges {
			a := &r.ranges[i]
			Syscall6(SYS_MPROTECT, a.lo, a.hi-a.lo, PROT_READ|PROT_WRITE, 0, 0, 0)
		}
	}
}

// WillWrite is called before the kernel writes to memory of the program.
func WillWrite(p unsafe.Pointer, n uintptr) {
	r := rewinding
	if r == nil || r.spoiled || n == 0 {
		return
	}
	for at := uintptr(p) &^ (PageSize - 1); at < uintptr(p)+n; at += PageSize {
		r.writes(at)
	}
}

// writes makes the page at an address writable, if it is kept track of and is not yet.
func (r *rewinder) writes(at uintptr) bool {
	at &^= PageSize - 1
	if r.spoiled || !r.tracks(at) || *r.find(at) != 0 {
		return false
	}
	r.keep(at)
	return true
}

// rewindFault is called for a page fault, in its handler: whether the access can be made again.
func rewindFault(addr uintptr) bool {
	r := rewinding
	return r != nil && r.on && r.writes(addr)
}

func (r *rewinder) tracks(at uintptr) bool {
	for i := range r.nRanges {
		if a := &r.ranges[i]; a.lo <= at && at < a.hi {
			return true
		}
	}
	return false
}

// find is the place of the index for a page: 0 there says that it was not written to.
func (r *rewinder) find(at uintptr) *uint32 {
	size := uintptr(len(r.index))
	for i := at / PageSize * 0x9e3779b97f4a7c15 >> 40 % size; ; i = (i + 1) % size {
		if n := r.index[i]; n == 0 || r.kept[n-1].at == at {
			return &r.index[i]
		}
	}
}

// keep copies a page and makes it writable.
func (r *rewinder) keep(at uintptr) {
	if r.nKept == maxKeptPages {
		Spoil()
		return
	}
	k := &r.kept[r.nKept]
	*k = keptPage{at: at}
	for off := uintptr(0); off < PageSize; off += 8 {
		if *(*uint64)(Ptr(at + off)) != 0 {
			k.copy = copies + uintptr(r.nKept)*PageSize
			Move(Ptr(k.copy), Ptr(at), PageSize)
			break
		}
	}
	place := r.find(at)
	r.nKept++
	*place = uint32(r.nKept)
	if r.on && Syscall6(SYS_MPROTECT, at, PageSize, PROT_READ|PROT_WRITE, 0, 0, 0) != 0 {
		Spoil()
	}
}

// protect begins: from here on what is written to is found. The thread's own block is written to by
// the kernel and by the entry of handlers, at any time.
func (r *rewinder) protect() {
	t := uintptr(unsafe.Pointer(Self()))
	for at := t &^ (PageSize - 1); at < t+unsafe.Sizeof(Thread{}); at += PageSize {
		r.keep(at)
	}
	r.on = true
	for i := range r.nRanges {
		a := &r.ranges[i]
		for lo := a.lo; lo < a.hi; {
			for lo < a.hi && *r.find(lo) != 0 {
				lo += PageSize
			}
			hi := a.hi
			for j := range r.nKept {
				if at := r.kept[j].at; lo <= at && at < hi {
					hi = at
				}
			}
			if lo < hi {
				Syscall6(SYS_MPROTECT, lo, hi-lo, PROT_READ, 0, 0, 0)
			}
			lo = hi
		}
	}
}

// findRanges reads what memory there is. What the handler runs on is left out: the kernel writes
// its frame there, and what it leaves means nothing.
func (r *rewinder) findRanges() bool {
	fd := Open("/proc/self/maps\x00", O_RDONLY, 0)
	if fd < 0 {
		return false
	}
	n := 0
	for n < len(r.text) {
		k := Read(fd, unsafe.Pointer(&r.text[n]), len(r.text)-n)
		if k <= 0 {
			break
		}
		n += k
	}
	Close(fd)
	if n == len(r.text) {
		return false
	}
	for text := unsafe.String(&r.text[0], n); text != ""; {
		var lo, hi uintptr
		lo, text = hexNumber(text)
		hi, text = hexNumber(text[1:])
		if private := " rw-p"; len(text) > len(private) && text[:len(private)] == private && lo != rewindAt && !r.add(lo, hi) {
			return false
		}
		for text[0] != '\n' {
			text = text[1:]
		}
		text = text[1:]
	}
	return true
}

// add notes a range, but for the signal stack.
func (r *rewinder) add(lo, hi uintptr) bool {
	t := Self()
	for _, a := range [...]addressRange{{lo: lo, hi: min(hi, t.AltLo)}, {lo: max(lo, t.AltLo+t.AltSize), hi: hi}} {
		if a.lo >= a.hi {
			continue
		}
		if r.nRanges == maxRanges {
			return false
		}
		r.ranges[r.nRanges] = a
		r.nRanges++
	}
	return true
}

// hexNumber reads the number that s begins with.
func hexNumber(s string) (n uintptr, rest string) {
	for ; s != ""; s = s[1:] {
		switch c := s[0]; {
		case '0' <= c && c <= '9':
			n = n<<4 | uintptr(c-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | uintptr(c-'a'+10)
		default:
			return n, s
		}
	}
	return n, s
}

const (
	fcntlDup       = 0
	fcntlFlags     = 1
	sysCloseRange  = 436
	firstRewoundFD = 5 // those below are standard files, and the server's (rt/sched)
)

// findDescriptors says which descriptors runs open: all from fds on. What is free below is used up.
func (r *rewinder) findDescriptors() bool {
	r.fds = firstRewoundFD
	for fd := int32(firstRewoundFD); fd < mostFDs; fd++ {
		if errno(Syscall6(SYS_FCNTL, uintptr(fd), fcntlFlags, 0, 0, 0, 0)) == 0 {
			r.fds = fd + 1
		}
	}
	for {
		fd := int32(Syscall6(SYS_FCNTL, 1, fcntlDup, 0, 0, 0, 0))
		if fd < 0 || fd >= mostFDs {
			return false
		}
		if fd >= r.fds {
			return Close(fd) == 0
		}
	}
}

func (r *rewinder) closeDescriptors() {
	if Syscall6(sysCloseRange, uintptr(r.fds), 1<<31-1, 0, 0, 0, 0) == 0 {
		return
	}
	for fd := r.fds; fd < mostFDs; fd++ { // an older kernel
		Close(fd)
	}
}

// CloseFile is Close for a file that may have been opened before the run: then it stays open, as
// the next run finds it so.
func CloseFile(fd int32) {
	if r := rewinding; r == nil || fd >= r.fds {
		Close(fd)
	}
}

// Made notes memory that was mapped, or if it is reserved made accessible, with nothing in it.
func Made(p, size uintptr, reserved bool) {
	r := rewinding
	if r == nil || r.spoiled || reserved && r.isMade(p, size) {
		return
	}
	if r.nMade == maxMade {
		Spoil()
		return
	}
	r.made[r.nMade] = addressRange{p, p + size, reserved}
	r.nMade++
}

// isMade reports whether memory is the run's.
func (r *rewinder) isMade(p, size uintptr) bool {
	for i := range r.nMade {
		if a := &r.made[i]; a.lo <= p && p+size <= a.hi {
			return true
		}
	}
	return false
}

// drop takes back what a run has made.
func (a *addressRange) drop() {
	if !a.reserved {
		Syscall6(SYS_MUNMAP, a.lo, a.hi-a.lo, 0, 0, 0, 0)
		return
	}
	flags := uintptr(MAP_PRIVATE | MAP_ANON | MAP_FIXED)
	Syscall6(SYS_MMAP, a.lo, a.hi-a.lo, PROT_NONE, flags, ^uintptr(0), 0)
}

// Changes is called before the protection of memory changes, or memory is unmapped, on the
// program's behalf.
func Changes(p, size uintptr) {
	if r := rewinding; r != nil && !r.spoiled && !r.isMade(p, size) {
		Spoil()
	}
}

// Unmaps reports whether memory of the run-time system's is really to be unmapped: nobody looks at
// it any more, and if it was there when the run began it has to be there again.
func Unmaps(p, size uintptr) bool {
	r := rewinding
	return r == nil || r.spoiled || r.isMade(p, size)
}

// Discards lets memory read as zero, and says whether the kernel has to do it.
func Discards(p, size uintptr) bool {
	r := rewinding
	if r == nil || r.spoiled || r.isMade(p, size) {
		return true
	}
	if size > maxDiscard {
		Spoil()
		return true
	}
	for at := p; at < p+size; at += PageSize {
		if *r.find(at) == 0 && r.isZero(at) {
			continue
		}
		Clear(Ptr(at), PageSize)
	}
	return false
}

func (r *rewinder) isZero(at uintptr) bool {
	for off := uintptr(0); off < PageSize; off += 8 {
		if *(*uint64)(Ptr(at + off)) != 0 {
			return false
		}
	}
	return true
}
