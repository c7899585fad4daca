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
	x := b.exact
	if len(b.plan.Frame.Homes) == 0 {
		return
	}
	x.block = ir.NewShared(b.Func, 8)
	for _, v := range b.plan.Frame.Homes {
		x.homes[v] = x.block.NewPart()
	}
	b.Apart = b.m.out.AliasScope("homes")
}

// placeHomes gives the homes, the first of list, their places, now that it is known where each is
// loaded. It returns them in order.
func (b *frames) placeHomes(list []plan.Memory, where []span) (places []homePart) {
	if b.exact.block == nil {
		return nil
	}
	list = list[:len(list)-len(b.exact.slots)]
	sizes := make([]int64, len(list))
	for i := range list {
		sizes[i] = where[i].size
	}
	at, bytes := b.plan.Frame.ShareHomes(list, sizes)
	for i, m := range list {
		b.exact.block.Place(b.exact.homes[m.Value], at[i])
		places = append(places, homePart{at[i], sizes[i]})
	}
	b.exact.block.Resize(bytes)
	return places
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
	places := b.placeHomes(list, where)
	clearing := b.plan.Frame.ClearWaits(list, evaluated, b.isSecond)
	for _, site := range x.sites {
		b.Cur, b.Loc = site.block, site.loc
		var dead, kept []homePart
		var escape []ir.Value
		if x.block != nil {
			escape = append(escape, x.block.At())
		}
		for _, c := range clearing.At[site.in] {
			if list[c.Index].Value != nil {
				dead = append(dead, places[c.Index].only(c.Part))
				continue
			}
			b.clearSlot(where[c.Index])
			escape = append(escape, where[c.Index].p)
		}
		for _, c := range clearing.Kept[site.in] {
			kept = append(kept, places[c.Index].only(c.Part))
		}
		b.clearHomes(dead, kept)
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

// only is a part of a home.
func (h homePart) only(part plan.Part) homePart {
	switch part {
	case plan.Address:
		return homePart{h.at, 8}
	case plan.Rest:
		return homePart{h.at + 8, h.size - 8}
	}
	return h
}

// clearHomes clears the words of dead, parts of the block of homes, that are not in kept: what is
// dead may share its place with what is not.
func (b *frames) clearHomes(dead, kept []homePart) {
	var clear []bool // by word
	set := func(parts []homePart, to bool) {
		for _, h := range parts {
			for w := h.at / 8; w < (h.at+h.size+7)/8; w++ {
				for int64(len(clear)) <= w {
					clear = append(clear, false)
				}
				clear[w] = to
			}
		}
	}
	set(dead, true)
	set(kept, false)
	for at := 0; at < len(clear); at++ {
		if end := at + len(leading(clear[at:])); end > at {
			inHome(b.code, func() {
				b.fillMem(b.gep(b.exact.block.At(), int64(at)*8), ir.Int(ir.I64, int64(end-at)*8), 8, false)
			})
			at = end
		}
	}
}

// leading returns the beginning of words in which all are true.
func leading(words []bool) []bool {
	if end := slices.Index(words, false); end >= 0 {
		return words[:end]
	}
	return words
}
