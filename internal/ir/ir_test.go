package ir

import (
	"strings"
	"testing"
)

// function builds a function with two ways and returns it with its parameters.
func function() (*Func, []Parameter) {
	n, p := ParamValue(0, I64), ParamValue(1, Ptr)
	f := &Func{AllLoc: true, Loc: 8}
	small, big, done := f.NewBlock("b0"), f.NewBlock("b1"), f.NewBlock("b2")
	slot := f.Alloca(8, 8)
	f.AtEntry(func() { f.Store(n, slot, 8) })
	f.Cur = small
	f.CondBrWeighed(f.ICmp(ULT, n, Int(I64, 10)), done, big, 3)
	f.Cur = big
	word := f.LoadAs(I64, f.IndexIn(I8, p, Int(I64, 16)), Access{Align: 8, Invariant: 5})
	f.Br(done)
	f.Cur = done
	v := f.Fresh(I64)
	done.Phi(v, Edge{n, small}, Edge{word, big})
	f.Ret(f.Add(v, f.Load(I64, slot, 8)))
	return f, []Parameter{{Value: n}, {Value: p, ParamAttr: ParamAttr{NoAlias: true}}}
}

func TestPrint(t *testing.T) {
	f, params := function()
	const want = `entry:
  %slot.1 = alloca [8 x i8], align 8
  store i64 %p.0, ptr %slot.1, align 8
  br label %b0
b0:
  %v2 = icmp ult i64 %p.0, 10, !dbg !7
  br i1 %v2, label %b2, label %b1, !prof !2, !dbg !7
b1:
  %v3 = getelementptr inbounds i8, ptr %p.1, i64 16, !dbg !7
  %v4 = load i64, ptr %v3, align 8, !invariant.load !4, !dbg !7
  br label %b2, !dbg !7
b2:
  %v5 = phi i64 [ %p.0, %b0 ], [ %v4, %b1 ]
  %v6 = load i64, ptr %slot.1, align 8, !dbg !7
  %v7 = add i64 %v5, %v6, !dbg !7
  ret i64 %v7, !dbg !7
`
	if got := text(func(p *printer) { printFunc(p, f) }); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := text(params[1].print); got != "ptr noalias %p.1" {
		t.Errorf("parameter %s", got)
	}
}

// TestPrintOne prints instructions one by one.
func TestPrintOne(t *testing.T) {
	m := NewModule()
	g, x := m.Ref("p.f"), ParamValue(0, I64)
	pair := Struct(I64, I1)
	for want, write := range map[string]func(f *Func){
		`%v1 = call i64 @"p.f"(i64 %p.0, ptr nest nocapture readonly null) #1 nomerge noinline, !dbg !0`: func(f *Func) {
			f.CallWithAt(&CallInfo{Group: 2, NoMerge: true, NoInline: true,
				Params: []ParamAttr{{}, {Nest: true, NoCapture: true, ReadOnly: true}}}, I64, g, x, Null)
		},
		`call preserve_mostcc void @"p.f"()`:                                   func(f *Func) { f.CallWith(&CallInfo{Saves: true}, Void, g) },
		`call void asm sideeffect "nop $0", "r"(i64 7) #2`:                     func(f *Func) { f.AsmWith(Asm{Text: "nop $0", Constraints: "r"}, 3, Void, Int(I64, 7)) },
		`%v1 = cmpxchg ptr null, i64 %p.0, i64 0 seq_cst seq_cst, align 8`:     func(f *Func) { f.CmpXchg(Null, x, Zero(I64), Access{Align: 8, Ordering: SeqCst}) },
		`%v1 = atomicrmw add ptr null, i64 %p.0 seq_cst, align 8`:              func(f *Func) { f.AtomicRMW("add", Null, x, Access{Align: 8, Ordering: SeqCst}) },
		`%v1 = load atomic i64, ptr null acquire, align 8`:                     func(f *Func) { f.LoadAs(I64, Null, Access{Align: 8, Ordering: Acquire}) },
		`store volatile i64 %p.0, ptr @"p.f", align 8`:                         func(f *Func) { f.StoreAs(x, g, Access{Align: 8, Volatile: true}) },
		`%v1 = insertvalue { i64, i1 } poison, i1 true, 1`:                     func(f *Func) { f.InsertAt(PoisonOf(pair), Bool(true), 1) },
		`%v1 = extractvalue { i64, i1 } zeroinitializer, 0`:                    func(f *Func) { f.ExtractAt(Zero(pair), 0) },
		`%v1 = getelementptr inbounds { i64, i1 }, ptr null, i32 0, i32 1`:     func(f *Func) { f.PartIn(pair, Null, []int{1}) },
		`%v1 = select i1 false, double 0x3FF8000000000000, double 0.0`:         func(f *Func) { f.Select(Bool(false), FloatConst(Double, 1.5), Zero(Double)) },
		`%v1 = icmp eq <8 x i8> zeroinitializer, splat (i8 -128)`:              func(f *Func) { v := Vector(8, I8); f.ICmp(EQ, Zero(v), Splat(v, -128)) },
		`%v1 = ptrtoint ptr inttoptr (i64 18446744073709551615 to ptr) to i64`: func(f *Func) { f.Cast(PtrToInt, CastConst(IntToPtr, Uint(I64, 1<<64-1), Ptr), I64) },
		`store <{ i8, [2 x i8] }> <{ i8 1, [2 x i8] c"a\22" }>, ptr null`:      func(f *Func) { f.Store(Aggregate(Packed(I8, Array(2, I8)), Int(I8, 1), BytesConst("a\"")), Null, 0) },
		`store ptr getelementptr (i8, ptr @"p.f", i64 8), ptr null, align 8`:   func(f *Func) { f.Store(OffsetConst(g, 8), Null, 8) },
		`switch i64 %p.0, label %b [ i64 1, label %b i64 2, label %c.1 ]`: func(f *Func) {
			c := f.Label("c")
			f.Switch(x, f.blocks[0], []Case{{Int(I64, 1), f.blocks[0]}, {Int(I64, 2), c}})
		},
		`callbr void asm sideeffect "", "!i"() #2 to label %b [label %c.1]`:               func(f *Func) { c := f.Label("c"); f.AsmBr(Asm{Constraints: "!i"}, 3, f.blocks[0], c) },
		`#dbg_declare(ptr %p.0, !1, !DIExpression(DW_OP_deref), !2)`:                      func(f *Func) { f.Declare(ParamValue(0, Ptr), 2, "DW_OP_deref", 3) },
		`%v1 = shufflevector <8 x i8> poison, <8 x i8> poison, <8 x i32> zeroinitializer`: func(f *Func) { f.Splat(PoisonOf(Vector(8, I8))) },
	} {
		f := &Func{Loc: 1}
		f.Cur = f.NewBlock("b")
		write(f)
		if got := text(f.blocks[0].body[0].print); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestVerify(t *testing.T) {
	f, params := function()
	if err := f.Verify(params, I64); err != nil {
		t.Error(err)
	}
	n := ParamValue(0, I64)
	for want, spoil := range map[string]func(f *Func){
		"operands of types i64 and i32":              func(f *Func) { f.Add(n, Int(I32, 1)); f.Ret(n) },
		"operands of type double":                    func(f *Func) { f.Add(Zero(Double), Zero(Double)); f.Ret(n) },
		"no conversion of i64":                       func(f *Func) { f.Cast(ZExt, n, I8); f.Ret(n) },
		"%p.0 is no pointer":                         func(f *Func) { f.Load(I64, n, 8); f.Ret(n) },
		"%v90 is not defined":                        func(f *Func) { f.temps = 89; f.Ret(f.Fresh(I64)) },
		"%v1 is defined twice":                       func(f *Func) { f.Add(n, n); f.temps = 0; f.Add(n, n); f.Ret(n) },
		"%v1 is used before it is defined":           func(f *Func) { v := f.Fresh(I64); f.Add(v, n); f.Define(v, func() { f.Add(n, n) }); f.Ret(v) },
		"the function's result is i64":               func(f *Func) { f.Ret(Value{}) },
		"the condition is no bit":                    func(f *Func) { f.CondBr(n, f.blocks[0], f.blocks[0]) },
		"goes to lost, which is not in the function": func(f *Func) { f.Br(DetachedBlock("lost")) },
		"the part has type i1":                       func(f *Func) { f.InsertAt(PoisonOf(Struct(I64, I1)), n, 1); f.Ret(n) },
		"no such part":                               func(f *Func) { f.ExtractAt(PoisonOf(Struct(I64, I1)), 2); f.Ret(n) },
		"an operand is missing":                      func(f *Func) { f.Store(n, Value{}, 8); f.Ret(n) },
		"some way into the block has no operand": func(f *Func) {
			next := f.Label("next")
			f.CondBr(Bool(true), next, f.blocks[0])
			f.blocks[0].Phi(f.Fresh(I64), Edge{n, f.blocks[0]})
			f.Cur = next
			f.Ret(n)
		},
		"%v3 is used before it is defined": func(f *Func) { // on one of two ways only
			one, other := f.Label("one"), f.Label("other")
			f.CondBr(Bool(true), one, other)
			f.Cur = one
			v := f.Add(n, n)
			f.Br(other)
			f.Cur = other
			f.Ret(v)
		},
		"%v2 is not defined at the end of b": func(f *Func) {
			next := f.Label("next")
			f.Br(next)
			f.Cur = next
			v := f.Add(n, n)
			next.Phi(f.Fresh(I64), Edge{v, f.blocks[0]})
			f.Ret(n)
		},
		"g returns void and takes [ptr]": func(f *Func) {
			g := NewModule().Ref("g")
			g.Global().decl = &Declaration{Ret: Void,
				Params: []DeclaredParam{{Type: Ptr}}}
			f.Call(Void, g, n)
			f.Ret(n)
		},
		"g returns void and takes [i64]": func(f *Func) {
			g := NewModule().Ref("g")
			g.Global().def = &Definition{Func: &FuncDef{Ret: Void, Params: []Parameter{{Value: n}}}}
			f.Call(I64, g, n)
			f.Ret(n)
		},
		"block next.1 does not lead here": func(f *Func) {
			next := f.Label("next")
			f.Br(next)
			f.Cur = next
			next.Phi(f.Fresh(I64), Edge{n, next})
			f.Ret(n)
		},
	} {
		f := &Func{}
		f.Cur = f.NewBlock("b")
		spoil(f)
		if err := f.Verify([]Parameter{{Value: n}}, I64); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestModule prints a module whole, and a part of it with other names and numbers.
func TestModule(t *testing.T) {
	m := NewModule()
	m.Path, m.Target, m.Groups = "p", "target triple = \"x\"\n", "attributes #0 = { nounwind }\n"
	m.Asm = []string{`.section "a"`}
	file := m.Node("DIFile", Text("filename", "a\"b"), Text("directory", "/"))
	scope := m.Reserve()
	m.FillDistinct(scope, "DISubprogram", Text("name", "f"), Node("scope", file), Node("type", 0), Nodes("retainedNodes", []Meta{file}))
	m.Named("llvm.list", file, scope)
	v, f := m.NumberedRef("v.", 7), m.Ref("p.f")
	m.Define(v, func() Definition {
		return Definition{Linkage: Internal, Init: Int(I64, 1), Section: "s", Comdat: m.Comdat(v, true), Align: 8}
	})
	m.Declare(m.PlainRef("ext"), Declaration{Ret: Void,
		Params: []DeclaredParam{{Type: Ptr, ParamAttr: ParamAttr{ReadOnly: true}}, {Type: I1, Immediate: true}}, Group: 1})
	m.Declare(m.PlainRef("quick"), Declaration{Ret: Void, Saves: true})
	m.Define(f, func() Definition {
		b := &Func{AllLoc: true, Loc: m.Location(3, scope, 0)}
		b.Cur = b.NewBlock("b")
		b.Call(Void, m.PlainRef("ext"), v, Bool(true))
		b.Ret(Value{})
		return Definition{Align: 16, Dbg: scope, Func: &FuncDef{Ret: Void,
			Params: []Parameter{{Value: ParamValue(0, I64)}}, Group: 1, NoInline: true, Body: b}}
	})
	const want = `; ModuleID = 'p'
source_filename = "p"
target triple = "x"

attributes #0 = { nounwind }

$"v.7" = comdat nodeduplicate
@"v.7" = internal global i64 1, section "s", comdat, align 8
define void @"p.f"(i64 %p.0) #0 noinline align 16 !dbg !1 {
entry:
  br label %b
b:
  call void @ext(ptr @"v.7", i1 true), !dbg !2
  ret void, !dbg !2
}

declare void @ext(ptr readonly, i1 immarg) #0
declare preserve_mostcc void @quick()
!llvm.list = !{!0, !1}
!0 = !DIFile(filename: "a\22b", directory: "/")
!1 = distinct !DISubprogram(name: "f", scope: !0, type: null, retainedNodes: !{!0})
!2 = !DILocation(line: 3, scope: !1)

module asm ".section \22a\22"
`
	if got := string(m.Text()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	w := m.Writer(others{})
	w.Copy(f.Global(), true, "")
	w.External(v.Global(), false, "other")
	w.Declaration(m.PlainRef("ext").Global())
	w.Node(scope, nil)
	const part = `define available_externally hidden void @"p.f·"(i64 %p.0) #0 noinline !dbg !102 {
entry:
  br label %b
b:
  call void @"ext·"(ptr @"v.7·", i1 true), !dbg !103
  ret void, !dbg !103
}
@other = external global i64, align 8
declare void @"ext·"(ptr readonly, i1 immarg) #0
!102 = distinct !DISubprogram(name: "f", scope: !101, type: null, retainedNodes: !{!101})
`
	if got := string(w.Text()); got != part {
		t.Errorf("got\n%s\nwant\n%s", got, part)
	}
	if n := f.Global().Def().Func.Instrs(); n != 2 {
		t.Errorf("%d instructions", n)
	}
	if refs := m.Refs(f.Global()); len(refs) != 2 || refs[0].Name() != "ext" || refs[1] != v.Global() {
		t.Errorf("references %v", refs)
	}
}

// others are other names.
type others struct{}

func (others) Global(g *Global, plain bool) string { return `"` + g.Name() + `·"` }
func (others) Meta(m Meta) int                     { return 100 + int(m) }

// TestTypes: equal types are the same.
func TestTypes(t *testing.T) {
	if Struct(Ptr, I64) != Struct(Ptr, I64) || Array(3, I8) != Array(3, IntType(8)) || PtrIn(257) == Ptr {
		t.Error("types are compared by their pointers")
	}
	if s := Struct(Array(1, Struct(I8)), Struct()).String(); s != "{ [1 x { i8 }], {} }" {
		t.Error(s)
	}
}
