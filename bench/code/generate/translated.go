package main

import (
	"fmt"
	"strings"
)

// translated writes a function of n operations as translators from C to Go do: memory is addressed
// by uintptr, all variables are declared at the top, loops and switches are labels and goto.
func translated(w *source, n int) {
	w.f("import \"unsafe\"\n")
	w.f("func up(n uintptr) unsafe.Pointer { return unsafe.Pointer(&n) }\n")
	var body source
	t := &translation{w: &body}
	for i := range n {
		t.op = i
		body.f("_op%d:\n;", i)
		translatedOps[i%len(translatedOps)](t)
		body.f("goto _next")
	}
	w.f("const operations = %d\n", n)
	w.f("// exec runs the program at p and returns zero, or the number of an error.")
	w.f("func exec(t *thread, p uintptr) (rc int32) {\nbp := t.alloc(64)\ndefer t.free(64)")
	w.f("var aOp, aMem, pOp uintptr\nvar nStep int64")
	for _, kind := range []string{"uintptr", "int64", "int32", "uint32", "uint8", "float64"} {
		if names := t.vars[kind]; len(names) > 0 {
			w.f("var %s %s", strings.Join(names, ", "), kind)
			w.f("%s = %s", strings.TrimSuffix(strings.Repeat("_, ", len(names)), ", "), strings.Join(names, ", "))
		}
	}
	w.f("aOp = **(**uintptr)(up(p))\naMem = **(**uintptr)(up(p + 8))\npOp = aOp\ngoto _1\n_1:\n;")
	w.f("nStep++\nswitch int32((*top)(unsafe.Pointer(pOp)).Fopcode) {")
	for i := range n {
		w.f("case int32(%d):\ngoto _op%d", i, i)
	}
	w.f("case int32(254):\ngoto _done\ndefault:\ngoto _bad\n}")
	w.Write(body.Bytes())
	w.f("_next:\n;\npOp = pOp + 24\ngoto _1")
	w.f("_null:\n;\n(*tmem)(unsafe.Pointer(aMem + uintptr((*top)(unsafe.Pointer(pOp)).Fp3)*32)).Fflags = uint16(1)\ngoto _next")
	w.f("_jump:\n;\npOp = aOp + uintptr((*top)(unsafe.Pointer(pOp)).Fp2)*24\ngoto _1")
	w.f("_bad:\n;\nrc = int32(1)\n_done:\n;\n**(**int64)(up(p + 16)) = nStep\nreturn rc\n}")
}

// A translation collects the variables that the code for an operation declares.
type translation struct {
	w    *source
	op   int
	vars map[string][]string
}

// v names a variable of the operation.
func (t *translation) v(kind, name string) string {
	if t.vars == nil {
		t.vars = map[string][]string{}
	}
	name = fmt.Sprintf("%s%d", name, t.op)
	t.vars[kind] = append(t.vars[kind], name)
	return name
}

func (t *translation) label(name string) string { return fmt.Sprintf("_%s%d", name, t.op) }

// f writes a line in which $0, $1 and so on are the given names.
func (t *translation) f(text string, names ...string) {
	for i := len(names) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), names[i])
	}
	t.w.f("%s", text)
}

// memory is the address of the cell that an operand names.
const memory = "aMem + uintptr((*top)(unsafe.Pointer(pOp)).F%s)*32"

func (t *translation) inputs() (x, y, z string) {
	x, y, z = t.v("uintptr", "pIn1_"), t.v("uintptr", "pIn2_"), t.v("uintptr", "pOut_")
	t.f("$0 = "+fmt.Sprintf(memory, "p1")+"\n$1 = "+fmt.Sprintf(memory, "p2")+"\n$2 = "+fmt.Sprintf(memory, "p3"), x, y, z)
	return x, y, z
}

var translatedOps = []func(t *translation){
	translatedArithmetic, translatedCompare, translatedPut, translatedGet,
	translatedHash, translatedCopy, translatedText, translatedOrder,
}

// translatedArithmetic computes with cells that hold integers or floats.
func translatedArithmetic(t *translation) {
	x, y, z := t.inputs()
	a, b := t.v("int64", "iA"), t.v("int64", "iB")
	ra, rb := t.v("float64", "rA"), t.v("float64", "rB")
	t.f(strings.ReplaceAll(`if !(int32((*tmem)(unsafe.Pointer($0)).Fflags)&int32((*tmem)(unsafe.Pointer($1)).Fflags)&int32(4) != int32(0)) {
goto $7
}
$3 = **(**int64)(up($0))
$4 = **(**int64)(up($1))
if $4 > int64(1)<<int32(40) || $4 < -(int64(1) << int32(40)) {
goto $8
}
**(**int64)(up($2)) = ($3 OP $4) & (int64(1)<<int32(40) - int64(1))
(*tmem)(unsafe.Pointer($2)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($2)).Fflags)&^int32(31) | int32(4))
goto $9
$7:
;
if !((int32((*tmem)(unsafe.Pointer($0)).Fflags)|int32((*tmem)(unsafe.Pointer($1)).Fflags))&int32(1) != int32(0)) {
goto $8
}
goto _null
$8:
;
if int32((*tmem)(unsafe.Pointer($0)).Fflags)&int32(8) != 0 {
$5 = **(**float64)(up($0))
} else {
$5 = float64(**(**int64)(up($0)))
}
if int32((*tmem)(unsafe.Pointer($1)).Fflags)&int32(8) != 0 {
$6 = **(**float64)(up($1))
} else {
$6 = float64(**(**int64)(up($1)))
}
**(**float64)(up($2)) = $5 OP $6
(*tmem)(unsafe.Pointer($2)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($2)).Fflags)&^int32(31) | int32(8))
$9:
;`, "OP", []string{"+", "-", "*"}[t.op/8%3]), x, y, z, a, b, ra, rb, t.label("notints"), t.label("floats"), t.label("ok"))
}

// translatedCompare jumps to p3's operation if a cell is less than another.
func translatedCompare(t *translation) {
	x, y, res := t.v("uintptr", "pIn1_"), t.v("uintptr", "pIn3_"), t.v("int32", "res")
	a, b := t.v("int64", "v"), t.v("int64", "w")
	t.f("$0 = "+fmt.Sprintf(memory, "p1")+"\n$1 = "+fmt.Sprintf(memory, "p3")+`
if int32((*tmem)(unsafe.Pointer($0)).Fflags)&int32((*tmem)(unsafe.Pointer($1)).Fflags)&int32(4) == 0 {
if (int32((*tmem)(unsafe.Pointer($0)).Fflags)|int32((*tmem)(unsafe.Pointer($1)).Fflags))&int32(1) != 0 {
if int32((*top)(unsafe.Pointer(pOp)).Fp5)&int32(128) != 0 {
$2 = int32(1)
} else {
goto _next
}
} else {
if **(**float64)(up($0)) < **(**float64)(up($1)) {
$2 = -int32(1)
} else {
if **(**float64)(up($0)) > **(**float64)(up($1)) {
$2 = int32(1)
} else {
$2 = int32(0)
}
}
}
} else {
$3 = **(**int64)(up($0))
$4 = **(**int64)(up($1))
if $3 < $4 {
$2 = -int32(1)
} else {
if $3 > $4 {
$2 = int32(1)
} else {
$2 = int32(0)
}
}
}
if $2 < int32(0) {
goto _jump
}`, x, y, res, a, b)
}

// translatedPut writes a cell's integer as seven bits a byte into another's bytes.
func translatedPut(t *translation) {
	x, _, z := t.inputs()
	v, to, n := t.v("int64", "u"), t.v("uintptr", "zTo"), t.v("int32", "n")
	t.f(`$3 = **(**int64)(up($0))
$4 = (*tmem)(unsafe.Pointer($1)).Fz
$5 = int32(0)
$6:
;
if !(uint64($3) > uint64(127)) {
goto $7
}
**(**uint8)(up($4 + uintptr($5))) = uint8(uint64($3)&uint64(127) | uint64(128))
$3 = int64(uint64($3) >> int32(7))
$5++
goto $6
$7:
;
**(**uint8)(up($4 + uintptr($5))) = uint8($3)
$5 = $5 + int32(1)
(*tmem)(unsafe.Pointer($1)).Fn = $5
(*tmem)(unsafe.Pointer($1)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($1)).Fflags)&^int32(31) | int32(16))`,
		x, z, z, v, to, n, t.label("loop"), t.label("last"))
}

// translatedGet reads what translatedPut wrote.
func translatedGet(t *translation) {
	x, _, z := t.inputs()
	v, from, shift := t.v("int64", "u"), t.v("uintptr", "zFrom"), t.v("int32", "sh")
	t.f(`if int32((*tmem)(unsafe.Pointer($0)).Fflags)&int32(16) == 0 {
goto _bad
}
$2 = int64(0)
$4 = int32(0)
$3 = (*tmem)(unsafe.Pointer($0)).Fz
$5:
;
$2 = $2 | int64(uint64(**(**uint8)(up($3))&uint8(127))<<uint32($4))
if int32(**(**uint8)(up($3)))&int32(128) == 0 {
goto $6
}
$4 = $4 + int32(7)
$3 = $3 + 1
goto $5
$6:
;
**(**int64)(up($1)) = $2
(*tmem)(unsafe.Pointer($1)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($1)).Fflags)&^int32(31) | int32(4))`,
		x, z, v, from, shift, t.label("loop"), t.label("end"))
}

// translatedHash hashes a cell's bytes.
func translatedHash(t *translation) {
	x, _, z := t.inputs()
	h, i := t.v("uint32", "h"), t.v("int32", "i")
	t.f(`$2 = uint32(2166136261)
$3 = int32(0)
$4:
;
if !($3 < (*tmem)(unsafe.Pointer($0)).Fn) {
goto $5
}
$2 = ($2 ^ uint32(**(**uint8)(up((*tmem)(unsafe.Pointer($0)).Fz + uintptr($3))))) * uint32(16777619)
goto $6
$6:
;
$3 = $3 + 1
goto $4
goto $5
$5:
;
**(**int64)(up($1)) = int64($2 & uint32(65535))
(*tmem)(unsafe.Pointer($1)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($1)).Fflags)&^int32(31) | int32(4))`,
		x, z, h, i, t.label("loop"), t.label("end"), t.label("step"))
}

// translatedCopy copies a cell and its bytes.
func translatedCopy(t *translation) {
	x, _, z := t.inputs()
	from, to, n := t.v("uintptr", "zFrom"), t.v("uintptr", "zTo"), t.v("int32", "n")
	t.f(`$2 = (*tmem)(unsafe.Pointer($0)).Fz
$3 = (*tmem)(unsafe.Pointer($1)).Fz
$4 = (*tmem)(unsafe.Pointer($0)).Fn
$5:
;
if !($4 > int32(0)) {
goto $6
}
**(**uint8)(up($3)) = **(**uint8)(up($2))
$2++
$3++
$4--
goto $5
$6:
;
**(**int64)(up($1)) = **(**int64)(up($0))
(*tmem)(unsafe.Pointer($1)).Fn = (*tmem)(unsafe.Pointer($0)).Fn
(*tmem)(unsafe.Pointer($1)).Fflags = (*tmem)(unsafe.Pointer($0)).Fflags`,
		x, z, from, to, n, t.label("loop"), t.label("end"))
}

// translatedText writes a cell's integer in decimal into the bytes of another, through a buffer in
// the translated frame.
func translatedText(t *translation) {
	x, _, z := t.inputs()
	v, n, i := t.v("int64", "u"), t.v("int32", "n"), t.v("int32", "i")
	t.f(`$2 = **(**int64)(up($0))
$3 = int32(0)
if $2 < 0 {
$2 = -$2
}
$5:
;
**(**uint8)(up(bp + uintptr($3))) = uint8(int64('0') + $2%int64(10))
$3 = $3 + int32(1)
$2 = $2 / int64(10)
if $2 > int64(0) {
goto $5
}
$4 = int32(0)
$6:
;
if $4 < $3 {
*(*uint8)(unsafe.Pointer((*tmem)(unsafe.Pointer($1)).Fz + uintptr($4))) = **(**uint8)(up(bp + uintptr($3-int32(1)-$4)))
$4++
goto $6
}
(*tmem)(unsafe.Pointer($1)).Fn = $3
(*tmem)(unsafe.Pointer($1)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($1)).Fflags)&^int32(31) | int32(2))`,
		x, z, v, n, i, t.label("digits"), t.label("back"))
}

// translatedOrder compares the bytes of two cells.
func translatedOrder(t *translation) {
	x, y, z := t.inputs()
	i, r, c := t.v("int32", "i"), t.v("int32", "r"), t.v("uint8", "c")
	t.f(`$3 = int32(0)
$4 = int32(0)
$6:
;
if !($3 < (*tmem)(unsafe.Pointer($0)).Fn && $3 < (*tmem)(unsafe.Pointer($1)).Fn) {
goto $7
}
$5 = **(**uint8)(up((*tmem)(unsafe.Pointer($0)).Fz + uintptr($3)))
$4 = int32($5) - int32(**(**uint8)(up((*tmem)(unsafe.Pointer($1)).Fz + uintptr($3))))
if $4 != 0 {
goto $8
}
$3++
goto $6
$7:
;
$4 = (*tmem)(unsafe.Pointer($0)).Fn - (*tmem)(unsafe.Pointer($1)).Fn
$8:
;
**(**int64)(up($2)) = int64($4)
(*tmem)(unsafe.Pointer($2)).Fflags = uint16(int32((*tmem)(unsafe.Pointer($2)).Fflags)&^int32(31) | int32(4))`,
		x, y, z, i, r, c, t.label("loop"), t.label("length"), t.label("differ"))
}
