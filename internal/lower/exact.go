package lower

import (
	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// frames is code whose frame holds no dead pointers where the plan says so.
type frames struct{ *code }

// makeHomes reserves the homes of an exact frame.
func (b *frames) makeHomes() {
	frame := b.plan.Frame
	if frame == nil {
		return
	}
	x := &exactFrame{homes: map[mid.Value]ir.Value{}, lives: map[mid.Value]bool{}, reads: map[mid.Value][]mid.Instr{},
		second: map[*mid.Call]bool{},
		edges:  map[*mid.Phi]map[int]ir.Value{}}
	b.exact = x
	if !frame.Collects {
		b.makeHomeBlock()
		return
	}
	for _, v := range frame.Homes {
		ti := b.m.info(v.Type())
		x.homes[v] = b.Func.Alloca(ti.size, max(ti.align, 8))
		b.expose(x.homes[v], ti.size)
	}
}

// settle stores v's value in its home, if it has one. The address of a slot needs none: it is the
// same at all times.
func (b *frames) settle(v mid.Value) {
	if b.exact == nil {
		return
	}
	home, val := b.exact.homes[v], b.vals[v]
	if !home.IsSet() || !val.IsSet() || val.IsSlot() {
		return
	}
	inHome(b.code, func() { b.store(v.Type(), val, home) })
	b.exact.lives[v] = true
}

// settleParams stores the parameters and captured variables in their homes.
func (b *frames) settleParams() {
	for _, p := range b.f.Params {
		b.settle(p)
	}
	for _, v := range b.f.FreeVars {
		b.settle(v)
	}
}

// settleEntry stores what exists at the start of blk in its homes: the parameters if it is the
// first block (and there was no prologue that did it), and its phis.
func (b *frames) settleEntry(blk *mid.Block) {
	if b.exact == nil {
		return
	}
	if blk == b.f.Body()[0] && !b.frame.IsSet() {
		b.settleParams()
	}
	for _, in := range blk.Instrs {
		p, ok := in.(*mid.Phi)
		if !ok {
			return
		}
		if !b.m.isBig(p.Type()) {
			b.settle(p)
		}
	}
}

// leaveEdges evaluates the operands of the phis of blk's successors, at the end of blk.
func (b *frames) leaveEdges(blk *mid.Block) {
	if b.exact == nil {
		return
	}
	for _, s := range blk.Succs {
		for _, in := range s.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			for k, pred := range s.Preds {
				if pred == blk && !b.m.isBig(p.Type()) {
					if b.exact.edges[p] == nil {
						b.exact.edges[p] = map[int]ir.Value{}
					}
					b.exact.edges[p][k] = b.operand(p.Edges[k])
				}
			}
		}
	}
}

// edgeOperand returns operand i of phi p, which is v.
func (b *frames) edgeOperand(p *mid.Phi, i int, v mid.Value) ir.Value {
	if b.exact != nil {
		return b.exact.edges[p][i]
	}
	return b.operand(v)
}

// beforePanic marks the place before in, which is to be lowered next, if in may panic and a
// deferred call then collects.
func (b *frames) beforePanic(in mid.Instr) {
	if b.exact == nil || !b.plan.Frame.Defers {
		return
	}
	switch in := in.(type) {
	case *mid.Call:
		if b.m.calls.CollectingCall(b.f, in) {
			return // call does it
		}
	case *mid.Alloc, *mid.ChangeType, *mid.Extract, *mid.Phi, *mid.Jump, *mid.If, *mid.Return, *mid.MakeClosure,
		*mid.MakeInterface, *mid.Defer:
		return
	}
	b.beforeCollection(in, false)
}

// clearBefore marks the place before in for clearSlots.
func (b *frames) clearBefore(in mid.Instr, evaluated bool) {
	clear, next := b.Label("clear"), b.Label("cleared")
	b.Br(clear)
	b.exact.sites = append(b.exact.sites, clearing{in, evaluated, clear, next, b.Loc})
	b.Cur = next
}

// beforeCollection has dead slots cleared before in, which may collect, and the stack below the
// frame and all registers, too.
func (b *frames) beforeCollection(in mid.Instr, evaluated bool) {
	b.clearBefore(in, evaluated)
	b.Asm(amd64.ClearUnused, ir.Void)
}

// clearSlots fills in the places that clearBefore has marked, now that all slots are known.
func (b *frames) clearSlots() {
	switch {
	case b.exact == nil:
		return
	case b.serving():
		b.clearForWaits()
		return
	}
	list, places := b.clearable()
	for _, site := range b.exact.sites {
		b.Cur, b.Loc = site.block, site.loc
		for i := range list {
			switch b.plan.Frame.DeadAt(site.in, site.evaluated, &list[i], b.isSecond) {
			case plan.All:
				b.zeroVolatile(places[i].p, places[i].size)
			case plan.Address:
				b.zeroVolatile(places[i].p, 8)
			}
		}
		clearShown(b, site)
		b.Br(site.next)
	}
}

// clearShown clears what debuggers are shown of variables, as far as nothing that a slot is for is
// used behind site.
func clearShown(b *frames, site clearing) {
	clear := map[ir.Value]int64{} // how many bytes
	for _, s := range b.exact.shown {
		size := int64(0)
		switch b.plan.Frame.DeadAt(site.in, site.evaluated, &plan.Memory{Value: s.v, Reads: s.v.Referrers()}, b.isSecond) {
		case plan.All:
			size = s.size
		case plan.Address:
			size = 8
		}
		if least, seen := clear[s.p]; !seen || size < least {
			clear[s.p] = size
		}
	}
	for _, s := range b.exact.shown {
		if clear[s.p] > 0 {
			b.zeroVolatile(s.p, clear[s.p])
			clear[s.p] = 0
		}
	}
}

// clearable lists the memory that may be cleared, the homes in use and then the slots, and where it
// is.
func (b *frames) clearable() (list []plan.Memory, where []span) {
	for _, v := range b.plan.Frame.Homes {
		if b.exact.lives[v] {
			list = append(list, plan.Memory{Value: v, Reads: b.exact.reads[v]})
			where = append(where, span{b.exact.homes[v], b.m.info(v.Type()).size})
		}
	}
	for _, s := range b.exact.slots {
		list = append(list, plan.Memory{Owner: s.owner, Made: s.made, Area: s.area})
		where = append(where, span{s.p, s.size})
	}
	return list, where
}

func (b *frames) isSecond(call *mid.Call) bool { return b.exact.second[call] }
