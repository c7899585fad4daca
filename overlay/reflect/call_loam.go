// Loam's part of reflect: calls of functions whose type is known only now, and function values
// that reflect makes. Upstream lays out memory frames; rt/reflectcall, whose doc.go explains the
// whole, moves them to registers and back. overlay.txt patches the few lines where upstream
// hands a frame to assembly.

package reflect

import (
	"internal/abi"
	"loam/rt/reflectcall"
	"unsafe"
)

// frameCall is a call under way. The embedded part is first: the trampoline passes on its address.
type frameCall struct {
	reflectcall.Call
	typ   *funcType
	frame unsafe.Pointer
}

// pointer is what modules pull by go:linkname under this name, with the signature that upstream
// declares it with.
//
//go:linkname pointer reflect.(*Value).pointer
func pointer(v Value) unsafe.Pointer { return v.pointer() }

// fewWords is the number of stack words for which callFrame needs no allocation.
const fewWords = 16

// callFrame calls the function value fn, the address of a word that holds its code address, with
// the arguments in frame, and stores the results behind them. t is fn's type without the receiver;
// receiver says that frame begins with a receiver word. Frame may be heap memory. Panics pass
// through.
func callFrame(t *funcType, receiver bool, fn, frame unsafe.Pointer) {
	c := frameCall{typ: t, frame: frame}
	ft := (*reflectcall.FuncType)(unsafe.Pointer(t))
	c.Prepare(ft, receiver, fn, abi.FuncPCABIInternal(takeResults))
	var few [fewWords]uintptr
	stack := abi.NoEscape(unsafe.Pointer(&few)) // it is used up when the call has been made
	if n := c.Sig.StackWords; n > fewWords {
		stack = unsafe.Pointer(unsafe.SliceData(make([]uintptr, n)))
	}
	c.Pack(ft, receiver, frame, stack)
	reflectcallDo(&c.Call)
}

// reflectcallDo is the trampoline that makes the prepared call; it calls takeResults before it
// returns.
//
//go:linkname reflectcallDo loam/rt/reflectcall.call
//go:noescape
func reflectcallDo(c *reflectcall.Call)

// takeResults copies the results of a call into its frame. The trampoline calls it with the result
// registers and the result area still on the stack, where the collector sees them until the write
// barriers have been passed.
func takeResults(call *reflectcall.Call, res *reflectcall.Results, area unsafe.Pointer) {
	c := (*frameCall)(unsafe.Pointer(call))
	results := reflectcall.ResultReader{Results: res}
	offset := c.Sig.RetOffset
	var small [8]uintptr
	for _, t := range c.typ.OutSlice() {
		offset = align(offset, uintptr(t.Align()))
		size := t.Size()
		if size == 0 {
			continue
		}
		to := add(c.frame, offset, "result of a laid-out frame")
		switch {
		case c.Sig.Area:
			typedmemmove(t, to, add(area, offset-c.Sig.RetOffset, "result area has the frame's layout"))
		case size <= unsafe.Sizeof(small):
			results.Next((*reflectcall.Type)(unsafe.Pointer(t)), unsafe.Pointer(&small))
			typedmemmove(t, to, unsafe.Pointer(&small))
		default: // few leaves and much padding
			tmp := unsafe_New(t)
			results.Next((*reflectcall.Type)(unsafe.Pointer(t)), tmp)
			typedmemmove(t, to, tmp)
		}
		offset += size
	}
}

// stubSizes is what the stub behind a made function must know of its type; it stands in
// makeFuncCtxt's argLen.
func stubSizes(t *funcType) uintptr {
	return reflectcall.StubSizes((*reflectcall.FuncType)(unsafe.Pointer(t)))
}

// makeFuncEntry is called by makeFuncStub, which is the code of a MakeFunc function. frame is
// zeroed stack memory.
func makeFuncEntry(ctxt *makeFuncImpl, e *reflectcall.Entry, frame unsafe.Pointer) {
	t := (*reflectcall.FuncType)(unsafe.Pointer(ctxt.ftyp))
	area := e.UnpackArgs(t, frame)
	var valid bool
	var regs abi.RegArgs
	callReflect(ctxt, frame, &valid, &regs)
	e.PackResults(t, frame, area)
}

// methodValueEntry is called by methodValueCall, the code of a method value.
func methodValueEntry(ctxt *methodValue, e *reflectcall.Entry, frame unsafe.Pointer) {
	_, typ, _ := methodReceiver("call", ctxt.rcvr, ctxt.method)
	t := (*reflectcall.FuncType)(unsafe.Pointer(typ))
	area := e.UnpackArgs(t, frame)
	var valid bool
	var regs abi.RegArgs
	callMethod(ctxt, frame, &valid, &regs)
	e.PackResults(t, frame, area)
}

// codePointer returns the address of the function that the code of a func value stands for.
//
//go:linkname codePointer runtime.codePointer
func codePointer(code unsafe.Pointer) unsafe.Pointer
