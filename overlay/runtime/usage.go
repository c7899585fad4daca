package runtime

import (
	"loam/rt/sched"
	"loam/rt/sema"
	"loam/rt/symtab"
	"loam/rt/timer"
	"loam/rt/usage"
	"unsafe"
)

// What goroutines use, as runtime/pprof's profile "usage" shows it; rt/sched/usage.go takes it down
// from the first reading on, until usageLasts after the last one.

// usageLasts is for how long, in nanoseconds, it goes on without a reading; usageLook is how long
// the end of that may go unnoticed.
const (
	usageLasts = 60e9
	usageLook  = 5e9
)

// usageReaders serialises readings. turn is a semaphore, which guards the rest.
var usageReaders = struct {
	turn    uint32 // 1: nobody reads
	until   int64
	always  bool // LOAMDEBUG=usage=1, or a rule of the flight recorder's
	waiting bool // endUsage runs
}{turn: 1}

// A usageRow is what one goroutine used, or, with ID 0, what all that ended of a group used. It is
// runtime/pprof's type of that name.
type usageRow struct {
	ID     uint64
	State  string // what the goroutine does; "ended" for a group
	Use    usage.Use
	Stack  []uintptr // its function, and the go statement
	Labels []string  // keys and values
}

// keepUsage begins with it, for the whole run.
func keepUsage() {
	sema.Acquire(&usageReaders.turn, false, sched.WaitSemacquire, 0)
	usageReaders.always = true
	sched.StartUsage()
	sema.Release(&usageReaders.turn, false, 0)
}

// pprof_usage returns the rows, and whether use was taken down before this call.
//
//go:linkname pprof_usage runtime/pprof.usage
func pprof_usage() (rows []usageRow, before bool) {
	r := &usageReaders
	sema.Acquire(&r.turn, false, sched.WaitSemacquire, 0)
	defer sema.Release(&r.turn, false, 0)
	before = sched.UsageOn()
	r.until = nanotime() + usageLasts
	sched.StartUsage()
	if !r.waiting && !r.always {
		r.waiting = true
		sched.NewSystem(endUsage)
	}
	return readUsage(), before
}

// endUsage is a goroutine that ends the taking down when nobody has read for a while.
func endUsage() {
	r := &usageReaders
	for r.waiting {
		timer.SleepFor(usageLook)
		sema.Acquire(&r.turn, false, sched.WaitSemacquire, 0)
		if r.always || nanotime() > r.until {
			r.waiting = false
			if !r.always {
				sched.StopUsage()
			}
		}
		sema.Release(&r.turn, false, 0)
	}
}

// usedG is a row before its stack is known: nothing can be allocated while the world is stopped.
type usedG struct {
	use    usage.Use
	id     uint64
	group  *usage.Group
	status uint32
	reason sched.WaitReason
}

// readUsage makes the rows. There may be more goroutines than were counted: then it counts again.
func readUsage() []usageRow {
	for room := 2*NumGoroutine() + 256; ; room *= 2 {
		found := make([]usedG, room)
		n := 0
		add := func(u usedG) {
			if n < len(found) {
				found[n] = u
			}
			n++
		}
		sched.ReadUsage(func(g *sched.G, u usage.Use, group *usage.Group) {
			if !g.System || g.Finalizer {
				add(usedG{u, g.ID, group, g.Status, g.WaitReason})
			}
		}, func(group *usage.Group) {
			if u := group.Use(); u.Turns != 0 {
				add(usedG{use: u, group: group})
			}
		})
		if n <= len(found) {
			return usageRows(found[:n])
		}
		room = n
	}
}

func usageRows(found []usedG) []usageRow {
	rows := make([]usageRow, len(found))
	for i := range found {
		f := &found[i]
		row := &rows[i]
		row.ID, row.Use, row.State = f.id, f.use, "ended"
		if f.id != 0 {
			row.State = usageState(f.status, f.reason)
		}
		if start := startFunction(f.group.Start); start != 0 {
			row.Stack = append(row.Stack, start)
			if f.group.Creator != 0 {
				var pcs [symtab.MaxInline]uintptr
				n := expandPCs(pcs[:], []uintptr{f.group.Creator})
				row.Stack = append(row.Stack, pcs[:n]...)
			}
		}
		f.group.Labels(func(key, value string) { row.Labels = append(row.Labels, key, value) })
	}
	return rows
}

// startFunction returns a return address that stands for the function with which goroutines begin
// whose code is at entry, 0 if that is not known.
func startFunction(entry uintptr) uintptr {
	if entry == 0 {
		return 0
	}
	entry = uintptr(codePointer(unsafe.Pointer(entry)))
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(entry, &out)
	if n > 0 && isGenerated(&out[n-1]) {
		if _, pc := startedBy(entry); pc != 0 {
			return pc
		}
	}
	return logicalPC(entry+1, max(n-1, 0))
}

// usageState says in the words of tracebacks what a goroutine does.
func usageState(status uint32, reason sched.WaitReason) string {
	switch status {
	case sched.Running:
		return "running"
	case sched.Runnable:
		return "runnable"
	case sched.Syscall:
		return "syscall"
	}
	if s := reason.String(); s != "" {
		return s
	}
	return "waiting"
}
