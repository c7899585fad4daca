package main

import "fmt"

// binaryOps are the interpreter's operators on numbers: what they do with integers, with floats
// (nothing: they are made integers), and whether the result of integers may overflow.
var binaryOps = []struct{ name, ints, floats, overflow string }{
	{"Add", "x.n + y.n", "a + b", "(x.n^n)&(y.n^n) < 0"},
	{"Sub", "x.n - y.n", "a - b", "(x.n^y.n)&(x.n^n) < 0"},
	{"Mul", "x.n * y.n", "a * b", "x.n != 0 && (n/x.n != y.n || x.n == -1 && y.n == math.MinInt64)"},
	{"Div", "x.n / y.n", "a / b", ""},
	{"Mod", "x.n % y.n", "math.Mod(a, b)", ""},
	{"And", "x.n & y.n", "", ""},
	{"Or", "x.n | y.n", "", ""},
	{"Xor", "x.n ^ y.n", "", ""},
	{"Shl", "x.n << (uint64(y.n) & 63)", "", ""},
	{"Shr", "x.n >> (uint64(y.n) & 63)", "", ""},
	{"Min", "min(x.n, y.n)", "min(a, b)", ""},
	{"Max", "max(x.n, y.n)", "max(a, b)", ""},
}

var comparisons = []struct{ name, op string }{{"Lt", "<"}, {"Le", "<="}, {"Gt", ">"}, {"Ge", ">="}, {"Eq", "=="}, {"Ne", "!="}}

// modes are where operands are: registers, constants, the stack, globals.
var modes = []struct{ name, x, y string }{
	{"RR", "&regs[base+int(i.b)]", "&regs[base+int(i.c)]"},
	{"RK", "&regs[base+int(i.b)]", "&consts[i.c]"},
	{"KR", "&consts[i.b]", "&regs[base+int(i.c)]"},
	{"RG", "&regs[base+int(i.b)]", "&globals[i.c]"},
	{"GK", "&globals[i.b]", "&consts[i.c]"},
	{"GR", "&globals[i.b]", "&regs[base+int(i.c)]"},
	{"GG", "&globals[i.b]", "&globals[i.c]"},
	{"SS", "&stack[sp-2]", "&stack[sp-1]"},
}

// interpreter writes a bytecode interpreter of n instructions in one function.
func interpreter(w *source, n int) {
	type op struct {
		name string
		code func()
	}
	var ops []op
	for _, m := range modes {
		for _, b := range binaryOps {
			ops = append(ops, op{b.name + m.name, func() { arithmetic(w, m.name, m.x, m.y, b.ints, b.floats, b.overflow) }})
		}
		for _, c := range comparisons {
			ops = append(ops,
				op{"Jump" + c.name + m.name, func() { comparison(w, m.name, m.x, m.y, c.op, true) }},
				op{"Set" + c.name + m.name, func() { comparison(w, m.name, m.x, m.y, c.op, false) }})
		}
	}
	ops = append(ops, op{"Jump", func() { w.f("pc = int(i.a)") }},
		op{"Halt", func() { w.f("return steps, nil") }},
		op{"Move", func() { w.f("regs[base+int(i.a)] = regs[base+int(i.b)]") }},
		op{"Load", func() { w.f("regs[base+int(i.a)] = consts[i.b]") }},
		op{"Push", func() { w.f("stack[sp] = regs[base+int(i.a)]\nsp++") }},
		op{"Pop", func() { w.f("sp--\nregs[base+int(i.a)] = stack[sp]") }},
		op{"GetGlobal", func() { w.f("regs[base+int(i.a)] = globals[i.b]") }},
		op{"SetGlobal", func() { w.f("globals[i.a] = regs[base+int(i.b)]") }},
		op{"Call", func() {
			w.f("frames = append(frames, frame{pc, base})\nbase += int(i.b)\npc = int(i.a)")
			w.f("if len(frames) > 1000 {\nreturn steps, &fault{pc, \"stack overflow\"}\n}")
		}},
		op{"Return", func() {
			w.f("f := frames[len(frames)-1]\nframes = frames[:len(frames)-1]")
			w.f("pc, base = f.pc, f.base")
		}},
		op{"GetItem", func() {
			w.f("x := &regs[base+int(i.c)]\nif x.kind != isInt || uint64(x.n) >= uint64(len(array)) {")
			w.f("return steps, &fault{pc, \"index\"}\n}\nregs[base+int(i.a)] = array[x.n]")
		}},
		op{"SetItem", func() {
			w.f("x := &regs[base+int(i.c)]\nif x.kind != isInt || uint64(x.n) >= uint64(len(array)) {")
			w.f("return steps, &fault{pc, \"index\"}\n}\narray[x.n] = regs[base+int(i.a)]")
		}})
	// Control first, then as many of the others as are asked for, over again if there are not enough.
	control := 12
	ops = append(ops[len(ops)-control:], ops[:len(ops)-control]...)
	w.f("import \"math\"\n\nconst (")
	for i := range n {
		name := ops[i%len(ops)].name
		if i >= len(ops) {
			name += fmt.Sprint(i / len(ops))
		}
		w.f("op%s = %d", name, i)
	}
	w.f(")\n")
	w.f("// run runs code and says how many instructions that took.")
	w.f("func run(code []instr, consts, globals, array []value) (steps int, err error) {")
	w.f("regs := make([]value, 4096)\nstack := make([]value, 256)\nvar frames []frame")
	w.f("pc, base, sp := 0, 0, 0\nfor {\ni := &code[pc]\npc++\nsteps++\nswitch i.op {")
	for i := range n {
		w.f("case %d: // %s", i, ops[i%len(ops)].name)
		ops[i%len(ops)].code()
	}
	w.f("default:\nreturn steps, &fault{pc, \"no such instruction\"}\n}\n}\n}")
}

// operands gives x and y their addresses, and z that of the result.
func operands(w *source, mode, x, y string, result bool) {
	w.f("x := %s\ny := %s", x, y)
	if mode == "SS" {
		w.f("sp -= 2")
	}
	switch {
	case !result:
	case mode == "SS":
		w.f("z := &stack[sp]\nsp++")
	default:
		w.f("z := &regs[base+int(i.a)]")
	}
}

func arithmetic(w *source, mode, x, y, ints, floats, overflow string) {
	operands(w, mode, x, y, true)
	w.f("switch {\ncase x.kind == isInt && y.kind == isInt:")
	if ints == "x.n / y.n" || ints == "x.n %% y.n" || ints == "x.n % y.n" {
		w.f("if y.n == 0 {\nreturn steps, &fault{pc, \"division by zero\"}\n}")
	}
	w.f("n := %s", ints)
	if overflow != "" {
		w.f("if %s {\na, b := float64(x.n), float64(y.n)\nz.kind, z.f = isFloat, %s\nbreak\n}", overflow, floats)
	}
	w.f("z.kind, z.n = isInt, n")
	for _, k := range [][4]string{{"isFloat", "isFloat", "x.f", "y.f"}, {"isInt", "isFloat", "float64(x.n)", "y.f"}, {"isFloat", "isInt", "x.f", "float64(y.n)"}} {
		w.f("case x.kind == %s && y.kind == %s:", k[0], k[1])
		w.f("a, b := %s, %s", k[2], k[3])
		if floats != "" {
			w.f("z.kind, z.f = isFloat, %s", floats)
			continue
		}
		w.f("if a != math.Trunc(a) || b != math.Trunc(b) {\nreturn steps, &fault{pc, \"not an integer\"}\n}")
		w.f("{\nx, y := value{n: int64(a)}, value{n: int64(b)}\nz.kind, z.n = isInt, %s\n}", ints)
	}
	w.f("case x.kind == isBool || y.kind == isBool:\nreturn steps, &fault{pc, \"operand is a boolean\"}")
	w.f("case x.kind == isNil:\nreturn steps, &fault{pc, \"left operand is nil\"}")
	w.f("case y.kind == isNil:\nreturn steps, &fault{pc, \"right operand is nil\"}")
	w.f("default:\nreturn steps, &fault{pc, \"operands are not numbers\"}\n}")
}

func comparison(w *source, mode, x, y, op string, jump bool) {
	operands(w, mode, x, y, !jump)
	w.f("var is bool\nswitch {")
	for _, k := range [][4]string{{"isInt", "isInt", "x.n", "y.n"}, {"isFloat", "isFloat", "x.f", "y.f"},
		{"isInt", "isFloat", "float64(x.n)", "y.f"}, {"isFloat", "isInt", "x.f", "float64(y.n)"}} {
		w.f("case x.kind == %s && y.kind == %s:\nis = %s %s %s", k[0], k[1], k[2], op, k[3])
	}
	if op == "==" || op == "!=" {
		w.f("case x.kind == isBool && y.kind == isBool:\nis = x.n %s y.n", op)
		w.f("case x.kind == isNil && y.kind == isNil:\nis = 0 %s 0", op)
		w.f("default:\nis = 0 %s 1\n}", op)
	} else {
		w.f("case x.kind == isNil:\nreturn steps, &fault{pc, \"left operand is nil\"}")
		w.f("case y.kind == isNil:\nreturn steps, &fault{pc, \"right operand is nil\"}")
		w.f("default:\nreturn steps, &fault{pc, \"operands cannot be ordered\"}\n}")
	}
	if jump {
		w.f("if is {\npc = int(i.a)\n}")
		return
	}
	w.f("z.kind, z.n = isBool, 0\nif is {\nz.n = 1\n}")
}
