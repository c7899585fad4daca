package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"loam/internal/escape"
	"loam/internal/mid"
)

// makeInterface lowers the conversion of a concrete value to an interface: type or itab,
// and the data word, which holds pointer-shaped values themselves and otherwise points to
// a copy that nobody changes.
func (b *fn) makeInterface(in *mid.MakeInterface) string {
	t := in.X.Type()
	tab := ""
	if isEmptyIface(in.Type()) {
		tab = b.m.typeDesc(t)
	} else {
		tab = b.m.itab(in.Type(), t)
	}
	data := b.box(in)
	if constOperand(data) {
		return fmt.Sprintf("{ ptr %s, ptr %s }", tab, data)
	}
	return b.makeIface(tab, data)
}

func constOperand(s string) bool { return s == "null" || s[0] == '@' }

func isEmptyIface(t types.Type) bool { return under(t).(*types.Interface).NumMethods() == 0 }

// box returns the data word for in.X.
func (b *fn) box(in *mid.MakeInterface) string {
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
	if p := b.literalBox(in); p != "" {
		return p
	}
	x := b.operand(in.X)
	if ti.size == 1 {
		return b.Op("getelementptr inbounds i64, ptr %s, i64 %s", b.m.byteTable(), b.bits(t, ti, x))
	}
	if p, ok := b.slot(in, ti.size, ti.align); ok {
		b.storeShaded(t, x, p, nil)
		return p
	}
	make := func() string {
		p := b.heapAlloc(ti.size, ti.ptrs, in.Pos())
		b.storeShaded(t, x, p, nil)
		return p
	}
	common, shared := b.sharedBox(t, ti, x)
	if common == "" {
		return make()
	}
	b.flushShades()
	from := b.Cur
	rare, done := b.Label("box"), b.Label("box.done")
	b.Term("br i1 %s, label %%%s, label %%%s", common, done.Label, rare.Label)
	b.Cur = rare
	p := make()
	b.flushShades() // what it names is known in this block only
	exit := b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	n := "%v" + b.Fresh()
	done.Phi(fmt.Sprintf("%s = phi ptr [ %s, %%%s ], [ %s, %%%s ]", n, shared, from.Label, p, exit.Label))
	return n
}

// sharedBox returns, for common values that need no box of their own, a condition on x and the
// read-only memory that has the value if it holds: small numbers and what has the same bits, and
// empty strings and nil slices, also alone in structs and arrays. It returns "" for other types.
func (b *fn) sharedBox(t types.Type, ti *typeInfo, x string) (cond, shared string) {
	if b.m.noHeap {
		return "", ""
	}
	// not the LLVM type: structs can look like strings and slices
	switch u := soleComponent(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return b.Op("icmp eq i64 %s, 0", b.Op("load i64, ptr %s, align 8", b.gep(b.inMemory(t, ti, x), 8))), b.m.zeroMem(ti.size)
		}
	case *types.Slice:
		return b.Op("icmp eq ptr %s, null", b.Op("load ptr, ptr %s, align 8", b.inMemory(t, ti, x))), b.m.zeroMem(ti.size)
	}
	if ti.ptrs || ti.size > 8 || ti.align != ti.size {
		return "", ""
	}
	i := b.bits(t, ti, x) // of one scalar, by the alignment
	return b.Op("icmp ult i64 %s, 256", i), b.Op("getelementptr i64, ptr %s, i64 %s", b.m.byteTable(), i)
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
func (b *fn) inMemory(t types.Type, ti *typeInfo, x string) string {
	if ti.big {
		return x
	}
	slot := b.Alloca(ti.size, ti.align)
	b.store(t, x, slot)
	return slot
}

// bits returns the bytes of a value of size 1, 2, 4 or 8 as a number.
func (b *fn) bits(t types.Type, ti *typeInfo, x string) string {
	if ti.ll == "i1" && !ti.big {
		return b.Op("zext i1 %s to i64", x)
	}
	ll := fmt.Sprintf("i%d", 8*ti.size)
	if ti.ll != ll || ti.big {
		x = b.Op("load %s, ptr %s, align %d", ll, b.inMemory(t, ti, x), ti.align)
	}
	return b.resize(x, ll, "i64", true)
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
func (m *module) constBox(ti *typeInfo, c *mid.Const) string {
	ll, op := ti.ll, m.constant(c)
	if ll == "i1" {
		ll, op = "i8", map[string]string{"true": "1", "false": "0"}[op]
	}
	key := "box " + ll + " " + op
	if g, ok := m.strs[key]; ok {
		return g
	}
	g := fmt.Sprintf("@box.%d", len(m.strs))
	m.strs[key] = g
	m.define(g, func() string {
		return fmt.Sprintf("%s = private unnamed_addr constant %s %s, align %d", g, ll, op, ti.align)
	})
	return g
}

// byteTable is a read-only table from which one-byte values are boxed.
func (m *module) byteTable() string {
	sym := "loam.bytes"
	m.define(sym, func() string {
		s := ""
		for i := 0; i < 256; i++ {
			if i > 0 {
				s += ", "
			}
			s += fmt.Sprintf("i64 %d", i)
		}
		return fmt.Sprintf("%s = linkonce_odr hidden constant [256 x i64] [%s], comdat, align 8", m.comdat(sym), s)
	})
	return quote(sym)
}

// unwrapDirect turns a pointer-shaped value into its word, wrapDirect turns it back. What comes
// before the pointer in a struct has no size, but such a type can still count as big.
func (b *fn) unwrapDirect(t types.Type, v string) string {
	if b.m.isBig(t) {
		return b.Op("load ptr, ptr %s, align 8", v)
	}
	switch u := under(t).(type) {
	case *types.Struct:
		last := u.NumFields() - 1
		return b.unwrapDirect(u.Field(last).Type(), b.extract(b.m.lltype(t), v, last))
	case *types.Array:
		return b.unwrapDirect(u.Elem(), b.extract(b.m.lltype(t), v, 0))
	}
	return v
}

func (b *fn) wrapDirect(t types.Type, word string) string {
	if b.m.isBig(t) {
		slot := b.Alloca(8, 8)
		b.Do("store ptr %s, ptr %s, align 8", word, slot)
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
	return b.Op("insertvalue %s poison, %s %s, %d", b.m.lltype(t), b.m.lltype(elem), inner, at)
}

// unbox reads a value of type t from a data word. A big value stays where it is: boxes
// are never written.
func (b *fn) unbox(t types.Type, word string) string {
	if isDirectIface(t) {
		return b.wrapDirect(t, word)
	}
	return b.load(t, word)
}

// changeInterface converts between interface types when the method set shrinks.
func (b *fn) changeInterface(in *mid.ChangeInterface) string {
	from, to := under(in.X.Type()).(*types.Interface), under(in.Type()).(*types.Interface)
	x := b.operand(in.X)
	if from.NumMethods() == 0 == (to.NumMethods() == 0) && types.Identical(from, to) || from.NumMethods() == 0 {
		return x
	}
	typ, data := b.dynType(x, false), b.extract(llIface, x, 1)
	if to.NumMethods() == 0 {
		return b.makeIface(typ, data)
	}
	isNil := b.Op("icmp eq ptr %s, null", typ)
	from0 := b.Cur
	get, done := b.Label("itab"), b.Label("itab.done")
	b.Term("br i1 %s, label %%%s, label %%%s", isNil, done.Label, get.Label)
	b.Cur = get
	tab := b.itab("assertE2I", b.m.typeDesc(in.Type()), typ)
	from1 := b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	n := "%v" + b.Fresh()
	done.Phi(fmt.Sprintf("%s = phi ptr [ null, %%%s ], [ %s, %%%s ]", n, from0.Label, tab, from1.Label))
	return b.makeIface(n, data)
}

// typeAssert lowers x.(T) with and without comma-ok.
func (b *fn) typeAssert(in *mid.TypeAssert) {
	x := b.operand(in.X)
	src := under(in.X.Type()).(*types.Interface)
	empty := src.NumMethods() == 0
	typ := b.dynType(x, empty)
	if checksReceiver(in) {
		b.nilGuard(typ, 0)
		return
	}
	if dst, ok := under(in.AssertedType).(*types.Interface); ok {
		b.assertInterface(in, x, typ, dst)
		return
	}
	if chain := b.typeChains[in]; chain != nil {
		b.enterChain(chain, typ)
	}
	want := b.m.typeDesc(in.AssertedType)
	ok := b.Op("icmp eq ptr %s, %s", typ, want)
	data := b.extract(llIface, x, 1)
	if !in.CommaOk {
		b.check(ok, func() {
			b.trapCall("panicdottypeE", fmt.Sprintf("ptr %s, ptr %s, ptr %s", typ, want, b.m.typeDesc(in.X.Type())))
		})
		b.vals[in] = b.unbox(in.AssertedType, data)
		return
	}
	ti := b.m.info(in.AssertedType)
	from := b.Cur
	get, done := b.Label("assert"), b.Label("assert.done")
	b.Term("br i1 %s, label %%%s, label %%%s", ok, get.Label, done.Label)
	b.Cur = get
	v := b.unbox(in.AssertedType, data)
	exit := b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	b.tuples[in] = []string{b.join(ti.ll, edge{b.m.zero(in.AssertedType), from}, edge{v, exit}), ok}
}

// placeBits is the width of the hash by which a place that asks for itabs distinguishes types.
const placeBits = 3

// itab returns the itab of an interface type and a dynamic type, or what the run-time entry
// (assertE2I or assertE2I2) does if there is none. Each place in the code remembers itabs that it
// had before: one, as most of them see one type only; or where the question is whether there is
// one, as in type switches, one for each of a few values of a hash of the type's address, which may
// also be in the word beside it. The words are never nil: at first they point to an itab of no
// type. An itab without functions stands for a type that does not implement the interface;
// assertE2I's places never keep one.
func (b *fn) itab(entry, inter, typ string) string {
	first, noType := "loam.noitab", "null"
	if entry == "assertE2I" { // there, nil must not be found
		first, noType = "loam.noitab1", "inttoptr (i64 1 to ptr)"
	}
	b.m.define(first, func() string {
		return fmt.Sprintf("%s = linkonce_odr hidden constant { ptr, ptr, i64, i64 } { ptr null, ptr %s, i64 0, i64 0 }, comdat, align 8", b.m.comdat(first), noType)
	})
	b.m.caches++
	cache := fmt.Sprintf("itab.%d", b.m.caches)
	words := 1
	if entry == "assertE2I2" {
		words = 1 << placeBits
	}
	b.m.define(cache, func() string {
		init := strings.TrimSuffix(strings.Repeat("ptr "+quote(first)+", ", words), ", ")
		return fmt.Sprintf("%s = internal global [%d x ptr] [%s]%s, align %d", quote(cache), words, init, b.m.noptr(cache, noptrData), 8*min(words, 2))
	})
	word, beside := quote(cache), ""
	if words > 1 {
		// 2^32 divided by the golden ratio
		hash := b.Op("mul i32 %s, -1640531535", b.Op("ptrtoint ptr %s to i32", typ))
		place := b.Op("lshr i32 %s, %d", hash, 32-placeBits)
		word = b.Op("getelementptr ptr, ptr %s, i32 %s", quote(cache), place)
		beside = b.Op("getelementptr ptr, ptr %s, i32 %s", quote(cache), b.Op("xor i32 %s, 1", place))
	}
	hit, done := b.Label("itab.hit"), b.Label("itab.found")
	var cached []edge
	look := func(word string) {
		tab := b.Op("load atomic ptr, ptr %s monotonic, align 8", word)
		cached = append(cached, edge{tab, b.Cur})
		have, miss := b.Op("load ptr, ptr %s, align 8", b.gep(tab, 8)), b.Label("itab.miss")
		b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp eq ptr %s, %s", have, typ), hit.Label, miss.Label)
		b.Cur = miss
	}
	look(word)
	if words > 1 {
		look(beside)
	}
	made := b.OpDbg("call ptr %s(ptr %s, ptr %s, ptr %s)", b.m.rtFunc(entry), inter, typ, word)
	called := b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = hit
	found := b.join("ptr", cached...)
	if words > 1 {
		code := b.Op("load i64, ptr %s, align 8", b.gep(found, 24))
		found = b.Op("select i1 %s, ptr null, ptr %s", b.Op("icmp eq i64 %s, 0", code), found)
	}
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	return b.join("ptr", edge{found, hit}, edge{made, called})
}

// assertInterface lowers an assertion to an interface type.
func (b *fn) assertInterface(in *mid.TypeAssert, x, typ string, dst *types.Interface) {
	data := b.extract(llIface, x, 1)
	inter := b.m.typeDesc(in.AssertedType)
	if !in.CommaOk && dst.NumMethods() == 0 {
		b.check(b.Op("icmp ne ptr %s, null", typ), func() { b.trapCall("panicnildottype", "ptr "+inter) })
		b.vals[in] = b.makeIface(typ, data)
		return
	}
	if !in.CommaOk {
		tab := b.itab("assertE2I", inter, typ)
		b.vals[in] = b.makeIface(tab, data)
		return
	}
	tab := typ
	if dst.NumMethods() > 0 {
		tab = b.itab("assertE2I2", inter, typ)
	}
	ok := b.Op("icmp ne ptr %s, null", tab)
	v := b.Op("select i1 %s, %s %s, %s zeroinitializer", ok, llIface, b.makeIface(tab, data), llIface)
	b.tuples[in] = []string{v, ok}
}

// checksReceiver tells whether in is how go/ssa checks that the receiver of a method value is not
// nil. It asserts the type that declares the method, which the receiver's may embed, or any for a
// type parameter's; its position is the method value's, or none.
func checksReceiver(in *mid.TypeAssert) bool {
	if in.CommaOk || len(in.Referrers()) > 0 || !types.IsInterface(in.AssertedType) {
		return false
	}
	block := in.Block().Instrs
	return slices.ContainsFunc(block[slices.Index(block, mid.Instr(in)):], func(next mid.Instr) bool {
		mc, ok := next.(*mid.MakeClosure)
		return ok && len(mc.Bindings) > 0 && unconverted(mc.Bindings[0]) == unconverted(in.X) &&
			(in.Pos() == mc.Pos() || !in.Pos().IsValid()) &&
			mc.Fn.Kind == mid.Bound
	})
}
