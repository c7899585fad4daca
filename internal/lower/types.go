package lower

import (
	"fmt"
	"go/types"

	"loam/internal/amd64"
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/layout"
	"loam/internal/mid"
)

// maxLeaves is the number of scalars up to which a value travels as an LLVM value. Bigger
// ones, and arrays of more than one element that has a size, are "big": they live in memory and are
// represented by the address of a copy that nobody writes.
const maxLeaves = 4

// layouts are how types lie in memory, and how their values travel.
type layouts struct {
	*symbols
	infos   map[types.Type]*typeInfo
	offsets map[*types.Struct][]int64
}

func newLayouts(s *symbols) *layouts {
	return &layouts{s, map[types.Type]*typeInfo{}, map[*types.Struct][]int64{}}
}

// typeInfo is what lowering needs to know of a type.
type typeInfo struct {
	ll     *ir.Type // of a small value; that of pointers for big ones
	leaves int
	ints   int // integer or pointer leaves
	floats int
	big    bool
	size   int64
	align  int64
	ptrs   bool  // contains pointers
	bytes  int64 // of the scalars of a small value: less than size if there is padding
}

func under(t types.Type) types.Type { return types.Unalias(t).Underlying() }

// info returns the cached typeInfo of t.
func (m *layouts) info(t types.Type) *typeInfo {
	if ti, ok := m.infos[t]; ok {
		return ti
	}
	ti := m.computeInfo(t)
	m.infos[t] = ti
	return ti
}

// scalar makes it one leaf, an LLVM value of type ll.
func (ti *typeInfo) scalar(ll *ir.Type, ptrs bool) {
	ti.ll, ti.leaves, ti.ptrs = ll, 1, ptrs
	if ll.IsFloat() {
		ti.floats = 1
	} else {
		ti.ints = 1
	}
}

// basic makes it what values of a basic type are. It returns whether go/types knows a size of it.
func (ti *typeInfo) basic(u *types.Basic) (sized bool) {
	switch u.Kind() {
	case types.Bool, types.UntypedBool:
		ti.scalar(ir.I1, false)
	case types.Int8, types.Uint8:
		ti.scalar(ir.I8, false)
	case types.Int16, types.Uint16:
		ti.scalar(ir.I16, false)
	case types.Int32, types.Uint32, types.UntypedRune:
		ti.scalar(ir.I32, false)
	case types.Int, types.Uint, types.Int64, types.Uint64, types.Uintptr, types.UntypedInt:
		ti.scalar(ir.I64, false)
	case types.Float32:
		ti.scalar(ir.Float, false)
	case types.Float64, types.UntypedFloat:
		ti.scalar(ir.Double, false)
	case types.Complex64:
		ti.ll, ti.leaves, ti.floats = ir.Struct(ir.Float, ir.Float), 2, 2
	case types.Complex128, types.UntypedComplex:
		ti.ll, ti.leaves, ti.floats = ir.Struct(ir.Double, ir.Double), 2, 2
	case types.String, types.UntypedString:
		ti.ll, ti.leaves, ti.ints, ti.ptrs = llString, 2, 2, true
	case types.UnsafePointer:
		ti.scalar(ir.Ptr, true)
	case types.UntypedNil:
		ti.scalar(ir.Ptr, true)
		ti.size, ti.align = 8, 8
		return false
	case types.Invalid: // the key or element that a loop does not ask for
		ti.scalar(ir.Ptr, true)
		return false
	default:
		panic(fmt.Sprintf("lower: basic type %v", u))
	}
	return true
}

func (m *layouts) computeInfo(t types.Type) *typeInfo {
	ti := &typeInfo{}
	switch u := under(t).(type) {
	case *types.Basic:
		if !ti.basic(u) {
			return ti
		}
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		ti.scalar(ir.Ptr, true)
	case *types.Slice:
		ti.ll, ti.leaves, ti.ints, ti.ptrs = llSlice, 3, 3, true
	case *types.Interface:
		ti.ll, ti.leaves, ti.ints, ti.ptrs = llIface, 2, 2, true
	case *types.Array:
		e := m.info(u.Elem())
		ti.ptrs = e.ptrs && u.Len() > 0
		switch {
		case u.Len() == 0 || e.big || e.size == 0:
			ti.big = e.big && u.Len() > 0
			ti.ll = ir.Array(0, ir.I8)
			if !ti.big && e.align > 1 {
				ti.ll = ir.Array(0, ir.IntType(int(e.align)*8))
			}
		case u.Len() == 1:
			ti.ll, ti.leaves, ti.ints, ti.floats = ir.Array(1, e.ll), e.leaves, e.ints, e.floats
			ti.bytes = e.bytes
		default:
			ti.big = true
		}
	case *types.Struct:
		m.structInfo(ti, u)
		// Behind a last field without size there is padding, lest its address be that of the next
		// object; LLVM's structs have none.
		if n := u.NumFields(); n > 0 && m.sizes.Sizeof(u) > 0 && m.sizes.Sizeof(u.Field(n-1).Type()) == 0 {
			ti.big = true
		}
	case *types.Tuple:
		if u.Len() == 0 {
			ti.ll = ir.Struct()
			ti.align = 1
			return ti
		}
		fields := make([]*types.Var, u.Len())
		for i := range fields {
			fields[i] = types.NewField(0, nil, fmt.Sprintf("r%d", i), u.At(i).Type(), false)
		}
		results := types.NewStruct(fields, nil)
		m.structInfo(ti, results)
		t = results
	default:
		if t == mid.Iterator {
			ti.scalar(ir.Ptr, true)
			ti.size, ti.align = 8, 8
			return ti
		}
		panic(fmt.Sprintf("lower: type %v (%T)", t, u))
	}
	t = types.Default(t) // arguments of print are untyped, say
	ti.size = m.sizes.Sizeof(t)
	ti.align = m.sizes.Alignof(t)
	switch under(t).(type) {
	case *types.Struct, *types.Array:
	default:
		ti.bytes = ti.size
	}
	if ti.big {
		ti.ll = ir.Ptr
	}
	return ti
}

func (m *layouts) structInfo(ti *typeInfo, u *types.Struct) {
	parts := make([]*ir.Type, u.NumFields())
	for i := range parts {
		f := m.info(u.Field(i).Type())
		parts[i] = f.ll
		ti.leaves += f.leaves
		ti.ints += f.ints
		ti.floats += f.floats
		ti.bytes += f.bytes
		ti.big = ti.big || f.big
		ti.ptrs = ti.ptrs || f.ptrs
	}
	if ti.leaves > maxLeaves {
		ti.big = true
	}
	ti.ll = ir.Struct(parts...)
}

// lltype returns the LLVM type of a small value of type t, that of pointers for big ones.
func (m *layouts) lltype(t types.Type) *ir.Type { return m.info(t).ll }

// isBig reports whether values of t live in memory.
func (m *layouts) isBig(t types.Type) bool { return m.info(t).big }

// fieldOffset returns the byte offset of field i of struct type t.
func (m *layouts) fieldOffset(t *types.Struct, i int) int64 { return m.fieldOffsets(t)[i] }

// isDirectIface reports whether values of t are kept in an interface's data word itself:
// pointer-shaped types.
func isDirectIface(t types.Type) bool { return layout.PointerShaped(t) }

// fnSig is a Go signature in Loam's calling convention (docs/abi.md).
type fnSig struct {
	ret     *ir.Type
	area    bool // results go to memory: the first parameter points to it
	params  []types.Type
	results []types.Type
	offsets []int64 // of the results in the area
	size    int64   // of the area
}

// sigOf returns the convention of a signature, receiver first.
func (m *layouts) sigOf(s *types.Signature) *fnSig {
	f := &fnSig{}
	if r := s.Recv(); r != nil {
		f.params = append(f.params, r.Type())
	}
	for i := 0; i < s.Params().Len(); i++ {
		f.params = append(f.params, s.Params().At(i).Type())
	}
	m.setResults(f, s.Results())
	return f
}

func (m *layouts) setResults(f *fnSig, rs *types.Tuple) {
	ints, floats, big := 0, 0, false
	var parts []*ir.Type
	var fields []*types.Var
	for i := 0; i < rs.Len(); i++ {
		t := rs.At(i).Type()
		ti := m.info(t)
		ints += ti.ints
		floats += ti.floats
		big = big || ti.big
		parts = append(parts, ti.ll)
		f.results = append(f.results, t)
		fields = append(fields, types.NewField(0, nil, fmt.Sprintf("r%d", i), t, false))
	}
	switch {
	case len(parts) == 0:
		f.ret = ir.Void
	case big || !amd64.InRegisters(ints, floats):
		f.ret, f.area = ir.Void, true
		f.offsets = m.sizes.Offsetsof(fields)
		f.size = m.sizes.Sizeof(types.NewStruct(fields, nil))
	case len(parts) == 1:
		f.ret = parts[0]
	default:
		f.ret = ir.Struct(parts...)
	}
}

// llparams returns the LLVM types of the parameters in order, with those that the
// convention adds.
func (m *layouts) llparams(f *fnSig) []*ir.Type {
	var ps []*ir.Type
	if f.area {
		ps = append(ps, ir.Ptr)
	}
	for _, p := range f.params {
		ps = append(ps, m.lltype(p))
	}
	return ps
}

// basicKind returns the kind of a basic type, Invalid for others.
func basicKind(t types.Type) types.BasicKind {
	if u, ok := under(t).(*types.Basic); ok {
		return u.Kind()
	}
	return types.Invalid
}

func isString(t types.Type) bool { return basicInfo(t)&types.IsString != 0 }

func basicInfo(t types.Type) types.BasicInfo {
	if u, ok := under(t).(*types.Basic); ok {
		return u.Info()
	}
	return 0
}

func isUnsigned(t types.Type) bool {
	u, ok := under(t).(*types.Basic)
	return ok && u.Info()&types.IsUnsigned != 0
}

func alignUp(n, a int64) int64 {
	if a <= 1 {
		return n
	}
	return (n + a - 1) / a * a
}

func basicInvalid(t types.Type) bool {
	k, ok := t.(*types.Basic)
	return ok && k.Kind() == types.Invalid
}

// heldTypes are the types of what a closure of f holds.
func heldTypes(f *mid.Func) []types.Type {
	ts := make([]types.Type, len(f.FreeVars))
	for i, v := range f.FreeVars {
		ts[i] = v.Type()
		if escape.ByValue(v) { // the closure holds the variable itself
			ts[i] = under(v.Type()).(*types.Pointer).Elem()
		}
	}
	return ts
}

// closureLayout is where a closure has its captures, of these types, and how long it is.
func (m *layouts) closureLayout(ts []types.Type) (offs []int64, size int64) {
	size = 8
	for _, t := range ts {
		ti := m.info(t)
		size = alignUp(size, ti.align)
		offs = append(offs, size)
		size += ti.size
	}
	return offs, size
}
