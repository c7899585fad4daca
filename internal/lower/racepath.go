package lower

import (
	"loam/internal/amd64"
	"loam/internal/ir"
)

// racePath has the frame of a function keep a word for the detector, right below the saved rbp: the
// number of the path of calls that leads to it, once an access below has found that out
// (overlay/runtime/racestack.go). LLVM has such a word for Swift's asynchronous functions, and
// clears it when the function is entered, if the code asks for its address. Frames of the run-time
// system have none, nor have those that nothing is called from: a panic that a signal begins there
// does not come back to them.
func (m *unit) racePath(d *ir.Definition) {
	if !m.in.Flags.Race || d.Func == nil || d.Linkage == ir.AvailableExternally || !ir.HasCalls(d.Func.Body) {
		return
	}
	f := d.Func.Body
	address := m.intrinsic("llvm.swift.async.context.addr", ir.Ptr)
	f.AtEntry(func() { f.AsmWith(amd64.Use, plainCall, ir.Void, f.Call(ir.Ptr, address)) })
}
