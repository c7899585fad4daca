package amd64

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/ir"
)

// TestAssembles has clang take all inline assembly: the operands' places and constraints are right
// for LLVM, and the instructions for the assembler.
func TestAssembles(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	m := ir.NewModule()
	m.Path, m.Target, m.Groups = "p", Module, "attributes #0 = { nounwind }\n"
	fixed, ok := FixedRangeBarrier(1 << 20)
	if _, huge := FixedRangeBarrier(1 << 32); !ok || huge {
		t.Error("an instruction holds 32 bits")
	}
	two, three := ir.Struct(ir.I64, ir.I64), ir.Struct(ir.I64, ir.I64, ir.I64, ir.I64)
	p, n := ir.ParamValue(0, ir.Ptr), ir.ParamValue(1, ir.I64)
	f := &ir.Func{}
	f.Cur = f.NewBlock("b")
	use := func(asm ir.Asm, ret *ir.Type, args ...ir.Value) { f.Asm(asm, ret, args...) }
	use(Pause, ir.Void)
	use(Syscall, ir.I64, n, n, n, n, n, n, n)
	use(Divide, two, n, n, n)
	use(Forget, ir.Ptr, p)
	use(ClearUnused, ir.Void)
	use(ClearKept, ir.Void)
	use(Resumed, ir.Ptr)
	use(Barrier(1), ir.Void, p)
	use(Barrier(4), ir.Void, p, p, p, p)
	use(RangeBarrier(), ir.Void, p, n)
	use(fixed, ir.Void, p)
	for name, args := range map[string][]ir.Value{"addVV": {p, p, p}, "subVV": {p, p, p}, "lshVU": {p, p, n}, "rshVU": {p, p, n},
		"mulAddVWW": {p, p, n, n}, "addMulVVWW": {p, p, p, n, n}} {
		use(Loops["math/big."+name].Asm(len(args)), three, append(args, n)...)
	}
	f.LoadAs(ir.Ptr, ThreadWord(0, false), ir.Access{Align: 8, Volatile: true})
	next, resume := f.Label("next"), f.Label("resume")
	f.AsmBr(SaveResume(false), 0, next, resume, p)
	f.Cur = next
	f.Br(resume)
	f.Cur = resume
	f.Ret(ir.Value{})
	params := []ir.Parameter{{Value: p}, {Value: n}}
	if err := f.Verify(params, ir.Void); err != nil {
		t.Fatal(err)
	}
	m.Define(m.Ref("f"), func() ir.Definition {
		return ir.Definition{Func: &ir.FuncDef{Ret: ir.Void, Params: params, Group: 1, Body: f}}
	})
	ll := filepath.Join(t.TempDir(), "f.ll")
	if err := os.WriteFile(ll, m.Text(), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, "-c", "-O1", TripleFlag, "-fno-pic", "-x", "ir", ll, "-o", os.DevNull).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, m.Text())
	}
}

// TestWrapperAssembles does the same for the wrappers between conventions.
func TestWrapperAssembles(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	var params []Param
	for i := range int64(8) { // six integers in registers, then the stack
		params = append(params, Param{Off: 8 * i, Size: 8, Places: []Place{{Off: 8 * i, Size: 8}}})
	}
	params = append(params, Param{Off: 64, Size: 24, Big: true, Places: []Place{{Size: 8}}},
		Param{Off: 88, Size: 4, Places: []Place{{Off: 88, Size: 4, Float: true}}},
		Param{Off: 92, Size: 1, Places: []Place{{Off: 92, Size: 1, Bool: true}}})
	results := []Param{{Off: 96, Size: 8, Places: []Place{{Off: 96, Size: 8}}}}
	var w strings.Builder
	preserved := []string{"rbx", "rbp", "r12"}
	wrapper := Wrapper{Builder: &w, Symbol: "a.f", Code: "a.f·abi0", Need: 300, Preserved: preserved, Changes: 5}
	wrapper.ABI0(NewFrame(params, results, false, 96, 104))
	if (&Wrapper{Builder: &strings.Builder{}}).Registers(NewFrame(params, results, false, 96, 104)) {
		t.Error("eight integers do not fit into registers")
	}
	wrapper = Wrapper{Builder: &w, Symbol: "a.g", Code: "a.g·internal", Preserved: preserved}
	if !wrapper.Registers(NewFrame(params[:2:2], nil, false, 16, 16)) {
		t.Error("two integers fit into registers")
	}
	before := w.Len()
	Thunk(&w, NewFrame(nil, results, true, 96, 104), "a.h·abi0", "a.h")
	if thunk := w.String()[before:]; strings.Contains(thunk, "%rax") {
		t.Errorf("results are in memory, not in a register:\n%s", thunk)
	}
	text := w.String()
	for _, want := range []string{"cmpq\t%fs:112", "pushq\t%rbx", "movl\t$32, %r11d" /* two words, an address and a bit */} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	s := filepath.Join(t.TempDir(), "w.s")
	if err := os.WriteFile(s, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, "-c", TripleFlag, "-x", "assembler", s, "-o", os.DevNull).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}
