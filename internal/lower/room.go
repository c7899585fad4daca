package lower

import (
	"go/types"

	"loam/internal/escape"
	"loam/internal/mid"
)

// frameBytes is how much of the frame the object that v makes takes at most, if it may be there.
func (b *fn) frameBytes(v mid.Value) int64 {
	if b.inCaller(v) {
		return 0
	}
	if a, ok := v.(*mid.Alloc); ok {
		ti := b.m.info(under(a.Type()).(*types.Pointer).Elem())
		if !b.mayKeep(a, ti) {
			return 0
		}
		return ti.size
	}
	if call, ok := v.(*mid.Call); ok && call.Call.Builtin() != mid.BuiltinAppend {
		if b.m.in.Escape == nil {
			return 0
		}
		return b.m.in.Escape.MadeSize(call)
	}
	if !b.onStack(v) {
		return 0
	}
	switch v := v.(type) {
	case *mid.Call:
		return escape.VarBytes
	case *mid.MakeSlice:
		if size, ok := arraySize(v, b.m.info(under(v.Type()).(*types.Slice).Elem())); ok {
			return size
		}
		return escape.VarBytes
	case *mid.MakeInterface:
		return b.m.info(v.X.Type()).size
	case *mid.MakeClosure:
		_, size := b.m.closureLayout(heldTypes(v.Fn))
		return size
	}
	return 0
}
