package runtime

import (
	"loam/rt/cpuprof"
	"loam/rt/sched"
	"loam/rt/sema"
	"loam/rt/symtab"
	"loam/rt/timer"
	"loam/rt/tracer"
	"loam/rt/whereis"
	"unsafe"
)

// The execution tracer as package runtime/trace uses it: StartTrace, then one goroutine that calls
// ReadTrace until it returns nil, which it does after StopTrace. How a trace comes about is in
// rt/tracer and rt/sched/trace.go. Here generations are ended, now and then and when asked for, and
// what their events refer to is written out.

// generationNs is how long a generation lasts: a flight recorder drops whole ones. The first ones
// are shorter, from firstGenerationNs on twice as long each time: only whole ones can be read of a
// program that is killed.
const (
	generationNs      = 1e9
	firstGenerationNs = 100e6
)

// tracing serialises what begins and ends generations. turn and read are semaphores.
var tracing = struct {
	turn    uint32 // 1: nobody is at it
	read    uint32 // released by the reader when it has got all of a generation, and comes for more
	ticking bool   // endGenerations runs
}{turn: 1}

// traceReader is the state of the goroutine that calls ReadTrace.
var traceReader struct {
	open   bool   // a trace is being read
	header bool   // its header was handed out
	ended  bool   // the end of gen was handed out
	gen    uint64 // the generation that is read
	last   uint64 // the last one, 0 while not known
	batch  tracer.Batch
	filled bool     // batch was handed out
	g      *sched.G // the goroutine; nil when no trace is read
}

// manyGoroutines is from how many goroutines on StartTrace does not wait until the trace knows all
// of them.
const manyGoroutines = 1000

// StartTrace starts the execution tracer. It is for packages such as runtime/trace. There is one
// trace at a time.
func StartTrace() error {
	sema.Acquire(&tracing.turn, false, sched.WaitSemacquire, 0)
	if tracer.On {
		sema.Release(&tracing.turn, false, 0)
		return errorString("tracing is already enabled")
	}
	sched.TraceStart()
	r := &traceReader
	r.open, r.header, r.ended = true, false, false
	r.gen, r.last = tracer.Gen, 0
	traceFigures()
	if !tracing.ticking {
		tracing.ticking = true
		sched.NewSystem(endGenerations)
	}
	if sched.NumGoroutine() < manyGoroutines {
		traceOthers()
	} else {
		sched.NewSystem(traceOthers)
	}
	return nil
}

// traceOthers tells about the goroutines that were there before the trace, and passes the turn on.
func traceOthers() {
	sched.TraceOthers()
	sema.Release(&tracing.turn, false, 0)
}

// StopTrace stops the execution tracer. It returns when the reader has got everything.
func StopTrace() { endGeneration(true) }

// traceAdvance ends a generation, and returns when the reader has got all of it.
func traceAdvance(stop bool) { endGeneration(stop) }

func endGeneration(stop bool) (on bool) {
	sema.Acquire(&tracing.turn, false, sched.WaitSemacquire, 0)
	defer sema.Release(&tracing.turn, false, 0)
	if !tracer.On {
		return false
	}
	traceFigures()
	var gen uint64
	if stop {
		gen = sched.TraceStop()
		traceReader.last = gen
	} else {
		gen = sched.TraceNext()
	}
	writeSamples(gen)
	writeStacks(gen)
	tracer.WriteStrings(gen)
	tracer.WriteSync(gen)
	tracer.End(gen)
	if g := (*sched.G)(tracer.TakeReader()); g != nil {
		sched.Ready(g)
	}
	sema.Acquire(&tracing.read, false, sched.WaitSemacquire, 0)
	return true
}

// endGenerations is a goroutine that ends generations while tracing is on.
func endGenerations() {
	for ns := int64(firstGenerationNs); ; ns = min(2*ns, generationNs) {
		timer.SleepFor(ns)
		if endGeneration(false) {
			continue
		}
		sema.Acquire(&tracing.turn, false, sched.WaitSemacquire, 0)
		done := !tracer.On
		if done {
			tracing.ticking = false
		}
		sema.Release(&tracing.turn, false, 0)
		if done {
			return
		}
	}
}

// ReadTrace returns the next piece of the trace: the header, then whole batches, and after those of
// each generation one byte that ends it. It blocks until there is one, and returns nil after
// StopTrace has been called and all was returned. The memory is valid until the next call. One
// goroutine reads.
func ReadTrace() (buf []byte) {
	r := &traceReader
	if r.filled {
		r.filled = false
		r.batch.Free()
	}
	if !r.open {
		r.g = nil
		return nil
	}
	r.g = sched.CurrentG()
	if !r.header {
		r.header = true
		return []byte(tracer.Header)
	}
	if r.ended {
		r.ended = false
		r.open = r.gen != r.last
		r.gen++
		open := r.open
		sema.Release(&tracing.read, false, 0)
		if !open {
			r.g = nil
			return nil
		}
	}
	for {
		b, ok, ended := tracer.Take(r.gen)
		if ok {
			r.batch, r.filled = b, true
			return b.Bytes()
		}
		if ended {
			r.ended = true
			return []byte{tracer.EvEndOfGeneration}
		}
		sched.Park(waitForTrace, unsafe.Pointer(sched.CurrentG()), sched.WaitTraceReader)
	}
}

func waitForTrace(g unsafe.Pointer) bool { return tracer.Wait(traceReader.gen, g) }

//go:linkname trace_readTrace runtime/trace.runtime_readTrace
func trace_readTrace() (buf []byte) { return ReadTrace() }

func traceClockNow() uint64 { return tracer.Ticks() }

//go:linkname trace_clockUnitsPerSecond runtime/trace.runtime_traceClockUnitsPerSecond
func trace_clockUnitsPerSecond() uint64 { return 1e9 / tracer.TickNs }

// Annotations.

//go:linkname trace_userTaskCreate runtime/trace.userTaskCreate
func trace_userTaskCreate(id, parentID uint64, taskType string) {
	sched.TraceTask(true, id, parentID, taskType)
}

//go:linkname trace_userTaskEnd runtime/trace.userTaskEnd
func trace_userTaskEnd(id uint64) { sched.TraceTask(false, id, 0, "") }

//go:linkname trace_userRegion runtime/trace.userRegion
func trace_userRegion(id, mode uint64, name string) {
	if flight.regions != nil {
		flight.region(mode == 0, name)
	}
	sched.TraceRegion(mode == 0, id, name)
}

//go:linkname trace_userLog runtime/trace.userLog
func trace_userLog(id uint64, category, message string) { sched.TraceLog(id, category, message) }

// sampleMark comes first in the stacks of samples, which show all frames. It is no address.
const sampleMark = 1

// tracedLeaves is for samples in traces what cpuReader is for the profile's. The holder of the turn
// uses it.
var tracedLeaves cpuProfileReader

// writeSamples writes the samples of the CPU profile, if there is one, and adds their stacks to the
// generation's table.
func writeSamples(gen uint64) {
	w := tracer.NewTableWriter(gen, tracer.EvCPUSamples)
	if tracedLeaves.leaves == nil {
		tracedLeaves.leaves = make(map[uintptr]leafShape)
	}
	var marked struct {
		mark uintptr
		pcs  [2 + cpuprof.Depth]uintptr
	}
	marked.mark = sampleMark
	cpuprof.ReadTraced(gen, func(s cpuprof.TracedSample, stack []uint64) {
		n := tracedLeaves.returns(stack, &marked.pcs)
		w.Sample(s.Time, s.M, s.P, s.G, tracer.StackIn(gen, &marked.mark, 1+n))
	})
	w.Close()
}

// Stacks.

// tracedFrame is a logical frame of a physical one. Its pc names it in the trace.
type tracedFrame struct {
	pc             uintptr
	function, file string
	line           int
	hidden         bool // only samples of the CPU profile show it
}

// tracedFrames keeps the frames at each return address that was in a stack. The holder of the
// turn uses it.
var tracedFrames map[uintptr][]tracedFrame

// writeStacks writes the stack table of a generation that is over.
func writeStacks(gen uint64) {
	if tracedFrames == nil {
		tracedFrames = make(map[uintptr][]tracedFrame)
	}
	w := tracer.NewTableWriter(gen, tracer.EvStacks)
	frames := make([]*tracedFrame, 0, tracer.MaxFrames)
	tracer.ForEachStack(gen, func(id uint64, pcs []uintptr) {
		frames = frames[:0]
		sample := pcs[0] == sampleMark
		if sample {
			pcs = pcs[1:]
		}
		for _, pc := range pcs {
			at := framesAt(pc)
			if len(pcs) == 1 && !sample && allHidden(at) {
				at = startedAt(pc)
			}
			for i := range at {
				if len(frames) < tracer.MaxFrames && (sample || !at[i].hidden) {
					frames = append(frames, &at[i])
				}
			}
		}
		if len(frames) == 0 && !sample {
			if f := ownFrame(pcs); f != nil {
				frames = append(frames, f)
			}
		}
		w.Stack(id, len(frames))
		for _, f := range frames {
			w.Frame(f.pc, tracer.String(gen, f.function), tracer.String(gen, f.file), uint64(f.line))
		}
	})
	w.Close()
}

// ownFrame returns what to show of a stack of which everything is hidden, that of a goroutine of
// the run-time system's: the function that it was started with, nil if that is not known.
func ownFrame(pcs []uintptr) *tracedFrame {
	for n := len(pcs) - 1; n >= 0; n-- {
		at := framesAt(pcs[n])
		if len(pcs) == 1 {
			if to := forwardedTo(pcs[n] - 1); to != 0 {
				at = framesAt(to + 1)
			}
		}
		for i := len(at) - 1; i >= 0; i-- {
			if f := &at[i]; isOwnFunction(f.function) {
				return f
			}
		}
	}
	return nil
}

// isOwnFunction tells the functions of the run-time system from the code that is only on the way to
// them.
func isOwnFunction(name string) bool {
	if hasSuffix(name, "·v") || hasPrefix(name, "internal/rt/sys.") {
		return false
	}
	return hasPrefix(name, "internal/rt/") || hasPrefix(name, "runtime.") && name != "runtime.goexit" && name != "runtime.systemstack"
}

// forwardedTo returns what the forwarder at entry calls, if it is one that has a frame as those of
// the run-time system's packages, else 0.
func forwardedTo(entry uintptr) uintptr {
	const pushMoveCall = 0xe8e5894855 // push %rbp; mov %rsp, %rbp; call rel32
	if !inWrapSection(entry) || *(*uint64)(unsafe.Pointer(entry))&(1<<40-1) != pushMoveCall {
		return 0
	}
	return entry + 9 + uintptr(*(*int32)(unsafe.Pointer(entry + 5)))
}

// startedAt returns what to show of a new goroutine's stack, whose one address is a byte into a
// wrapper.
func startedAt(pc uintptr) []tracedFrame {
	entry := uintptr(codePointer(unsafe.Pointer(pc - 1)))
	if at := framesAt(entry + 1); !allHidden(at) {
		tracedFrames[pc] = at
		return at
	}
	f, _ := startedBy(entry)
	if f.Func == "" {
		return nil
	}
	frames := []tracedFrame{{pc: pc, function: f.Func, file: f.File, line: max(f.StartLine, 1)}}
	tracedFrames[pc] = frames
	return frames
}

// startedBy returns the function that a go statement names whose wrapper is at entry, and a return
// address that stands for it. The wrapper jumps to the function, calls it, or contains it.
func startedBy(entry uintptr) (symtab.Frame, uintptr) {
	var out, callee [symtab.MaxInline]symtab.Frame
	n := symbolize(entry, &out)
	if n == 0 {
		return symtab.Frame{}, 0
	}
	for at, end := entry, out[n-1].End; at < end; at++ {
		to := at
		if *(*byte)(unsafe.Pointer(at)) == 0xe8 && at+5 <= end { // call rel32
			to = at + 5 + uintptr(*(*int32)(unsafe.Pointer(at + 1)))
			if k := whereis.Lookup(to, &callee); k == 0 || callee[k-1].Entry != to {
				to = at
			}
		}
		k := symbolize(to, &callee)
		for i := k - 1; i >= 0; i-- {
			if f := &callee[i]; !hiddenInTraces(f) && !hasPrefix(f.Func, "runtime.") {
				return *f, logicalPC(to+1, i)
			}
		}
	}
	return symtab.Frame{}, 0
}

func allHidden(frames []tracedFrame) bool {
	for i := range frames {
		if !frames[i].hidden {
			return false
		}
	}
	return true
}

// framesAt returns the logical frames of the code before a return address.
func framesAt(pc uintptr) []tracedFrame {
	frames, ok := tracedFrames[pc]
	if ok {
		return frames
	}
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc-1, &out)
	for i := range out[:n] {
		f := &out[i]
		frames = append(frames, tracedFrame{logicalPC(pc, i), f.Func, f.File, f.Line, hiddenInTraces(f)})
	}
	tracedFrames[pc] = frames
	return frames
}

// hiddenInTraces is classify for traces, which show through which of the runtime package's
// functions a goroutine blocks, as upstream's do.
func hiddenInTraces(f *symtab.Frame) bool {
	return hasPrefix(f.Func, "__morestack") || f.Func == "runtime.goexit" || f.Func == "runtime.main" ||
		f.Func == "runtime.newproc" || f.Func == "runtime.systemstack" || hasPrefix(f.Func, "internal/rt/") ||
		isOwn(f.Func) || hasPrefix(f.Func, "runtime/trace.user") || isGenerated(f)
}
