package lower

import (
	"fmt"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// builtin lowers a call of a built-in function in value position.
func (b *fn) builtin(in *mid.Call, bi *mid.Builtin) {
	args := make([]string, len(in.Call.Args))
	for i, a := range in.Call.Args {
		if m, ok := a.(*mid.MakeSlice); ok && appendedZeros(m) {
			continue // is not made
		}
		args[i] = b.operand(a)
	}
	if bi.Name() == "append" {
		b.vals[in] = b.appendSlice(in, args)
		return
	}
	if r := b.builtinCall(bi, &in.Call, args); r != "" {
		b.vals[in] = r
	}
}

// builtinCall lowers a built-in with evaluated arguments and returns its result, if any.
func (b *fn) builtinCall(bi *mid.Builtin, c *mid.CallCommon, args []string) string {
	argT := func(i int) types.Type { return c.Args[i].Type() }
	switch bi.Name() {
	case "len", "cap":
		return b.lenCap(bi.Name(), argT(0), args[0])
	case "copy":
		return b.copyBuiltin(argT(0), argT(1), args)
	case "close":
		b.DoDbg("call void %s(ptr %s)", b.m.rtFunc("closechan"), args[0])
	case "delete":
		b.mapDelete(under(argT(0)).(*types.Map), args[0], args[1])
	case "clear":
		b.clearBuiltin(argT(0), args[0])
	case "print", "println":
		b.print(bi.Name() == "println", c.Args, args)
	case "panic":
		b.DoDbg("call void %s(%s %s)", b.m.rtFunc("gopanic"), llIface, args[0])
	case "recover":
		return b.recoverCall()
	case "complex":
		ll := "{ double, double }"
		e := b.m.lltype(argT(0))
		if e == "float" {
			ll = "{ float, float }"
		}
		return b.pair(ll, e, args[0], e, args[1])
	case "real":
		return b.extract(b.m.lltype(argT(0)), args[0], 0)
	case "imag":
		return b.extract(b.m.lltype(argT(0)), args[0], 1)
	case "min", "max":
		return b.minMax(bi.Name(), argT(0), args)
	case "wrapnilchk":
		b.guard(b.Op("icmp ne ptr %s, null", args[0]), "panicwrap")
		return args[0]
	case "deferstack":
		return b.frame
	default:
		return b.unsafeBuiltin(bi, c, args)
	}
	return ""
}

func (b *fn) unsafeBuiltin(bi *mid.Builtin, c *mid.CallCommon, args []string) string {
	switch bi.Name() {
	case "Add":
		i := b.resize(args[1], b.m.lltype(c.Args[1].Type()), "i64", isUnsigned(c.Args[1].Type()))
		return b.Op("getelementptr i8, ptr %s, i64 %s", args[0], i)
	case "StringData":
		return b.extract(llString, args[0], 0)
	case "SliceData":
		return b.extract(llSlice, args[0], 0)
	case "String":
		n := b.resize(args[1], b.m.lltype(c.Args[1].Type()), "i64", isUnsigned(c.Args[1].Type()))
		b.checkUnsafe(args[0], n, 1, func() {
			b.DoDbg("call void %s(ptr %s, i64 %s)", b.m.rtFunc("unsafestring"), args[0], n)
		})
		return b.makeString(args[0], n)
	case "Slice":
		n := b.resize(args[1], b.m.lltype(c.Args[1].Type()), "i64", isUnsigned(c.Args[1].Type()))
		elem := under(c.Args[0].Type()).(*types.Pointer).Elem()
		b.checkUnsafe(args[0], n, b.m.info(elem).size, func() {
			b.DoDbg("call void %s(ptr %s, ptr %s, i64 %s)", b.m.rtFunc("unsafeslice"), b.m.typeDesc(elem), args[0], n)
		})
		return b.makeSliceVal(args[0], n, n)
	}
	panic("lower: built-in " + bi.Name())
}

// checkUnsafe runs slow, the run-time check of unsafe.Slice or String, unless n elements of the
// given size at p are memory that a program can have.
func (b *fn) checkUnsafe(p, n string, size int64, slow func()) {
	const most = 1 << 47 // the address space
	few := b.Op("icmp ult i64 %s, %d", n, most/max(size, 1))
	start := b.Op("ptrtoint ptr %s to i64", p)
	end := b.Op("add i64 %s, %s", start, b.Op("mul i64 %s, %d", n, size))
	inside := b.Op("icmp ult i64 %s, %d", b.Op("or i64 %s, %s", start, end), most)
	exists := b.Op("icmp ne ptr %s, null", p)
	check, done := b.Label("unsafe"), b.Label("unsafe.ok")
	b.Term("br i1 %s, label %%%s, label %%%s, !prof %s", b.Op("and i1 %s, %s", b.Op("and i1 %s, %s", few, inside), exists),
		done.Label, check.Label, b.m.likely())
	b.Cur = check
	slow()
	b.Term("br label %%%s", done.Label)
	b.Cur = done
}

func (b *fn) lenCap(name string, t types.Type, x string) string {
	k := 1
	if name == "cap" {
		k = 2
	}
	switch u := under(t).(type) {
	case *types.Basic:
		return b.extract(llString, x, 1)
	case *types.Slice:
		return b.extract(llSlice, x, k)
	case *types.Array:
		return fmt.Sprint(u.Len())
	case *types.Pointer:
		return fmt.Sprint(under(u.Elem()).(*types.Array).Len())
	case *types.Map, *types.Chan:
		// nil gives 0; otherwise a word of the header (docs/abi.md): the number of
		// entries of a map, qcount and dataqsiz of a channel.
		off := int64(0)
		if name == "cap" {
			off = 8
		}
		return b.whenNotNil(x, "i64", "0", func() string { return b.Op("load i64, ptr %s, align 8", b.gep(x, off)) })
	}
	panic(fmt.Sprintf("lower: %s of %v", name, t))
}

// whenNotNil evaluates f only if p is not nil and gives zero otherwise.
func (b *fn) whenNotNil(p, ll, zero string, f func() string) string {
	from := b.Cur
	some, done := b.Label("some"), b.Label("some.done")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp eq ptr %s, null", p), done.Label, some.Label)
	b.Cur = some
	v := f()
	exit := b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	return b.join(ll, edge{zero, from}, edge{v, exit})
}

func (b *fn) minOf(x, y string) string {
	b.m.declare("llvm.smin.i64", "declare i64 @llvm.smin.i64(i64, i64)")
	return b.Op("call i64 @llvm.smin.i64(i64 %s, i64 %s)", x, y)
}

func (b *fn) copyBuiltin(dt, st types.Type, args []string) string {
	elem := under(dt).(*types.Slice).Elem()
	dst, dn := b.extract(llSlice, args[0], 0), b.extract(llSlice, args[0], 1)
	sll := b.m.lltype(st)
	src, sn := b.extract(sll, args[1], 0), b.extract(sll, args[1], 1)
	n := b.minOf(dn, sn)
	size := b.m.info(elem).size
	if !isString(st) {
		b.raceRange(src, n, size, false)
	}
	b.raceRange(dst, n, size, true)
	b.move(dst, src, n, elem, false)
	return n
}

// move copies n elements, overlapping or not; few says that n is a constant and that src is not
// part of what dst is. Pointers are moved and told to the collector by one function in which a
// goroutine cannot be stopped: where the two overlap, the move may overwrite the only other copy of
// a pointer, so it must not be stopped before the barrier.
func (b *fn) move(dst, src, n string, elem types.Type, few bool) {
	ti := b.m.info(elem)
	if ti.size == 0 {
		return
	}
	if ti.size > 1 {
		n = b.Op("mul i64 %s, %d", n, ti.size)
	}
	if ti.ptrs && !few && !b.m.noHeap {
		b.m.declare("loam.move_pointers", `declare void @"loam.move_pointers"(ptr nocapture, ptr nocapture readonly, i64) #7`)
		b.Do("call void @loam.move_pointers(ptr %s, ptr %s, i64 %s)", dst, src, n)
		return
	}
	b.Do("call void @llvm.memmove.p0.p0.i64(ptr %s, ptr %s, i64 %s, i1 false)", dst, src, n)
	if ti.ptrs {
		b.shadeRange(dst, n)
	}
}

// appendSlice lowers append(s, t...): grow if the capacity does not suffice, then copy.
func (b *fn) appendSlice(in *mid.Call, args []string) string {
	elem := under(in.Type()).(*types.Slice).Elem()
	s := args[0]
	if len(args) == 1 {
		return s
	}
	p, n, c := b.extract(llSlice, s, 0), b.extract(llSlice, s, 1), b.extract(llSlice, s, 2)
	tll := b.m.lltype(in.Call.Args[1].Type())
	if isNilConst(in.Call.Args[1]) {
		return s
	}
	var src, add string
	zeros := false
	if m, ok := in.Call.Args[1].(*mid.MakeSlice); ok && appendedZeros(m) {
		zeros, add = true, b.sliceLen(m.Len)
		b.guard(b.Op("icmp sge i64 %s, 0", add), "panicmakeslicelen")
	} else {
		src, add = b.extract(tll, args[1], 0), b.extract(tll, args[1], 1)
	}
	total := b.Op("add i64 %s, %s", n, add)
	if !zeros && !isString(in.Call.Args[1].Type()) && !listed(in.Call.Args[1]) {
		b.raceRange(src, add, b.m.info(elem).size, false)
	}
	b.raceAppend(p, n, c, add, b.m.info(elem).size)
	from := b.Cur
	grow, done := b.Label("grow"), b.Label("grow.done")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp ugt i64 %s, %s", total, c), grow.Label, done.Label)
	b.Cur = grow
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "append in run-time package")
	}
	pointers, capacities := []edge{{p, from}}, []edge{{c, from}}
	if first, slot, room := b.firstArray(in, elem, total, c); first != nil {
		pointers, capacities = append(pointers, edge{slot, first}), append(capacities, edge{fmt.Sprint(room), first})
		heap := b.Cur
		b.Cur = first
		b.Term("br label %%%s", done.Label)
		b.Cur = heap
	}
	r := b.OpDbg("call %s %s(ptr %s, i64 %s, i64 %s, i64 %s, ptr %s)", llSlice, b.m.rtFunc("growslice"), p, total, c, add, b.m.typeDesc(elem))
	pointers, capacities = append(pointers, edge{b.extract(llSlice, r, 0), b.Cur}), append(capacities, edge{b.extract(llSlice, r, 2), b.Cur})
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	np, nc := b.join("ptr", pointers...), b.join("i64", capacities...)
	end := b.elemAddr(np, n, elem)
	if !zeros {
		b.move(end, src, add, elem, listed(in.Call.Args[1]))
	} else if size := b.m.info(elem).size; size > 0 {
		b.Do("call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 %s, i1 false)", end, b.Op("mul i64 %s, %d", add, size))
	}
	return b.makeSliceVal(np, total, nc)
}

// maxFirstArrays is how many calls of append in a function have memory in its frame.
const maxFirstArrays = 64

// firstArray begins the growth of a slice of elem, of capacity c, to total elements: if it has no
// array yet and is not to leave the frame, a short one is there. As with gc, that is for elements
// that are appended one by one: what append(s, t...) makes has the capacity that it needs.
//
// It returns the block that takes that array, which is not ended, its address and capacity; and
// goes on where the array must be on the heap. The block is nil if it always must.
//
// The array is used once in an activation: the loop around a call of append can have the slice that
// has it at hand in its next turn.
func (b *fn) firstArray(in *mid.Call, elem types.Type, total, c string) (first *ir.Block, slot string, room int64) {
	if b.exact != nil || b.firstArrays == maxFirstArrays || !listed(in.Call.Args[1]) || !b.onStack(in) || !b.hasRoom(escape.AppendBytes) {
		return nil, "", 0
	}
	b.firstArrays++
	room = escape.AppendBytes / b.m.info(elem).size
	slot = b.Alloca(escape.AppendBytes, 8)
	fits := b.Op("and i1 %s, %s", b.Op("icmp eq i64 %s, 0", c), b.Op("icmp ule i64 %s, %d", total, room))
	used := ""
	if b.loops[in.Block()] {
		used = b.Alloca(1, 1)
		b.Entry("store i8 0, ptr %s, align 1", used)
		fits = b.Op("and i1 %s, %s", fits, b.Op("icmp eq i8 %s, 0", b.Op("load i8, ptr %s, align 1", used)))
	}
	first = b.Label("grow.first")
	heap := b.Label("grow.heap")
	b.Term("br i1 %s, label %%%s, label %%%s", fits, first.Label, heap.Label)
	b.Cur = first
	b.zeroSlot(slot, escape.AppendBytes, 8)
	if used != "" {
		b.Do("store i8 1, ptr %s, align 1", used)
	}
	b.Cur = heap
	return first, slot, room
}

// listed tells whether v is the slice of an array that go/ssa made for the arguments of append(s,
// x, y).
func listed(v mid.Value) bool {
	s, ok := v.(*mid.Slice)
	return ok && s.Low == nil && s.High == nil && variadicArray(s.X)
}

// appendedZeros tells whether m is the make of append(s, make([]T, n)...): nothing else sees the
// slice, so s grows by zeros and no slice is made.
func appendedZeros(m *mid.MakeSlice) bool {
	if m.Len != m.Cap {
		return false
	}
	var user mid.Instr
	for _, r := range m.Referrers() {
		if user != nil {
			return false
		}
		user = r
	}
	call, ok := user.(*mid.Call)
	if !ok {
		return false
	}
	f, ok := call.Call.Value.(*mid.Builtin)
	return ok && f.Name() == "append" && len(call.Call.Args) == 2 && call.Call.Args[1] == mid.Value(m) && follows(m, call)
}

// follows tells whether b comes next after a.
func follows(a, b mid.Instr) bool {
	next := false
	for _, in := range a.Block().Instrs {
		if next {
			return in == b
		}
		next = in == a
	}
	return false
}

func (b *fn) clearBuiltin(t types.Type, x string) {
	switch u := under(t).(type) {
	case *types.Map:
		b.DoDbg("call void %s(ptr %s, ptr %s)", b.m.rtFunc("mapclear"), b.m.typeDesc(t), x)
	case *types.Slice:
		size := b.m.info(u.Elem()).size
		b.raceRange(b.extract(llSlice, x, 0), b.extract(llSlice, x, 1), size, true)
		n := b.Op("mul i64 %s, %d", b.extract(llSlice, x, 1), size)
		b.Do("call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 %s, i1 false)", b.extract(llSlice, x, 0), n)
	}
}

func (b *fn) minMax(name string, t types.Type, args []string) string {
	ll := b.m.lltype(t)
	acc := args[0]
	info := basicInfo(t)
	for _, y := range args[1:] {
		switch {
		case info&types.IsString != 0:
			cc := "slt"
			if name == "max" {
				cc = "sgt"
			}
			r := b.OpDbg("call i64 %s(%s %s, %s %s)", b.m.rtFunc("cmpstring"), llString, y, llString, acc)
			acc = b.Op("select i1 %s, %s %s, %s %s", b.Op("icmp %s i64 %s, 0", cc, r), ll, y, ll, acc)
		case info&types.IsFloat != 0:
			acc = b.minMaxFloat(name, ll, acc, y)
		default:
			s := "s"
			if isUnsigned(t) {
				s = "u"
			}
			i := fmt.Sprintf("llvm.%s%s.%s", s, name, ll)
			b.m.declare(i, fmt.Sprintf("declare %s @%s(%s, %s)", ll, i, ll, ll))
			acc = b.Op("call %s @%s(%s %s, %s %s)", ll, i, ll, acc, ll, y)
		}
	}
	return acc
}

// minMaxFloat: NaN if either is NaN, and -0 is less than +0.
func (b *fn) minMaxFloat(name, ll, x, y string) string {
	cc, bitop := "olt", "or"
	if name == "max" {
		cc, bitop = "ogt", "and"
	}
	il := "i64"
	if ll == "float" {
		il = "i32"
	}
	pick := b.Op("select i1 %s, %s %s, %s %s", b.Op("fcmp %s %s %s, %s", cc, ll, x, y), ll, x, ll, y)
	// Equal operands can differ only in the sign of zero.
	xi, yi := b.Op("bitcast %s %s to %s", ll, x, il), b.Op("bitcast %s %s to %s", ll, y, il)
	zero := b.Op("bitcast %s %s to %s", il, b.Op("%s %s %s, %s", bitop, il, xi, yi), ll)
	pick = b.Op("select i1 %s, %s %s, %s %s", b.Op("fcmp oeq %s %s, %s", ll, x, y), ll, zero, ll, pick)
	return b.Op("select i1 %s, %s %s, %s %s", b.Op("fcmp uno %s %s, %s", ll, x, y), ll, b.Op("fadd %s %s, %s", ll, x, y), ll, pick)
}

// print lowers print and println.
func (b *fn) print(line bool, vs []mid.Value, args []string) {
	put := func(name, args string) { b.DoDbg("call void %s(%s)", b.m.rtFunc(name), args) }
	put("printlock", "")
	for i, v := range vs {
		if line && i > 0 {
			put("printsp", "")
		}
		b.printValue(put, v.Type(), args[i])
	}
	if line {
		put("printnl", "")
	}
	put("printunlock", "")
}

func (b *fn) printValue(put func(name, args string), t types.Type, x string) {
	ll := b.m.lltype(t)
	switch u := under(t).(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			put("printbool", "i1 "+x)
		case info&types.IsString != 0:
			put("printstring", llString+" "+x)
		case info&types.IsInteger != 0 && info&types.IsUnsigned != 0:
			put("printuint", "i64 "+b.resize(x, ll, "i64", true))
		case info&types.IsInteger != 0:
			put("printint", "i64 "+b.resize(x, ll, "i64", false))
		case info&types.IsFloat != 0: // a float32 has fewer digits
			put("print"+map[string]string{"float": "float32", "double": "float64"}[ll], ll+" "+x)
		case info&types.IsComplex != 0:
			e := complexPart(ll)
			put("print"+map[string]string{"float": "complex64", "double": "complex128"}[e], e+" "+b.extract(ll, x, 0)+", "+e+" "+b.extract(ll, x, 1))
		default:
			put("printpointer", "ptr "+x)
		}
	case *types.Slice:
		put("printslice", llSlice+" "+x)
	case *types.Interface:
		name := "printiface"
		if u.NumMethods() == 0 {
			name = "printeface"
		}
		put(name, llIface+" "+x)
	default:
		put("printpointer", "ptr "+x)
	}
}
