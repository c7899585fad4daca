package lower

import (
	"fmt"
	"strings"

	"loam/internal/importpath"
	"loam/internal/mid"
)

// Intrinsics: functions that the compiler expands in place. overlay/INTRINSICS.md lists
// them with their meaning. A bodyless intrinsic also gets a definition in its own package,
// for calls through pointers.

// expansion lowers a call with evaluated arguments and returns the results.
type expansion func(b *fn, args []string) []string

// intrinsic expands a direct call if f is an intrinsic.
func (b *fn) intrinsic(in *mid.Call, f *mid.Func) bool {
	if entry := b.entryAddress(in, f); entry != "" {
		b.setResults(in, []string{entry})
		return true
	}
	x := b.m.expansionOf(f)
	if x == nil {
		return false
	}
	args := make([]string, len(in.Call.Args))
	for i, a := range in.Call.Args {
		args[i] = b.operand(a)
	}
	b.setResults(in, x(b, args))
	return true
}

// entryAddress expands internal/abi.FuncPCABI0 and FuncPCABIInternal of a declared function, whose
// func value would lead to its forwarder. In ABI0 a function has code of its own if it is written
// in Go's assembly, perhaps in another package.
func (b *fn) entryAddress(in *mid.Call, f *mid.Func) string {
	sym := b.m.funcSym(f)
	if sym != "internal/abi.FuncPCABI0" && sym != "internal/abi.FuncPCABIInternal" {
		return ""
	}
	box, ok := in.Call.Args[0].(*mid.MakeInterface)
	if !ok {
		return ""
	}
	g, ok := box.X.(*mid.Func)
	if !ok || g.Parent() != nil {
		return ""
	}
	code := b.m.funcRef(g)
	if sym == "internal/abi.FuncPCABI0" && !g.HasBody() {
		abi0 := b.m.funcSym(g) + "·abi0"
		b.m.define(abi0, func() string { return quote(abi0) + " = extern_weak global i8\n" })
		code = b.Op("select i1 %s, ptr %s, ptr %s", b.Op("icmp ne ptr %s, null", quote(abi0)), quote(abi0), code)
	}
	return b.Op("ptrtoint ptr %s to i64", code)
}

// intrinsicArgs expands f for a thunk.
func (b *fn) intrinsicArgs(f *mid.Func, args []string) bool {
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
	if x != nil && m.in.Flags.Race && isAtomic(sym) {
		return raceAtomic(sym, x)
	}
	return x
}

// Stays tells whether f has to be seen as what a call calls: it is expanded there, or it or others
// look for its own frame.
func Stays(f *mid.Func) bool {
	if sym := plainSym(f); intrinsics[sym] != nil || reflectWrapper[sym] {
		return true
	}
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			c, ok := in.(*mid.Call)
			if !ok {
				continue
			}
			if g := c.Call.StaticCallee(); g != nil && !g.HasBody() && frameIntrinsic[plainSym(g)] {
				return true
			}
		}
	}
	return false
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
	if x == nil || f.Pkg != m.pkg || frameIntrinsic[sym] || sym != m.baseSym(f) {
		return false
	}
	m.define(sym, func() string {
		b := &fn{Func: newBody(), m: m, sig: m.sigOf(f.Signature), vals: map[mid.Value]string{}}
		b.Cur = b.NewBlock("b0")
		var params, args []string
		for i, p := range b.sig.params {
			n := fmt.Sprintf("%%p.%d", i)
			params = append(params, m.lltype(p)+" "+n)
			args = append(args, n)
		}
		rs := x(b, args)
		switch len(rs) {
		case 0:
			b.Term("ret void")
		case 1:
			b.Term("ret %s %s", b.sig.ret, rs[0])
		default:
			v := "poison"
			for i, r := range rs {
				v = b.Op("insertvalue %s %s, %s %s, %d", b.sig.ret, v, m.lltype(b.sig.results[i]), r, i)
			}
			b.Term("ret %s %s", b.sig.ret, v)
		}
		return fmt.Sprintf("define %s %s(%s) #0 {\n%s}\n", b.sig.ret, quote(sym), strings.Join(params, ", "), b.Body())
	})
	return true
}

// frameIntrinsic names those that speak of the frame they are in: no definition.
var frameIntrinsic = map[string]bool{
	"internal/rt/sys.FramePointer": true, "internal/rt/sys.CallerPC": true,
	"internal/runtime/sys.GetCallerPC": true, "internal/runtime/sys.GetCallerSP": true,
}

var intrinsics = map[string]expansion{}

func one(s string) []string { return []string{s} }

// atomic operations; ll is "ptr" or an integer type.
func atomicLoad(ll, order string) expansion {
	return func(b *fn, a []string) []string {
		return one(b.Op("load atomic %s, ptr %s %s, align %d", ll, a[0], order, llAlign(ll)))
	}
}

func atomicStore(ll, order string) expansion {
	return func(b *fn, a []string) []string {
		b.Do("store atomic %s %s, ptr %s %s, align %d", ll, a[1], a[0], order, llAlign(ll))
		b.shadeAtomic(ll, a[1])
		return nil
	}
}

func atomicRMW(op, ll string, result string) expansion {
	return func(b *fn, a []string) []string {
		old := b.Op("atomicrmw %s ptr %s, %s %s seq_cst, align %d", op, a[0], ll, a[1], llAlign(ll))
		b.shadeAtomic(ll, a[1])
		switch result {
		case "old":
			return one(old)
		case "new":
			return one(b.Op("%s %s %s, %s", op, ll, old, a[1]))
		}
		return nil
	}
}

func atomicCAS(ll string) expansion {
	return func(b *fn, a []string) []string {
		r := b.Op("cmpxchg ptr %s, %s %s, %s %s seq_cst seq_cst, align %d", a[0], ll, a[1], ll, a[2], llAlign(ll))
		b.shadeAtomic(ll, a[2])
		return one(b.Op("extractvalue { %s, i1 } %s, 1", ll, r))
	}
}

func llAlign(ll string) int {
	if ll == "ptr" {
		return 8
	}
	return bits(ll) / 8
}

func init() {
	const sa, ra = "sync/atomic.", "internal/runtime/atomic."
	widths := map[string]string{"Int32": "i32", "Uint32": "i32", "Int64": "i64", "Uint64": "i64", "Uintptr": "i64", "Pointer": "ptr"}
	for t, ll := range widths {
		intrinsics[sa+"Load"+t] = atomicLoad(ll, "seq_cst")
		intrinsics[sa+"Store"+t] = atomicStore(ll, "seq_cst")
		intrinsics[sa+"Swap"+t] = atomicRMW("xchg", ll, "old")
		intrinsics[sa+"CompareAndSwap"+t] = atomicCAS(ll)
		if ll != "ptr" {
			intrinsics[sa+"Add"+t] = atomicRMW("add", ll, "new")
			intrinsics[sa+"And"+t] = atomicRMW("and", ll, "old")
			intrinsics[sa+"Or"+t] = atomicRMW("or", ll, "old")
		}
	}
	set := func(ll string, x func(ll string) expansion, names ...string) {
		for _, n := range names {
			intrinsics[ra+n] = x(ll)
		}
	}
	load := func(ll string) expansion { return atomicLoad(ll, "seq_cst") }
	loadAcq := func(ll string) expansion { return atomicLoad(ll, "acquire") }
	store := func(ll string) expansion { return atomicStore(ll, "seq_cst") }
	storeRel := func(ll string) expansion { return atomicStore(ll, "release") }
	rmw := func(op, result string) func(string) expansion {
		return func(ll string) expansion { return atomicRMW(op, ll, result) }
	}
	set("i32", load, "Load", "Loadint32")
	set("i8", load, "Load8")
	set("i64", load, "Load64", "Loadint64", "Loaduint", "Loaduintptr")
	set("ptr", load, "Loadp")
	set("i32", loadAcq, "LoadAcq")
	set("i64", loadAcq, "LoadAcq64", "LoadAcquintptr")
	set("i32", store, "Store", "Storeint32")
	set("i8", store, "Store8")
	set("i64", store, "Store64", "Storeint64", "Storeuintptr")
	set("i32", storeRel, "StoreRel")
	set("i64", storeRel, "StoreRel64", "StoreReluintptr")
	set("ptr", store, "StorepNoWB", "storePointer")
	set("i32", atomicCAS, "Cas", "CasRel", "Casint32")
	set("i64", atomicCAS, "Cas64", "Casint64", "Casuintptr")
	set("ptr", atomicCAS, "Casp1", "casPointer")
	set("i32", rmw("add", "new"), "Xadd", "Xaddint32")
	set("i64", rmw("add", "new"), "Xadd64", "Xaddint64", "Xadduintptr")
	set("i8", rmw("xchg", "old"), "Xchg8")
	set("i32", rmw("xchg", "old"), "Xchg", "Xchgint32")
	set("i64", rmw("xchg", "old"), "Xchg64", "Xchgint64", "Xchguintptr")
	for _, op := range []string{"And", "Or"} {
		lop := strings.ToLower(op)
		set("i8", rmw(lop, ""), op+"8")
		set("i32", rmw(lop, ""), op)
		set("i32", rmw(lop, "old"), op+"32")
		set("i64", rmw(lop, "old"), op+"64", op+"uintptr")
	}
	initMachine()
	initBits()
	initMath()
	initMapGroups()
}

// threadWord loads a word of the thread block. Volatile: it is another thread's after
// any call that may switch.
func threadWord(off int) expansion {
	return func(b *fn, _ []string) []string {
		return one(b.Op("load volatile ptr, ptr addrspace(257) inttoptr (i64 %d to ptr addrspace(257)), align 8", off))
	}
}

func initMachine() {
	const p = "internal/rt/sys."
	for n, off := range map[string]int{"Self": 0, "G": 8, "M": 16, "CacheP": 24, "P": 32} {
		x := threadWord(off)
		if off == 0 { // address space 257 cannot address zero: LLVM takes it for null
			x = func(b *fn, _ []string) []string {
				return one(b.Op(`call ptr asm sideeffect "movq %%fs:0, $0", "=r"()`))
			}
		}
		intrinsics[p+n] = x
	}
	framePointer := func(b *fn, _ []string) []string {
		b.m.declare("llvm.frameaddress.p0", "declare ptr @llvm.frameaddress.p0(i32 immarg)")
		return one(b.Op("ptrtoint ptr %s to i64", b.Op("call ptr @llvm.frameaddress.p0(i32 0)")))
	}
	callerPC := func(b *fn, _ []string) []string {
		b.m.declare("llvm.returnaddress", "declare ptr @llvm.returnaddress(i32 immarg)")
		return one(b.Op("ptrtoint ptr %s to i64", b.Op("call ptr @llvm.returnaddress(i32 0)")))
	}
	intrinsics[p+"FramePointer"] = framePointer
	intrinsics[p+"CallerPC"] = callerPC
	intrinsics["internal/runtime/sys.GetCallerPC"] = callerPC
	intrinsics["internal/runtime/sys.GetCallerSP"] = func(b *fn, a []string) []string {
		return one(b.Op("add i64 %s, 16", framePointer(b, a)[0]))
	}
	intrinsics[p+"Pause"] = func(b *fn, _ []string) []string {
		b.Do(`call void asm sideeffect "pause", "~{memory}"()`)
		return nil
	}
	intrinsics[p+"Rdtsc"] = func(b *fn, _ []string) []string {
		b.m.declare("llvm.readcyclecounter", "declare i64 @llvm.readcyclecounter()")
		return one(b.Op("call i64 @llvm.readcyclecounter()"))
	}
	prefetch := func(b *fn, a []string) []string {
		b.m.declare("llvm.prefetch.p0", "declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)")
		b.Do("call void @llvm.prefetch.p0(ptr %s, i32 0, i32 3, i32 1)", a[0])
		return nil
	}
	intrinsics[p+"Prefetch"] = prefetch
	byAddr := func(b *fn, a []string) []string {
		return prefetch(b, one(b.Op("inttoptr i64 %s to ptr", a[0])))
	}
	intrinsics["internal/runtime/sys.Prefetch"] = byAddr
	intrinsics["internal/runtime/sys.PrefetchStreamed"] = byAddr
	intrinsics[p+"Unreachable"] = func(b *fn, _ []string) []string {
		b.Term("unreachable")
		b.Cur = b.Label("dead")
		return nil
	}
	intrinsics[p+"Syscall6"] = func(b *fn, a []string) []string {
		return one(b.Op(`call i64 asm sideeffect "syscall", "={rax},{rax},{rdi},{rsi},{rdx},{r10},{r8},{r9},~{rcx},~{r11},~{memory}"(i64 %s, i64 %s, i64 %s, i64 %s, i64 %s, i64 %s, i64 %s)`,
			a[0], a[1], a[2], a[3], a[4], a[5], a[6]))
	}
	intrinsics["runtime.KeepAlive"] = func(b *fn, a []string) []string {
		b.Do(`call void asm sideeffect "", "r,~{memory}"(ptr %s)`, b.extract(llIface, a[0], 1))
		return nil
	}
	// What borrows strings.Builder's small methods need not import internal/abi, and would call this.
	intrinsics["internal/abi.NoEscape"] = func(b *fn, a []string) []string { return one(a[0]) }
	intrinsics["crypto/internal/constanttime.boolToUint8"] = func(b *fn, a []string) []string {
		return one(b.Op("zext i1 %s to i8", a[0]))
	}
}
