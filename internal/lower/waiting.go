package lower

import (
	"slices"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// clearOnEntry are the attributes of a function whose frame is cleared: LLVM's prologue calls what
// it takes for the probe of a big frame, and that clears it (rt/stack/clear.gas).
const clearOnEntry = `"probe-stack"="loam.clear_frame" "stack-probe-size"="16"`

// makeHomeBlock reserves the homes of a function that waits, in one block of memory.
func (b *frames) makeHomeBlock() {
	x, size := b.exact, int64(0)
	for _, v := range b.plan.Frame.Homes {
		x.at8[v] = size
		size += (b.m.info(v.Type()).size + 7) &^ 7
	}
	if size == 0 {
		return
	}
	x.block = b.Func.Alloca(size, 8)
	b.AtEntry(func() {
		for _, v := range b.plan.Frame.Homes {
			x.homes[v] = b.gep(x.block, x.at8[v])
		}
	})
	b.Apart = b.m.out.AliasScope("homes")
}

// beforeWait marks the place before in, which is to be lowered next, if the function waits there.
// Calls do so behind their operands.
func (b *frames) beforeWait(in mid.Instr) {
	if b.serving() && b.plan.Frame.Waits[in] != plan.NoWait && !plan.IsCall(in) {
		b.clearBefore(in, false)
	}
}

// beforeWaitingCall marks the place before the call that is being lowered, if the function waits
// there.
func (b *frames) beforeWaitingCall() {
	if b.serving() && b.calling != nil && b.plan.Frame.Waits[b.calling] != plan.NoWait {
		b.clearBefore(b.calling, true)
	}
}

// resultArea reserves memory for the results of the call that is being lowered.
func (b *frames) resultArea(sig *fnSig) ir.Value {
	owned := b.ownedSlots()
	area := b.Alloca(sig.size, 8)
	if b.ownedSlots() > owned {
		b.exact.slots[owned].area = true
	}
	return area
}

// clearForWaits fills in the places that clearBefore has marked in a function that waits.
func (b *frames) clearForWaits() {
	x := b.exact
	evaluated := map[mid.Instr]bool{}
	for _, site := range x.sites {
		evaluated[site.in] = site.evaluated
	}
	list, where := b.clearable()
	clearing := b.plan.Frame.ClearWaits(list, evaluated, b.isSecond)
	for _, site := range x.sites {
		b.Cur, b.Loc = site.block, site.loc
		var homes []homePart
		var escape []ir.Value
		if x.block.IsSet() {
			escape = append(escape, x.block)
		}
		for _, c := range clearing.At[site.in] {
			s := where[c.Index]
			switch v := list[c.Index].Value; {
			case v == nil:
				b.clearSlot(s)
				escape = append(escape, s.p)
			case c.Part == plan.Address:
				homes = append(homes, homePart{x.at8[v], 8})
			default:
				homes = append(homes, homePart{x.at8[v], s.size})
			}
		}
		b.clearHomes(homes)
		for _, p := range escape {
			b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, p)
		}
		if clearing.Registers[site.in] {
			b.Asm(amd64.ClearKept, ir.Void)
		}
		b.Br(site.next)
	}
}

// largestCleared is the size in bytes of slots that are cleared in line, in pieces of clearPiece.
const largestCleared, clearPiece = 1024, 64

// clearSlot clears a slot. What LLVM makes a call of memset of has it keep the operands of the call
// that waits in words of the frame, which nobody clears: so it is made in pieces.
func (b *frames) clearSlot(s span) {
	if s.size <= 2*clearPiece || s.size > largestCleared {
		b.fillMem(s.p, ir.Int(ir.I64, s.size), 8, false)
		return
	}
	for at := int64(0); at < s.size; at += clearPiece {
		b.fillMem(b.gep(s.p, at), ir.Int(ir.I64, min(clearPiece, s.size-at)), 8, true)
	}
}

// homePart is a part of the block of homes.
type homePart struct{ at, size int64 }

// clearHomes clears parts of the block of homes, given in order.
func (b *frames) clearHomes(parts []homePart) {
	slices.SortStableFunc(parts, func(x, y homePart) int { return int(x.at - y.at) })
	for i := 0; i < len(parts); {
		at, end := parts[i].at, parts[i].at+parts[i].size
		for i++; i < len(parts) && parts[i].at <= end; i++ {
			end = max(end, parts[i].at+parts[i].size)
		}
		inHome(b.code, func() { b.fillMem(b.gep(b.exact.block, at), ir.Int(ir.I64, (end-at+7)&^7), 8, false) })
	}
}
