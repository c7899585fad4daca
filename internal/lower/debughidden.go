package lower

import (
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// What debuggers of Go know that LLVM has no metadata for: what closures hold, and the types of
// what is in interfaces. It is told by hidden variables, of which the link makes the entries that
// debuggers read (internal/debugnames).

// What hidden variables and their types are called.
const (
	closureName = "·closure"
	boxedName   = "·boxed"
)

// describeClosure describes what the function finds in its closure, but for what has no name: a
// variable without a place, whose type is a struct. The link makes of it what debuggers know
// closures by (internal/debugnames). What the closure has the address of has & before its name, as
// with gc.
func (b *places) describeClosure(name func(*mid.FreeVar) string) {
	var members []ir.Meta
	held := heldTypes(b.f)
	offs, size := b.m.closureLayout(held)
	for i, fv := range b.f.FreeVars {
		shown := name(fv)
		if shown == "" || shown == "_" {
			continue
		}
		if !escape.ByValue(fv) && b.f.Kind != mid.Bound {
			shown = "&" + shown
		}
		members = append(members, b.m.dbg.member(shown, b.m.dbg.typ(held[i]), b.m.info(held[i]).size, offs[i]))
	}
	b.hide(closureName, size, members)
}

// describeBoxed describes the types that the function makes interfaces of: a debugger that finds
// such an interface knows what is in it, even if no variable is of that type.
func (b *places) describeBoxed() {
	if !b.m.dbg.describes(b.f) {
		return
	}
	var members []ir.Meta
	for _, t := range boxed(b.f) {
		members = append(members, b.m.dbg.member("", b.m.dbg.typ(t), 0, 0))
	}
	b.hide(boxedName, 0, members)
}

// hide describes a variable that the function does not have, whose type is a struct of the members.
// The link takes both out of the debug information (internal/debugnames).
func (b *places) hide(name string, size int64, members []ir.Meta) {
	if len(members) > 0 {
		t := b.m.out.Node("DICompositeType", composite(name, size*8, members)...)
		b.shown = append(b.shown, b.m.out.Node("DILocalVariable", ir.Text("name", name), ir.Node("scope", b.scope), ir.Node("type", t)))
	}
}
