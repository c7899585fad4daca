package lower

import (
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Points: in builds for simulation (Flags.Points) the program's own functions ask the scheduler,
// wherever another goroutine could see or change what they see, whether they go on. There is a
// question before each operation of a channel and each call of sync and sync/atomic, which are
// mostly inlined (simop). The next function entry behind an operation asks, too, but not always is
// there one before the next operation, and a select that takes its default may not be one. Loads
// and stores of memory that others may have are counted (simaccess).
//
// Maps find that two goroutines use them at once by a flag, which is set while one of them writes.
// So in their package the question is behind each change of that flag, and nowhere else.

// point asks before in, if it is such a place.
func (b *checks) point(in mid.Instr) {
	if !b.m.in.Flags.Points || b.m.rt || b.m.isMaps() {
		return
	}
	switch in := in.(type) {
	case *mid.Call:
		switch {
		case synchronises(&in.Call) || in.Call.Builtin() == mid.BuiltinClose:
			b.ask("simop")
		case touches(&in.Call):
			b.ask("simaccess")
		}
	case *mid.Send, *mid.Select:
		b.ask("simop")
	case *mid.RunDefers: // an unlock is often one of them
		b.ask("simop")
	case *mid.UnOp:
		switch {
		case in.Op == token.MUL && !plan.IsPrivate(in.X):
			b.ask("simaccess")
		case in.Op == token.ARROW:
			b.ask("simop")
		}
	case *mid.Store:
		if !plan.IsPrivate(in.Addr) {
			b.ask("simaccess")
		}
	case *mid.MapUpdate, *mid.Next:
		b.ask("simaccess")
	case *mid.Lookup:
		if _, ok := under(in.X.Type()).(*types.Map); ok {
			b.ask("simaccess")
		}
	}
}

func (b *checks) ask(name string) { b.CallAt(ir.Void, b.m.rtFunc(name)) }

// synchronises reports whether a call goes to package sync or sync/atomic.
func synchronises(call *mid.CallCommon) bool {
	if call.IsInvoke() {
		return isSync(call.Method.Pkg())
	}
	f := call.StaticCallee()
	if f == nil {
		return false
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	if obj := f.Object(); obj != nil {
		return isSync(obj.Pkg())
	}
	return false
}

// touches reports whether a call is of a builtin that reads or writes memory of others.
func touches(call *mid.CallCommon) bool {
	switch call.Builtin() {
	case mid.BuiltinAppend, mid.BuiltinCopy, mid.BuiltinDelete, mid.BuiltinClear:
		return true
	case mid.BuiltinLen:
		_, ok := under(call.Args[0].Type()).(*types.Chan)
		return ok
	}
	return false
}
