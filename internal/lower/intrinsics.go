package lower

import (
	"strings"

	"loam/internal/amd64"
	"loam/internal/importpath"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Intrinsics: functions that the compiler expands in place. overlay/INTRINSICS.md lists
// them with their meaning. A bodyless intrinsic also gets a definition in its own package,
// for calls through pointers.

// expansion lowers a call with evaluated arguments and returns the results.
type expansion func(b *calls, args []ir.Value) []ir.Value

// intrinsic expands a direct call if f is an intrinsic.
func (b *calls) intrinsic(in *mid.Call, f *mid.Func) bool {
	if entry := b.entryAddress(in, f); entry.IsSet() {
		b.setResults(in, []ir.Value{entry})
		return true
	}
	x := b.m.expansionOf(f)
	if x == nil {
		return false
	}
	args := make([]ir.Value, len(in.Call.Args))
	for i, a := range in.Call.Args {
		args[i] = b.operand(a)
	}
	b.setResults(in, x(b, args))
	return true
}

// entryAddress expands internal/abi.FuncPCABI0 and FuncPCABIInternal of a declared function, whose
// func value would lead to its forwarder. In ABI0 a function has code of its own if it is written
// in Go's assembly, perhaps in another package.
func (b *calls) entryAddress(in *mid.Call, f *mid.Func) ir.Value {
	sym := b.m.funcSym(f)
	if !b.m.has(f, givesEntry) {
		return ir.Value{}
	}
	box, ok := in.Call.Args[0].(*mid.MakeInterface)
	if !ok {
		return ir.Value{}
	}
	g, ok := box.X.(*mid.Func)
	if !ok || g.Parent() != nil {
		return ir.Value{}
	}
	code := b.m.funcRef(g)
	if sym == "internal/abi.FuncPCABI0" && !g.HasBody() {
		sym := b.m.funcSym(g) + "·abi0"
		abi0 := b.m.ref(sym)
		b.m.define(sym, func() ir.Definition {
			return ir.Definition{Linkage: ir.ExternWeak, Hidden: b.m.in.Flags.Movable, Type: ir.I8}
		})
		code = b.Select(b.ICmp(ir.NE, abi0, ir.Null), abi0, code)
	}
	return b.Cast(ir.PtrToInt, code, ir.I64)
}

// intrinsicArgs expands f for a thunk.
func (b *calls) intrinsicArgs(f *mid.Func, args []ir.Value) bool {
	x := b.m.expansionOf(f)
	if x == nil {
		return false
	}
	x(b, args)
	return true
}

func (m *module) expansionOf(f *mid.Func) expansion {
	if f.Parent() != nil || f.Signature.Recv() != nil || len(f.TypeArgs()) > 0 {
		return nil
	}
	sym := m.funcSym(f)
	x := intrinsics[sym]
	if x != nil && m.tellsRaces() && isAtomic(sym) {
		return raceAtomic(sym, x)
	}
	return x
}

// Stays reports whether f has to be seen as what a call calls: it is expanded there, or it or
// others look for its own frame. Functions init stay for the sake of stack traces.
func Stays(f *mid.Func) bool {
	if sym := plainSym(f); IsIntrinsic(sym) || traits[sym]&(wraps|givesEntry) != 0 || isDeclaredInit(f) {
		return true
	}
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			c, ok := in.(*mid.Call)
			if !ok {
				continue
			}
			if g := c.Call.StaticCallee(); g != nil && !g.HasBody() && traits[plainSym(g)]&seesFrame != 0 {
				return true
			}
		}
	}
	return false
}

// Expands reports whether calls of f, a function of the standard library, are a few instructions.
func Expands(f *mid.Func) bool {
	sym := plainSym(f)
	return IsIntrinsic(sym) && !strings.HasPrefix(sym, "internal/rt/")
}

// plainSym is the symbol of a declared function that is no method, if no directive changes it; ""
// for others.
func plainSym(f *mid.Func) string {
	if f.Pkg == nil || f.Parent() != nil || f.Signature.Recv() != nil {
		return ""
	}
	return importpath.Prefix(f.Pkg.Pkg.Path()) + "." + f.Name()
}

// emitIntrinsicBody defines a bodyless intrinsic of this package.
func (m *module) emitIntrinsicBody(f *mid.Func, sym string) bool {
	x := m.expansionOf(f)
	if x == nil || f.Pkg != m.pkg || m.has(f, seesFrame) || sym != m.baseSym(f) {
		return false
	}
	m.define(sym, func() ir.Definition {
		b := newCalls(newObjects(newValues(newChecks(newPlaces(newCode(m, nil, m.sigOf(f.Signature)))))))
		b.Cur = b.NewBlock("b0")
		var params []ir.Parameter
		var args []ir.Value
		for i, p := range b.sig.params {
			v := ir.ParamValue(i, m.lltype(p))
			params = append(params, ir.Parameter{Value: v})
			args = append(args, v)
		}
		rs := x(b, args)
		switch len(rs) {
		case 0:
			b.Ret(ir.Value{})
		case 1:
			b.Ret(rs[0])
		default:
			v := ir.PoisonOf(b.sig.ret)
			for i, r := range rs {
				v = b.InsertAt(v, r, i)
			}
			b.Ret(v)
		}
		m.verify(b.Func, sym, params, b.sig.ret)
		return ir.Definition{Func: &ir.FuncDef{Ret: b.sig.ret, Params: params, Group: ordinary, Body: b.Func}}
	})
	return true
}

var intrinsics = map[string]expansion{}

func one(v ir.Value) []ir.Value { return []ir.Value{v} }

// atomic operations; ll is a type of pointers or integers.
func atomicLoad(ll *ir.Type, order ir.Ordering) expansion {
	return func(b *calls, a []ir.Value) []ir.Value {
		return one(b.LoadAs(ll, a[0], ir.Access{Align: llAlign(ll), Ordering: order}))
	}
}

func atomicStore(ll *ir.Type, order ir.Ordering) expansion {
	return func(b *calls, a []ir.Value) []ir.Value {
		b.StoreAs(a[1], a[0], ir.Access{Align: llAlign(ll), Ordering: order})
		b.shadeAtomic(ll, a[1])
		return nil
	}
}

// what an operation returns: nothing, what was there before, or what is there now.
type returned uint8

const (
	nothing returned = iota
	before
	now
)

// atomicRMW returns the expansion of an operation, which op names, and which computes by compute.
func atomicRMW(op string, compute ir.Op, ll *ir.Type, result returned) expansion {
	return func(b *calls, a []ir.Value) []ir.Value {
		old := b.AtomicRMW(op, a[0], a[1], ir.Access{Align: llAlign(ll), Ordering: ir.SeqCst})
		b.shadeAtomic(ll, a[1])
		switch result {
		case before:
			return one(old)
		case now:
			return one(b.Binary(compute, old, a[1]))
		}
		return nil
	}
}

func atomicCAS(ll *ir.Type) expansion {
	return func(b *calls, a []ir.Value) []ir.Value {
		r := b.CmpXchg(a[0], a[1], a[2], ir.Access{Align: llAlign(ll), Ordering: ir.SeqCst})
		b.shadeAtomic(ll, a[2])
		return one(b.ExtractAt(r, 1))
	}
}

func llAlign(ll *ir.Type) int64 {
	if ll.IsPtr() {
		return 8
	}
	return int64(ll.Bits()) / 8
}

func init() {
	const sa, ra = "sync/atomic.", "internal/runtime/atomic."
	widths := map[string]*ir.Type{"Int32": ir.I32, "Uint32": ir.I32, "Int64": ir.I64, "Uint64": ir.I64, "Uintptr": ir.I64, "Pointer": ir.Ptr}
	exchange := func(ll *ir.Type) expansion { return atomicRMW("xchg", 0, ll, before) }
	for t, ll := range widths {
		intrinsics[sa+"Load"+t] = atomicLoad(ll, ir.SeqCst)
		intrinsics[sa+"Store"+t] = atomicStore(ll, ir.SeqCst)
		intrinsics[sa+"Swap"+t] = exchange(ll)
		intrinsics[sa+"CompareAndSwap"+t] = atomicCAS(ll)
		if ll != ir.Ptr {
			intrinsics[sa+"Add"+t] = atomicRMW("add", ir.Add, ll, now)
			intrinsics[sa+"And"+t] = atomicRMW("and", ir.And, ll, before)
			intrinsics[sa+"Or"+t] = atomicRMW("or", ir.Or, ll, before)
		}
	}
	set := func(ll *ir.Type, x func(ll *ir.Type) expansion, names ...string) {
		for _, n := range names {
			intrinsics[ra+n] = x(ll)
		}
	}
	load := func(ll *ir.Type) expansion { return atomicLoad(ll, ir.SeqCst) }
	loadAcq := func(ll *ir.Type) expansion { return atomicLoad(ll, ir.Acquire) }
	store := func(ll *ir.Type) expansion { return atomicStore(ll, ir.SeqCst) }
	storeRel := func(ll *ir.Type) expansion { return atomicStore(ll, ir.Release) }
	add := func(ll *ir.Type) expansion { return atomicRMW("add", ir.Add, ll, now) }
	set(ir.I32, load, "Load", "Loadint32")
	set(ir.I8, load, "Load8")
	set(ir.I64, load, "Load64", "Loadint64", "Loaduint", "Loaduintptr")
	set(ir.Ptr, load, "Loadp")
	set(ir.I32, loadAcq, "LoadAcq")
	set(ir.I64, loadAcq, "LoadAcq64", "LoadAcquintptr")
	set(ir.I32, store, "Store", "Storeint32")
	set(ir.I8, store, "Store8")
	set(ir.I64, store, "Store64", "Storeint64", "Storeuintptr")
	set(ir.I32, storeRel, "StoreRel")
	set(ir.I64, storeRel, "StoreRel64", "StoreReluintptr")
	set(ir.Ptr, store, "StorepNoWB", "storePointer")
	set(ir.I32, atomicCAS, "Cas", "CasRel", "Casint32")
	set(ir.I64, atomicCAS, "Cas64", "Casint64", "Casuintptr")
	set(ir.Ptr, atomicCAS, "Casp1", "casPointer")
	set(ir.I32, add, "Xadd", "Xaddint32")
	set(ir.I64, add, "Xadd64", "Xaddint64", "Xadduintptr")
	set(ir.I8, exchange, "Xchg8")
	set(ir.I32, exchange, "Xchg", "Xchgint32")
	set(ir.I64, exchange, "Xchg64", "Xchgint64", "Xchguintptr")
	for name, op := range map[string]ir.Op{"And": ir.And, "Or": ir.Or} {
		logic := func(result returned) func(ll *ir.Type) expansion {
			return func(ll *ir.Type) expansion { return atomicRMW(op.String(), op, ll, result) }
		}
		set(ir.I8, logic(nothing), name+"8")
		set(ir.I32, logic(nothing), name)
		set(ir.I32, logic(before), name+"32")
		set(ir.I64, logic(before), name+"64", name+"uintptr")
	}
	initMachine()
	initBits()
	initMath()
	initMapGroups()
}

// threadWord loads a word of the thread block. Volatile: it is another thread's after
// any call that may switch.
func (b *calls) threadWord(off int64) ir.Value {
	return b.LoadAs(ir.Ptr, amd64.ThreadWord(off, b.m.in.Flags.Library), ir.Access{Align: 8, Volatile: true})
}

func threadWord(off int) expansion {
	return func(b *calls, _ []ir.Value) []ir.Value {
		return one(b.threadWord(int64(off)))
	}
}

// frameAddress returns the frame pointer.
func (b *calls) frameAddress() ir.Value {
	return b.Call(ir.Ptr, b.m.intrinsic("llvm.frameaddress.p0", ir.Ptr, immediate(ir.I32)...), ir.Int(ir.I32, 0))
}

func initMachine() {
	const p = "internal/rt/sys."
	for n, off := range map[string]int{"Self": 0, "G": 8, "M": 16, "CacheP": 24, "P": 32} {
		intrinsics[p+n] = threadWord(off)
	}
	framePointer := func(b *calls, _ []ir.Value) []ir.Value {
		return one(b.Cast(ir.PtrToInt, b.frameAddress(), ir.I64))
	}
	callerPC := func(b *calls, _ []ir.Value) []ir.Value {
		f := b.m.intrinsic("llvm.returnaddress", ir.Ptr, immediate(ir.I32)...)
		return one(b.Cast(ir.PtrToInt, b.Call(ir.Ptr, f, ir.Int(ir.I32, 0)), ir.I64))
	}
	intrinsics[p+"FramePointer"] = framePointer
	intrinsics[p+"CallerPC"] = callerPC
	intrinsics["internal/runtime/sys.GetCallerPC"] = callerPC
	intrinsics["internal/runtime/sys.GetCallerSP"] = func(b *calls, a []ir.Value) []ir.Value {
		return one(b.Add(framePointer(b, a)[0], ir.Int(ir.I64, 16)))
	}
	intrinsics[p+"Pause"] = func(b *calls, _ []ir.Value) []ir.Value {
		b.Asm(amd64.Pause, ir.Void)
		return nil
	}
	intrinsics[p+"Rdtsc"] = func(b *calls, _ []ir.Value) []ir.Value {
		return one(b.Call(ir.I64, b.m.intrinsic("llvm.readcyclecounter", ir.I64)))
	}
	prefetch := func(b *calls, a []ir.Value) []ir.Value {
		f := b.m.intrinsic("llvm.prefetch.p0", ir.Void, append(typed(ir.Ptr), immediate(ir.I32, ir.I32, ir.I32)...)...)
		b.Call(ir.Void, f, a[0], ir.Int(ir.I32, 0), ir.Int(ir.I32, 3), ir.Int(ir.I32, 1))
		return nil
	}
	intrinsics[p+"Prefetch"] = prefetch
	byAddr := func(b *calls, a []ir.Value) []ir.Value {
		return prefetch(b, one(b.Cast(ir.IntToPtr, a[0], ir.Ptr)))
	}
	intrinsics["internal/runtime/sys.Prefetch"] = byAddr
	intrinsics["internal/runtime/sys.PrefetchStreamed"] = byAddr
	intrinsics[p+"Unreachable"] = func(b *calls, _ []ir.Value) []ir.Value {
		b.Unreachable()
		b.Cur = b.Label("dead")
		return nil
	}
	intrinsics[p+"Syscall6"] = func(b *calls, a []ir.Value) []ir.Value {
		return one(b.Asm(amd64.Syscall, ir.I64, a...))
	}
	intrinsics["runtime.KeepAlive"] = func(b *calls, a []ir.Value) []ir.Value {
		b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, b.extract(a[0], 1))
		return nil
	}
	// What borrows strings.Builder's small methods need not import internal/abi, and would call this.
	intrinsics["internal/abi.NoEscape"] = func(b *calls, a []ir.Value) []ir.Value { return one(a[0]) }
	intrinsics["crypto/internal/constanttime.boolToUint8"] = func(b *calls, a []ir.Value) []ir.Value {
		return one(b.Cast(ir.ZExt, a[0], ir.I8))
	}
}
