package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// call lowers a call in value position.
func (b *deferrals) call(in *mid.Call) {
	c := &in.Call
	if c.Builtin() != mid.NoBuiltin {
		b.builtin(in)
		return
	}
	if f := c.StaticCallee(); f != nil && b.intrinsic(in, f) {
		return
	}
	if f := c.StaticCallee(); f != nil && b.callSecond(in, f) {
		if b.exact != nil {
			b.exact.second[in] = true
		}
		return
	}
	args, clo := b.args(c), b.context(c)
	release := b.keepPointers(c)
	if b.exact != nil && b.m.calls.CollectingCall(b.f, in) {
		b.beforeCollection(in, true)
	}
	if f := c.StaticCallee(); f == nil || !b.callBigWord(in, f, args) {
		b.calling = in
		b.setResults(in, b.callCommon(in, c, args, clo))
		b.calling = nil
	}
	release()
}

// callSecond calls the second form of the callee if what it makes can be in this frame or the
// caller's. ok is false if the ordinary form has to be called.
func (b *deferrals) callSecond(in *mid.Call, f *mid.Func) (ok bool) {
	e := b.m.in.Escape
	if e == nil || b.m.noHeap || b.m.in.Flags.NoInline {
		return false
	}
	size := e.MadeSize(in)
	if size == 0 {
		return false
	}
	owned := b.ownedSlots()
	p, ok := b.slot(in, size, 8)
	if !ok {
		return false
	}
	if b.ownedSlots() > owned {
		b.exact.slots[owned].made = true
	}
	args := append(b.args(&in.Call), p)
	release := b.keepPointers(&in.Call)
	b.calling = in
	b.setResults(in, b.emitCall(b.m.sigOf(f.Signature), b.m.secondRef(f), ir.Value{}, args))
	b.calling = nil
	release()
	return true
}
