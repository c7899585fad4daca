package lower

import (
	"go/types"

	"loam/internal/mid"
	"loam/internal/plan"
)

// maxListed is how many arguments of append have barriers of their own, which look at less than
// one for the memory does.
const maxListed = 2

// listedValues returns what is stored in list but data; ok is false if that is used in another way.
func (b *objects) listedValues(list *mid.Alloc) (values []mid.Value, ok bool) {
	for _, r := range list.Referrers() {
		switch r := r.(type) {
		case *mid.IndexAddr:
			uses := r.Referrers()
			if len(uses) != 1 {
				return nil, false
			}
			s, ok := uses[0].(*mid.Store)
			if !ok || s.Addr != mid.Value(r) {
				return nil, false
			}
			if !b.m.skip[s] && !b.unevaluated[s] {
				values = append(values, s.Val)
			}
		case *mid.Slice:
		default:
			return nil, false
		}
	}
	return values, true
}

// listed returns the array that was made for the arguments of append(s, x, y), if v is the slice
// of such a one and that is not data (constdata.go).
func (b *objects) listed(v mid.Value) *mid.Alloc {
	s, ok := v.(*mid.Slice)
	if !ok || s.Low != nil || s.High != nil || !plan.VariadicArray(s.X) {
		return nil
	}
	if list := s.X.(*mid.Alloc); !b.m.skip[s] && !b.m.skip[list] {
		return list
	}
	return nil
}

// onlyListed reports whether s, of such an array, is nothing but what append is called with: the
// slice need not be made, and LLVM finds no other use of the array.
func (b *objects) onlyListed(s *mid.Slice) bool {
	if b.collects() || b.listed(s) == nil {
		return false
	}
	for _, r := range s.Referrers() {
		call, ok := r.(*mid.Call)
		if !ok || call.Call.Builtin() != mid.BuiltinAppend || call.Call.Args[0] == mid.Value(s) {
			return false
		}
	}
	return true
}

// lengthOf is the length of the array that list points to.
func lengthOf(list *mid.Alloc) int64 {
	return under(under(list.Type()).(*types.Pointer).Elem()).(*types.Array).Len()
}
