package runtime

import (
	"loam/rt/hist"
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
	"loam/rt/tracer"
	"unsafe"
)

// What the flight recorder keeps, by which rules it writes, and what.

const (
	flightCategory = "loam/flight" // of the message in the trace that says why it was written
	flightBytes    = 64 << 20      // are kept at most
	flightLook     = 10e6          // nanoseconds between two looks at the rules
	regionLook     = 1e9           // and at regions,
	regionFew      = 100           // of which it takes that many to judge
)

// flightGeneration is one of the trace's.
type flightGeneration struct {
	batches [][]byte
	size    int
	began   int64 // no event in it is older
}

// regionRule is about the regions of one name.
type regionRule struct {
	name  string
	limit int64
	times hist.Times
	seen  [hist.Buckets]uint64 // times as they were when they were last judged
	open  mutex                // guards begun
	begun map[uint64][]int64   // by goroutine, one in the other
}

// keepFlight is the goroutine that reads the trace.
func keepFlight() {
	f := &flight
	for b := ReadTrace(); b != nil; b = ReadTrace() {
		b = append([]byte(nil), b...)
		f.kept.Lock()
		switch {
		case f.head == nil:
			f.head = b
		case len(b) == 1 && b[0] == tracer.EvEndOfGeneration:
			f.now.add(b)
			f.old = append(f.old, f.now)
			f.now = flightGeneration{began: nanotime()}
			f.forget()
		default:
			f.now.add(b)
		}
		f.kept.Unlock()
	}
}

func (g *flightGeneration) add(b []byte) {
	g.batches = append(g.batches, b)
	g.size += len(b)
}

// forget drops generations from the oldest on: those that ended before the window, and what is too
// much. The last one that is complete stays. f.kept is held.
func (f *flightRecorder) forget() {
	size := 0
	for i := range f.old {
		size += f.old[i].size
	}
	n := 0
	for n < len(f.old)-1 && (f.old[n+1].began < nanotime()-f.window || size > flightBytes) {
		size -= f.old[n].size
		n++
	}
	f.old = append([]flightGeneration(nil), f.old[n:]...)
}

// watchFlight is the goroutine that looks at the rules.
func watchFlight() {
	for {
		timer.SleepFor(flightLook)
		flight.judge(false)
	}
}

// judge writes a file if a rule says so. last says that the program ends.
func (f *flightRecorder) judge(last bool) {
	f.judged.Lock()
	defer f.judged.Unlock()
	why := f.broken(last)
	now := nanotime()
	if why == "" || f.written == f.most || f.written != 0 && now < f.writtenAt+f.apart {
		return
	}
	f.written++
	f.writtenAt = now
	sched.TraceLog(0, flightCategory, why)
	if !endGeneration(false) {
		return // the program is dying
	}
	name := f.file + "." + itoa(f.written)
	if errno := f.write(name); errno == 0 {
		sys.PrintString("loam: " + flightEnv + ": " + why + "; " + name + " has what came before\n")
	} else if !f.lastFailed {
		f.lastFailed = true
		sys.PrintString("loam: " + flightEnv + ": " + why + "; cannot write " + name + ": " + openError(errno) + "\n")
	}
}

// broken says which rule is broken, "" if none is.
func (f *flightRecorder) broken(last bool) string {
	if f.runnable != 0 {
		if wait, id := sched.LongWait(); wait != 0 {
			return "goroutine " + itoa(int64(id)) + " could run, and had no processor for " + millis(wait)
		}
	}
	if f.pause != 0 {
		if pause := sched.LongPause(); pause != 0 {
			return "the world was stopped for " + millis(pause)
		}
	}
	if now := nanotime(); last || now >= f.regionsAt+regionLook {
		f.regionsAt = now
		for i := range f.regions {
			if p := f.regions[i].percentile(); p > f.regions[i].limit {
				return "one in a hundred regions " + f.regions[i].name + " takes more than " + millis(p)
			}
		}
	}
	return ""
}

func millis(ns int64) string { return itoa(ns/1e6) + "." + itoa(ns/1e5%10) + " ms" }

// write writes what is kept.
func (f *flightRecorder) write(name string) (errno int64) {
	f.kept.Lock()
	head, old := f.head, f.old
	f.kept.Unlock()
	fd := sys.Open(name+"\x00", sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC, 0o666)
	if fd < 0 {
		return int64(-fd)
	}
	errno = writeAll(fd, head)
	for i := range old {
		for _, b := range old[i].batches {
			if errno == 0 {
				errno = writeAll(fd, b)
			}
		}
	}
	sys.Close(fd)
	return errno
}

func writeAll(fd int32, b []byte) (errno int64) {
	for len(b) > 0 {
		n := sys.Write(fd, unsafe.Pointer(unsafe.SliceData(b)), len(b))
		switch {
		case n > 0:
			b = b[n:]
		case n != -sys.EINTR:
			return int64(-n)
		}
	}
	return 0
}

// region notes that a region of the current goroutine begins or ends.
func (f *flightRecorder) region(begin bool, name string) {
	for i := range f.regions {
		if r := &f.regions[i]; r.name == name {
			r.note(begin, sched.CurrentG().ID, nanotime())
		}
	}
}

func (r *regionRule) note(begin bool, id uint64, now int64) {
	r.open.Lock()
	stack := r.begun[id]
	n := len(stack)
	switch {
	case begin:
		r.begun[id] = append(stack, now)
	case n == 1:
		delete(r.begun, id)
	case n > 1:
		r.begun[id] = stack[:n-1]
	}
	r.open.Unlock()
	if !begin && n > 0 {
		r.times.Add(now - stack[n-1])
	}
}

// percentile returns a time that one in a hundred of the regions since the last judgement took at
// least, 0 if there were too few: they count the next time.
func (r *regionRule) percentile() int64 {
	var count [hist.Buckets]uint64
	sum := uint64(0)
	for i := range count {
		count[i] = r.times.Read(i) - r.seen[i]
		sum += count[i]
	}
	if sum < regionFew {
		return 0
	}
	slow := uint64(0)
	at := 0
	for i := len(count) - 1; i > 0; i-- {
		r.seen[i] += count[i]
		if slow += count[i]; at == 0 && slow*100 >= sum {
			at = i
		}
	}
	return int64(hist.Bound(at))
}
