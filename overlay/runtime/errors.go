package runtime

import (
	"internal/abi"
	"internal/goversion"
	"loam/rt/symtab"
	"loam/rt/sys"
	"unsafe"
)

// Error identifies a run-time error: what a failed operation of the language (an index out of
// range, a nil dereference, a failed type assertion) panics with. Packages outside the standard
// library should not implement it.
type Error interface {
	error

	// RuntimeError does nothing; having it marks the type.
	RuntimeError()
}

// A TypeAssertionError explains a failed type assertion.
type TypeAssertionError struct {
	target  *abi.Type // what was asserted
	dynamic *abi.Type // what the operand held, nil if it was nil
	operand *abi.Type // its static type, nil if unknown
	lacks   string    // a method of target that dynamic has not, if target is an interface
}

// RuntimeError marks a TypeAssertionError as an [Error].
func (*TypeAssertionError) RuntimeError() {}

// Error says which conversion failed and why.
func (e *TypeAssertionError) Error() string {
	return "interface conversion: " + e.reason()
}

func (e *TypeAssertionError) reason() string {
	want := toRType(e.target).string()
	if e.dynamic != nil && e.lacks != "" {
		return toRType(e.dynamic).string() + " is not " + want + ": missing method " + e.lacks
	}
	from, have, apart := "interface", "nil", ""
	if e.operand != nil {
		from = toRType(e.operand).string()
	}
	if e.dynamic != nil {
		have = toRType(e.dynamic).string()
		if have == want {
			apart = " (types from different " + e.difference() + ")"
		}
	}
	return from + " is " + have + ", not " + want + apart
}

// difference is where two types that are spelled alike are not the same.
func (e *TypeAssertionError) difference() string {
	if toRType(e.dynamic).pkgPath() == toRType(e.target).pkgPath() {
		return "scopes"
	}
	return "packages"
}

// errorString is a run-time error whose message is "runtime error: " and its text.
type errorString string

func (e errorString) RuntimeError() {}
func (e errorString) Error() string { return "runtime error: " + string(e) }

// errorAddressString is an errorString for a fault at a known address; see debug.SetPanicOnFault.
type errorAddressString struct {
	errorString
	at uintptr
}

// Addr returns the address whose access faulted.
func (e errorAddressString) Addr() uintptr { return e.at }

// plainError is a run-time error whose message is its text alone (channel and map misuse).
type plainError string

func (e plainError) RuntimeError() {}
func (e plainError) Error() string { return string(e) }

// A PanicNilError is what recover returns after panic(nil), unless GODEBUG=panicnil=1.
type PanicNilError struct {
	// A field that no other struct type has, so that no conversion to or from
	// PanicNilError compiles elsewhere.
	_ [0]*PanicNilError
}

// Error returns the message of panic(nil).
func (*PanicNilError) Error() string {
	if goversion.Version >= 27 {
		return "runtime error: panic called with nil argument"
	}
	return "panic called with nil argument"
}

// RuntimeError marks a PanicNilError as an [Error].
func (*PanicNilError) RuntimeError() {}

// The errors below are values, not calls, because package math/bits and compiled code refer to
// some of them, and because raising one must not allocate.
var (
	shiftError    = error(errorString("negative shift amount"))
	divideError   = error(errorString("integer divide by zero"))
	overflowError = error(errorString("integer overflow"))
	floatError    = error(errorString("floating point error"))
	memoryError   = error(errorString("invalid memory address or nil pointer dereference"))
)

// rangeErrors are what is said of the states of a range-over-func body in which it must not be
// called, or its loop left.
var rangeErrors = [...]error{
	abi.RF_DONE:          errorString("range function continued iteration after function for loop body returned false"),
	abi.RF_PANIC:         errorString("range function continued iteration after loop body panic"),
	abi.RF_EXHAUSTED:     errorString("range function continued iteration after whole loop exit"),
	abi.RF_MISSING_PANIC: errorString("range function recovered a loop body panic and did not resume panicking"),
}

func panicshift()    { panic(shiftError) }
func panicdivide()   { panic(divideError) }
func panicoverflow() { panic(overflowError) }

// panicnil is a nil dereference that compiled code found by itself. It is reported as what it would
// have been otherwise: a fault at address addr, whose handler its frame stands for in stack traces.
//
//go:noinline
func panicnil(addr uintptr) {
	const notMapped = 1
	pc, fp := pastHop(sys.CallerPC(), callerFP(sys.FramePointer()))
	panicmem(&fault{sig: sys.SIGSEGV, code: notMapped, addr: addr, pc: pc - 1}, pc, fp)
}

// panicmem is the panic of an access through nil in the function that pc and fp describe.
//
//go:noinline
func panicmem(f *fault, pc, fp uintptr) { faultPanic(memoryError, f, pc, fp) }

// panicrangestate reports misuse of a range-over-func loop body; state is an abi.RF_State.
func panicrangestate(state int) {
	if uint(state) >= uint(len(rangeErrors)) || rangeErrors[state] == nil {
		throw("panicrangestate: unknown state of a range-over-func body")
	}
	panic(rangeErrors[state])
}

// Each of these is two functions because gc has two frames for it (roleInPanic).

func panicmakeslicelen()      { makeslicelen() }
func panicmakeslicecap()      { makeslicecap() }
func panicunsafeslicelen()    { unsafeslicelen() }
func panicunsafeslicenilptr() { unsafeslicenilptr() }

func makeslicelen()      { panic(errorString("makeslice: len out of range")) }
func makeslicecap()      { panic(errorString("makeslice: cap out of range")) }
func unsafeslicelen()    { panic(errorString("unsafe.Slice: len out of range")) }
func unsafeslicenilptr() { panic(errorString("unsafe.Slice: ptr is nil and len is not zero")) }

func panicunsafestringlen()    { panic(errorString("unsafe.String: len out of range")) }
func panicunsafestringnilptr() { panic(errorString("unsafe.String: ptr is nil and len is not zero")) }
func panicSliceCapOverflow()   { panic(errorString("growslice: len out of range")) }
func panicunhashable(t *abi.Type) {
	panic(errorString("hash of unhashable type " + toRType(t).string()))
}

// panicwrap is called by the compiler's method wrapper of (*T).M, for a value method M, when the
// pointer is nil. The wrapper's name says which.
//
//go:noinline
func panicwrap() {
	var out [symtab.MaxInline]symtab.Frame
	name := "unknown.(*T).M"
	pc, _ := pastHop(sys.CallerPC(), callerFP(sys.FramePointer()))
	if n := symbolize(pc-1, &out); n > 0 {
		name = out[0].Func // also if the wrapper was inlined
	}
	pkg, rest := name, ""
	for i := 0; i+2 < len(name); i++ {
		if name[i] == '.' && name[i+1] == '(' && name[i+2] == '*' {
			pkg, rest = name[:i], name[i+3:]
			break
		}
	}
	if hasSuffix(rest, "-wrap") {
		rest = rest[:len(rest)-len("-wrap")]
	}
	typ, method := sys.Cut(rest, ')')
	if method != "" {
		method = method[1:] // the dot
	}
	panic(plainError("value method " + pkg + "." + typ + "." + method + " called using nil *" + typ + " pointer"))
}

// panicplain panics with a run-time error whose message is msg without a prefix. Packages below
// this one (channels) call it by linkname.
func panicplain(msg string) { panic(plainError(msg)) }

// stuckBubble is the panic of a synctest bubble in which nobody can go on. If it ends the program,
// the stacks of the goroutines of that bubble are printed instead of the panicking one's alone.
type stuckBubble struct {
	text string
	of   unsafe.Pointer
}

func (b stuckBubble) Error() string { return b.text }

// panicstring panics with a string, as gc does where synctest is misused.
func panicstring(msg string) { panic(msg) }

// panicBubble is for rt/synctest.
func panicBubble(reason string, bubble unsafe.Pointer) {
	panic(stuckBubble{reason, bubble})
}
