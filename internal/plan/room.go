package plan

import "loam/internal/mid"

// maxFrame is the size that all objects of a frame may have together. It is far below the 2 GB that
// a frame can have, and below the limit of the stack: gc, which has big variables on the heap, runs
// functions with hundreds of them.
const maxFrame = 64 << 20

// maxFirstArrays is how many calls of append in a function have memory in its frame.
const maxFirstArrays = 64

// findRoom decides which objects are on the heap though escape analysis lets them live in the
// frame: what comes first in the function has its room first.
func (p *Func) findRoom() {
	if p.how.Runtime || p.how.Bytes == nil {
		return
	}
	room, arrays := int64(0), 0
	for _, blk := range p.f.Body() {
		for _, in := range blk.Instrs {
			v, ok := in.(mid.Value)
			if !ok {
				continue
			}
			n := p.how.Bytes(v)
			if n == 0 {
				continue
			}
			if call, ok := v.(*mid.Call); ok && call.Call.Builtin() == mid.BuiltinAppend {
				arrays++
			}
			if n > maxFrame-room || arrays > maxFirstArrays {
				if p.NoRoom == nil {
					p.NoRoom = map[mid.Value]bool{}
				}
				p.NoRoom[v] = true
				continue
			}
			room += n
		}
	}
}
