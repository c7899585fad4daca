package lower

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// makeInterface lowers the conversion of a concrete value to an interface: type or itab,
// and the data word, which holds pointer-shaped values themselves and otherwise points to
// a copy that nobody changes.
func (b *values) makeInterface(in *mid.MakeInterface) ir.Value {
	t := in.X.Type()
	var tab ir.Value
	if isEmptyIface(in.Type()) {
		tab = b.m.typeDesc(t)
	} else {
		tab = b.m.itab(in.Type(), t)
	}
	data := b.box(in)
	if constOperand(data) {
		return ir.Aggregate(llIface, tab, data)
	}
	return b.makeIface(tab, data)
}

func constOperand(v ir.Value) bool { return v.IsNull() || v.Global() != nil }

func isEmptyIface(t types.Type) bool { return under(t).(*types.Interface).NumMethods() == 0 }

// box returns the data word for in.X.
func (b *values) box(in *mid.MakeInterface) ir.Value {
	t := in.X.Type()
	ti := b.m.info(t)
	if isDirectIface(t) {
		return b.unwrapDirect(t, b.operand(in.X))
	}
	if ti.size == 0 {
		return b.heapAlloc(0, false, in.Pos())
	}
	if c := constantOf(in.X); c != nil {
		if c.Value == nil {
			return b.m.zeroMem(ti.size)
		}
		return b.m.constBox(ti, c)
	}
	if p := b.literalBox(in); p.IsSet() {
		return p
	}
	x := b.operand(in.X)
	if ti.size == 1 {
		return b.IndexIn(ir.I64, b.m.byteTable(), b.bits(t, ti, x))
	}
	if p, ok := b.slot(in, ti.size, ti.align); ok {
		b.storeShaded(t, x, p, nil)
		return p
	}
	make := func() ir.Value {
		p := b.heapAlloc(ti.size, ti.ptrs, in.Pos())
		b.storeShaded(t, x, p, nil)
		return p
	}
	common, shared := b.sharedBox(t, ti, x)
	if !common.IsSet() {
		return make()
	}
	b.flushShades()
	from := b.Cur
	rare, done := b.Label("box"), b.Label("box.done")
	b.CondBr(common, done, rare)
	b.Cur = rare
	p := make()
	b.flushShades() // what it names is known in this block only
	exit := b.Cur
	b.Br(done)
	b.Cur = done
	n := b.Fresh(ir.Ptr)
	done.Phi(n, ir.Edge{Value: shared, From: from}, ir.Edge{Value: p, From: exit})
	return n
}

// sharedBox returns, for common values that need no box of their own, a condition on x and the
// read-only memory that has the value if it holds: small numbers and what has the same bits, and
// empty strings and nil slices, also alone in structs and arrays. It returns none for other types.
func (b *values) sharedBox(t types.Type, ti *typeInfo, x ir.Value) (cond, shared ir.Value) {
	if b.m.noHeap {
		return ir.Value{}, ir.Value{}
	}
	// not the LLVM type: structs can look like strings and slices
	switch u := soleComponent(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return b.ICmp(ir.EQ, b.Load(ir.I64, b.gep(b.inMemory(t, ti, x), 8), 8), ir.Int(ir.I64, 0)), b.m.zeroMem(ti.size)
		}
	case *types.Slice:
		return b.ICmp(ir.EQ, b.Load(ir.Ptr, b.inMemory(t, ti, x), 8), ir.Null), b.m.zeroMem(ti.size)
	}
	if ti.ptrs || ti.size > 8 || ti.align != ti.size {
		return ir.Value{}, ir.Value{}
	}
	i := b.bits(t, ti, x) // of one scalar, by the alignment
	return b.ICmp(ir.ULT, i, ir.Int(ir.I64, 256)), b.Index(ir.I64, b.m.byteTable(), i)
}

// soleComponent returns the underlying type of what t has if it is a struct or an array of one, and
// one of one, and so on.
func soleComponent(t types.Type) types.Type {
	for {
		switch u := under(t).(type) {
		case *types.Struct:
			if u.NumFields() != 1 {
				return u
			}
			t = u.Field(0).Type()
		case *types.Array:
			if u.Len() != 1 {
				return u
			}
			t = u.Elem()
		default:
			return u
		}
	}
}

// inMemory returns an address of a value, for LLVM to see through.
func (b *values) inMemory(t types.Type, ti *typeInfo, x ir.Value) ir.Value {
	if ti.big {
		return x
	}
	slot := b.Alloca(ti.size, ti.align)
	b.store(t, x, slot)
	return slot
}

// bits returns the bytes of a value of size 1, 2, 4 or 8 as a number.
func (b *values) bits(t types.Type, ti *typeInfo, x ir.Value) ir.Value {
	if ti.ll == ir.I1 && !ti.big {
		return b.Cast(ir.ZExt, x, ir.I64)
	}
	ll := ir.IntType(8 * int(ti.size))
	if ti.ll != ll || ti.big {
		x = b.Load(ll, b.inMemory(t, ti, x), ti.align)
	}
	return b.resize(x, ll, ir.I64, true)
}

// constantOf returns the constant that v always is, or nil. A variable that a closure holds a
// copy of counts if it is set once, to a constant.
func constantOf(v mid.Value) *mid.Const {
	switch v := v.(type) {
	case *mid.Const:
		return v
	case *mid.UnOp:
		if f, ok := v.X.(*mid.FreeVar); ok && v.Op == token.MUL {
			return escape.Constant(f)
		}
	}
	return nil
}

// constBox returns read-only memory with a constant's value.
func (m *module) constBox(ti *typeInfo, c *mid.Const) ir.Value {
	v := m.constant(c)
	if bit, ok := v.Int64(); ok && v.Type == ir.I1 {
		v = ir.Int(ir.I8, bit)
	}
	key := "box " + v.Typed()
	if g, ok := m.strs[key]; ok {
		return g
	}
	g := m.out.PlainNumberedRef("box.", len(m.strs))
	m.strs[key] = g
	m.out.Define(g, func() ir.Definition { return sharedConst(v, ti.align) })
	return g
}

// byteTable is a read-only table from which one-byte values are boxed.
func (m *module) byteTable() ir.Value {
	sym := "loam.bytes"
	m.define(sym, func() ir.Definition {
		words := make([]ir.Value, 256)
		for i := range words {
			words[i] = ir.Int(ir.I64, i)
		}
		return m.merged(sym, ir.Definition{Hidden: true, Const: true, Init: ir.Aggregate(ir.Array(256, ir.I64), words...), Align: 8})
	})
	return m.ref(sym)
}

// unwrapDirect turns a pointer-shaped value into its word, wrapDirect turns it back. What comes
// before the pointer in a struct has no size, but such a type can still count as big.
func (b *values) unwrapDirect(t types.Type, v ir.Value) ir.Value {
	if b.m.isBig(t) {
		return b.Load(ir.Ptr, v, 8)
	}
	switch u := under(t).(type) {
	case *types.Struct:
		last := u.NumFields() - 1
		return b.unwrapDirect(u.Field(last).Type(), b.extract(v, last))
	case *types.Array:
		return b.unwrapDirect(u.Elem(), b.extract(v, 0))
	}
	return v
}

func (b *values) wrapDirect(t types.Type, word ir.Value) ir.Value {
	if b.m.isBig(t) {
		slot := b.Alloca(8, 8)
		b.Store(word, slot, 8)
		return slot
	}
	var elem types.Type
	at := 0
	switch u := under(t).(type) {
	case *types.Struct:
		at = u.NumFields() - 1
		elem = u.Field(at).Type()
	case *types.Array:
		elem = u.Elem()
	default:
		return word
	}
	inner := b.wrapDirect(elem, word)
	return b.InsertAt(ir.PoisonOf(b.m.lltype(t)), inner, at)
}

// unbox reads a value of type t from a data word. A big value stays where it is: boxes
// are never written.
func (b *values) unbox(t types.Type, word ir.Value) ir.Value {
	if isDirectIface(t) {
		return b.wrapDirect(t, word)
	}
	return b.load(t, word)
}

// changeInterface converts between interface types when the method set shrinks.
func (b *values) changeInterface(in *mid.ChangeInterface) ir.Value {
	from, to := under(in.X.Type()).(*types.Interface), under(in.Type()).(*types.Interface)
	x := b.operand(in.X)
	if from.NumMethods() == 0 == (to.NumMethods() == 0) && types.Identical(from, to) || from.NumMethods() == 0 {
		return x
	}
	typ, data := b.dynType(x, false), b.extract(x, 1)
	if to.NumMethods() == 0 {
		return b.makeIface(typ, data)
	}
	isNil := b.ICmp(ir.EQ, typ, ir.Null)
	from0 := b.Cur
	get, done := b.Label("itab"), b.Label("itab.done")
	b.CondBr(isNil, done, get)
	b.Cur = get
	tab := b.itab("assertE2I", b.m.typeDesc(in.Type()), typ)
	from1 := b.Cur
	b.Br(done)
	b.Cur = done
	n := b.Fresh(ir.Ptr)
	done.Phi(n, ir.Edge{Value: ir.Null, From: from0}, ir.Edge{Value: tab, From: from1})
	return b.makeIface(n, data)
}

// itab returns the itab of an interface type and a dynamic type, or what the run-time entry
// (assertE2I or assertE2I2) does if there is none. Each place in the code remembers itabs that it
// had before: one, as most of them see one type only; or where the question is whether there is
// one, as in type switches, several: a hash of the type's address leads to two of eight words.
// Types that share the first seldom share the second. The words are never nil: at first they point
// to an itab of no type. An itab without functions stands for a type that does not implement the
// interface; assertE2I's places never keep one.
func (b *values) itab(entry string, inter, typ ir.Value) ir.Value {
	first, noType := "loam.noitab", ir.Null
	if entry == "assertE2I" { // there, nil must not be found
		first, noType = "loam.noitab1", ir.CastConst(ir.IntToPtr, ir.Int(ir.I64, 1), ir.Ptr)
	}
	b.m.define(first, func() ir.Definition {
		zero := ir.Int(ir.I64, 0)
		init := ir.Aggregate(ir.Struct(ir.Ptr, ir.Ptr, ir.I64, ir.I64), ir.Null, noType, zero, zero)
		return b.m.merged(first, ir.Definition{Hidden: true, Const: true, Init: init, Align: 8})
	})
	b.m.caches++
	table := b.m.out.NumberedRef("itab.", b.m.caches)
	words := int64(1)
	if entry == "assertE2I2" {
		words = 1 << placeBits
	}
	b.m.out.Define(table, func() ir.Definition {
		init := slices.Repeat([]ir.Value{b.m.ref(first)}, int(words))
		d := ir.Definition{Linkage: ir.Internal, Init: ir.Aggregate(ir.Array(words, ir.Ptr), init...), Align: 8 * words}
		b.m.noptr(table, &d, noptrData)
		return d
	})
	word, other := table, table
	if words > 1 {
		// 2^32 divided by the golden ratio
		hash := b.Mul(b.Cast(ir.PtrToInt, typ, ir.I32), ir.Int(ir.I32, -1640531535))
		place := b.LShr(hash, ir.Int(ir.I32, 32-placeBits))
		word = b.Index(ir.Ptr, table, place)
		// the bits behind say how far it is to the other word, an odd number of words
		distance := b.And(b.LShr(hash, ir.Int(ir.I32, 32-2*placeBits)), ir.Int(ir.I32, words-2))
		other = b.Index(ir.Ptr, table, b.Xor(place, b.Or(distance, ir.Int(ir.I32, 1))))
	}
	hit, done := b.Label("itab.hit"), b.Label("itab.found")
	var cached []ir.Edge
	look := func(word ir.Value) {
		tab := b.LoadAs(ir.Ptr, word, ir.Access{Align: 8, Ordering: ir.Monotonic})
		cached = append(cached, ir.Edge{Value: tab, From: b.Cur})
		have, miss := b.Load(ir.Ptr, b.gep(tab, 8), 8), b.Label("itab.miss")
		b.CondBr(b.ICmp(ir.EQ, have, typ), hit, miss)
		b.Cur = miss
	}
	look(word)
	args := []ir.Value{inter, typ, word}
	var missed []ir.Edge
	if words > 1 {
		look(other)
		args = append(args, other)
		// nil implements nothing, and may find both words taken
		missed = append(missed, ir.Edge{Value: ir.Null, From: b.Cur})
		call := b.Label("itab.make")
		b.CondBr(b.ICmp(ir.EQ, typ, ir.Null), done, call)
		b.Cur = call
	}
	missed = append(missed, ir.Edge{Value: b.CallAt(ir.Ptr, b.m.rtFunc(entry), args...), From: b.Cur})
	b.Br(done)
	b.Cur = hit
	found := b.join(ir.Ptr, cached...)
	if words > 1 {
		code := b.Load(ir.I64, b.gep(found, 24), 8)
		found = b.Select(b.ICmp(ir.EQ, code, ir.Int(ir.I64, 0)), ir.Null, found)
	}
	b.Br(done)
	b.Cur = done
	return b.join(ir.Ptr, append(missed, ir.Edge{Value: found, From: hit})...)
}

// placeBits is the width of the hash by which a place that asks for itabs distinguishes types.
const placeBits = 3
