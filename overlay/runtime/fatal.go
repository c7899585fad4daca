package runtime

import (
	"internal/abi"
	"loam/rt/sched"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// The end of a program that cannot go on: an unrecovered panic, a fatal error (misuse that the
// language does not let a program recover from, such as concurrent map writes), or an inconsistency
// in the run-time system (throw). All print to standard error what happened and where, and exit
// with status 2, or abort with a core dump if GOTRACEBACK says so.

// dying is the thread that is printing the final report, 0 if none.
var dying atomic.Uintptr

func isDying() bool { return dying.Load() != 0 }

// beginDying makes the caller the one that reports, and stops all others. A second goroutine that
// dies waits for the process to exit; a failure within the report itself gives up at once.
func beginDying() {
	self := uintptr(unsafe.Pointer(sys.Self()))
	if dying.CompareAndSwap(0, self) {
		sched.FreezeForReport()
		return
	}
	if dying.Load() == self {
		emitString("fatal error: failure while reporting a failure\n")
		sys.Exit(4)
	}
	for {
		sys.Usleep(1000000)
	}
}

// fatalpanic reports p, which nobody recovered, with those it interrupted, and exits.
// Debuggers know gc's function of that name, and stop there.
//
//go:noinline
func fatalpanic(p *panicking) {
	stuck, _ := p.arg.(stuckBubble)
	oldest := preprintpanics(p)
	endTraceOfDying(func() string { return panicText(oldest) })
	sys.AcquireM()
	beginDying()
	printlock()
	printPanics(oldest)
	if f := newestFault(p); f != nil {
		f.print()
	}
	printunlock()
	r := report{bubble: stuck.of}
	if level, _, _ := tracebackLevel(); level >= 2 {
		// With gopanic itself, startPanic's caller.
		r.goroutines(callerOf(callerFP(sys.FramePointer())))
	} else {
		r.panicked = true
		if p.fault != nil {
			// The address of the instruction itself, without what makes it like a return address.
			r.exact, p.pc = true, p.pc-1
		}
		r.goroutines(p.pc, p.fp)
	}
	exitFatal()
}

// newestFault returns the fault behind p or the panics it interrupted.
func newestFault(p *panicking) *fault {
	for ; p != nil; p = p.link {
		if p.fault != nil {
			return p.fault
		}
	}
	return nil
}

type stringer interface{ String() string }

// preprintpanics replaces error and Stringer values of p and the panics that it interrupted by
// their text, which takes calling the program's own methods, while that is still possible. It links
// them the other way round, too, and returns the oldest.
func preprintpanics(p *panicking) (oldest *panicking) {
	defer func() {
		if v := recover(); v != nil {
			what, ok := v.(string)
			if !ok {
				what = "type " + toRType(&efaceOf(&v).typ.Type).string()
			}
			throw("panic while printing panic value: " + what)
		}
	}()
	return linkPanics(p, printable)
}

// linkPanics links p and the panics that it interrupted from the oldest, which it returns, to p,
// and replaces their values by what text makes of them.
func linkPanics(p *panicking, text func(v any) any) (oldest *panicking) {
	var value eface // of the panic that came last, and what is printed of it
	var printed any
	for ; p != nil; p = p.link {
		if v := *efaceOf(&p.arg); oldest != nil && v == value {
			p.repanicked = true // the newer one has the same value, and no line of its own
		} else {
			value, printed = v, text(p.arg)
		}
		p.arg = printed
		p.newer, oldest = oldest, p
	}
	return oldest
}

// printable returns v, or its text if it has a method for that.
func printable(v any) any {
	switch v := v.(type) {
	case error:
		return v.Error()
	case stringer:
		return v.String()
	}
	return v
}

// printPanics prints a line for each panic, from the oldest on: an interrupting one is indented,
// and one that only raised the value of the one before it again is a remark on that one's line. It
// returns the indent of what comes next.
func printPanics(oldest *panicking) (indent string) {
	for p := oldest; p != nil; p = p.newer {
		if !p.goexit {
			emitString(indent)
			emitString("panic: ")
			printPanicValue(p.arg)
			emitString(recoveredRemark(p))
			emitString("\n")
			indent = "\t"
		}
		for p.repanicked {
			p = p.newer
		}
	}
	return indent
}

func recoveredRemark(p *panicking) string {
	switch {
	case !p.recovered:
		return ""
	case p.repanicked:
		return " [recovered, repanicked]"
	}
	return " [recovered]"
}

// printPanicValue prints the argument of a panic: basic values as println does, values of named
// basic types as conversions, all others as type and address.
func printPanicValue(v any) {
	e := efaceOf(&v)
	if e.typ == nil {
		emitString("nil")
		return
	}
	t := e.typ
	named := t.HasName() && t.pkgPath() != ""
	kind := t.Kind()
	isBasic := abi.Bool <= kind && kind <= abi.Complex128 || kind == abi.String
	if !isBasic {
		emitString("(")
		emitString(t.string())
		emitString(") ")
		printpointer(e.data)
		return
	}
	// The complex kinds bring parentheses of their own.
	paren := named && kind != abi.Complex64 && kind != abi.Complex128
	if named {
		emitString(t.string())
	}
	if paren {
		emitString("(")
	}
	if kind == abi.String {
		if named {
			emitString(`"`)
		}
		printIndented(*(*string)(e.data))
		if named {
			emitString(`"`)
		}
	} else {
		printBasic(kind, e)
	}
	if paren {
		emitString(")")
	}
}

func printBasic(kind abi.Kind, e *eface) {
	p := e.data
	switch kind {
	case abi.Bool:
		printbool(*(*bool)(p))
	case abi.Int, abi.Int64:
		printint(*(*int64)(p))
	case abi.Int8:
		printint(int64(*(*int8)(p)))
	case abi.Int16:
		printint(int64(*(*int16)(p)))
	case abi.Int32:
		printint(int64(*(*int32)(p)))
	case abi.Uint, abi.Uint64, abi.Uintptr:
		printuint(*(*uint64)(p))
	case abi.Uint8:
		printuint(uint64(*(*uint8)(p)))
	case abi.Uint16:
		printuint(uint64(*(*uint16)(p)))
	case abi.Uint32:
		printuint(uint64(*(*uint32)(p)))
	case abi.Float32:
		printfloat32(*(*float32)(p))
	case abi.Float64:
		printfloat64(*(*float64)(p))
	case abi.Complex64:
		printcomplex64(*(*complex64)(p))
	case abi.Complex128:
		printcomplex128(*(*complex128)(p))
	}
}

// printPanicOnSystemStack reports a panic of run-time code that is not on a goroutine: a bug of
// ours.
func printPanicOnSystemStack(v any) {
	printlock()
	emitString("panic: ")
	if err, ok := v.(error); ok {
		emitString(err.Error())
	} else {
		printPanicValue(v)
	}
	emitString("\n")
	printunlock()
	throw("panic on system stack")
}

// throw ends the program because the run-time system has found itself inconsistent. Any stack.
func throw(s string) { fatalError(s, true) }

// fatal ends the program because of an error of the program that it may not recover from. Any
// stack.
func fatal(s string) { fatalError(s, false) }

//go:noinline
func fatalError(s string, internal bool) {
	if !internal {
		endTraceOfDying(func() string { return "fatal error: " + s })
	}
	sys.AcquireM()
	beginDying()
	printlock()
	if !internal && sched.CurrentG() != nil {
		// A deferred call of a panic. No method of the program is called any more: the values are
		// printed as they are.
		emitString(printPanics(linkPanics(newestPanic(), func(v any) any { return v })))
	}
	emitString("fatal error: ")
	printIndented(s)
	emitString("\n")
	if sched.CurrentG() != nil {
		if f := newestFault(newestPanic()); f != nil {
			f.print() // of a panic that is not over: the error's text was asked for, or a deferred call runs
		}
	}
	printunlock()
	r := report{throw: internal}
	r.goroutines(sys.CallerPC(), callerFP(sys.FramePointer()))
	exitFatal()
}

// exitFatal ends the process after a report: status 2, or a core dump with GOTRACEBACK=crash.
func exitFatal() {
	if _, _, crash := tracebackLevel(); crash {
		dumpCore()
	}
	sys.Exit(2)
}

// report says which stacks the last words of the program have besides what GOTRACEBACK asks for.
type report struct {
	// the run-time system's own failure: everything, with its frames and addresses
	throw    bool
	bubble   unsafe.Pointer // the goroutines of this synctest bubble
	exact    bool           // the first address is an instruction's, not a return address
	panicked bool           // the first frame called gopanic or sigpanic
}

// goroutines prints the tracebacks, starting with the caller's, which is at pc in the frame with
// pointer fp.
func (r report) goroutines(pc, fp uintptr) {
	level, all, _ := tracebackLevel()
	if r.throw {
		level, all = max(level, 2), true
	}
	if level == 0 {
		return
	}
	printlock()
	gp := sched.CurrentG()
	if gp != nil {
		u := unwindSelf(pc, fp)
		u.exact, u.panicked = r.exact, r.panicked
		if r.throw && u.onSystem() {
			emitString("\nruntime stack:\n")
			printSystemStack(&u)
		}
		emitString("\n")
		tracebackCurrent(u, level >= 2, level >= 2)
	}
	if gp == nil && level >= 2 {
		emitString("\nruntime stack:\n")
		printStack(unwindSelf(pc, fp), true, true)
	}
	if all || gp == nil {
		tracebackOthers(level, nil)
	} else if r.bubble != nil {
		tracebackOthers(level, r.bubble)
	}
	printunlock()
}

// dumpCore ends the process with SIGABRT, so that the system writes a core file.
func dumpCore() {
	sys.SetDisposition(sys.SIGABRT, sys.SIG_DFL)
	unblock := uint64(1) << (sys.SIGABRT - 1)
	sys.Sigprocmask(sys.SIG_UNBLOCK, &unblock, nil)
	sys.Tgkill(sys.Getpid(), sys.Gettid(), sys.SIGABRT)
	sys.Exit(2)
}

// fault is a signal that became a panic.
type fault struct {
	sig            int32
	code, addr, pc uintptr
}

// name is the signal's in gc's words, "" if it is not a fault's.
func (f *fault) name() string {
	switch f.sig {
	case sys.SIGSEGV:
		return "SIGSEGV: segmentation violation"
	case sys.SIGBUS:
		return "SIGBUS: bus error"
	case sys.SIGFPE:
		return "SIGFPE: floating-point exception"
	}
	return ""
}

// print prints the line that follows the panic's.
func (f *fault) print() {
	emitString("[signal ")
	emitString(f.name())
	emitString(" code=")
	printhex(uint64(f.code))
	emitString(" addr=")
	printhex(uint64(f.addr))
	emitString(" pc=")
	printhex(uint64(f.pc))
	emitString("]\n")
}
