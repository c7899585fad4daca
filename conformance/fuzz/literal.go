package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// someInt is an integer variable, if there is one.
func (f *fgen) someInt() string {
	for range 6 {
		if len(f.scope) == 0 {
			return ""
		}
		if v := pick(f.gen, f.scope); isInteger(v.t) {
			return v.name
		}
	}
	return ""
}

// literal is a value of type t that is made of constants; composite ones with depth > 0 may hold
// expressions.
func (f *fgen) literal(t *typ, depth int) string {
	switch t.kind {
	case kBool:
		s := pick(f.gen, []string{"true", "false"})
		if t.named {
			return t.name + "(" + s + ")"
		}
		return s
	case kInt, kUint:
		return fmt.Sprintf("%s(%s)", t.name, f.integer(t))
	case kParam:
		return fmt.Sprintf("%s(%d)", t.name, f.r.IntN(128))
	case kFloat:
		return fmt.Sprintf("%s(%s)", t.name, pick(f.gen,
			[]string{"0", "1", "-1", "0.5", "3.25", "-2.75", "1e10", "-7e-5", "1e38", "3.4e38", "1e-45", "0.1", "16777217",
				"9007199254740993", "255.9", "-129.5", "4294967296.5"}))
	case kComplex:
		return fmt.Sprintf("%s(complex(%d, %g))", t.name, f.r.IntN(10)-3, math.Round(f.r.Float64()*64-20)/8)
	case kString:
		s := pick(f.gen, []string{`""`, `"a"`, `"héllo"`, `"\xff\xfe"`, `"日本語"`, `"\x00b"`, "`raw\\n`", `"0123456789abcdef"`,
			`"Zz "`, `"\u2028\U0001F600"`, `"abc"`, `"abd"`})
		if t.named {
			return t.name + "(" + s + ")"
		}
		return s
	case kPtr:
		if f.chance(20) {
			return "(" + t.name + ")(nil)"
		}
		if t.elem.kind == kStruct || t.elem.kind == kArray || t.elem.kind == kSlice || t.elem.kind == kMap {
			return "&" + f.composite(t.elem, depth)
		}
		return fmt.Sprintf("func() %s { p := %s; return &p }()", t.name, f.literal(t.elem, 0))
	case kIface:
		if f.chance(20) || depth <= -2 {
			return t.name + "(nil)"
		}
		return f.constIface(t, depth)
	case kFunc:
		if f.chance(15) {
			return "(" + t.name + ")(nil)"
		}
		return f.funcLiteral(t, depth)
	}
	if (t.kind == kSlice || t.kind == kMap) && f.chance(15) {
		return paren(t.name) + "(nil)"
	}
	return f.composite(t, depth)
}

// constIface is ifaceValue of constants.
func (f *fgen) constIface(t *typ, depth int) string {
	if t == tAny {
		return fmt.Sprintf("any(%s)", f.literal(pick(f.gen, scalars), 0))
	}
	for range 10 {
		e := pick(f.gen, append(f.gen.named, tInt))
		value, pointer := implements(e, t)
		switch {
		case value:
			return fmt.Sprintf("%s(%s)", t.name, f.literal(e, depth-1))
		case pointer && e.kind == kStruct:
			return fmt.Sprintf("%s(&%s)", t.name, f.composite(e, depth-1))
		}
	}
	return t.name + "(nil)"
}

func (f *fgen) funcLiteral(t *typ, depth int) string {
	in := f.inner()
	in.pure = true
	var params []string
	for _, p := range t.params {
		v := f.fresh("q")
		params = append(params, v+" "+p.name)
		in.scope = append(in.scope, variable{name: v, t: p})
	}
	head := fmt.Sprintf("func(%s) %s", strings.Join(params, ", "), strings.TrimPrefix(t.name, "func("+names(t.params)+")"))
	var values []string
	for _, r := range t.results {
		values = append(values, in.expr(r, max(depth-1, 1)))
	}
	return fmt.Sprintf("%s { return %s }", head, strings.Join(values, ", "))
}

// composite is a composite literal. Its elements do not panic: gc may write it in place of the
// variable that is assigned, so a recovered panic would show how far it came.
func (f *fgen) composite(t *typ, depth int) string {
	defer func(risk int) { f.risk = risk }(f.risk)
	f.risk = 0
	value := func(e *typ) string {
		if depth > 0 && f.chance(50) {
			return f.expr(e, depth-1)
		}
		return f.literal(e, depth-1)
	}
	var s []string
	switch t.kind {
	case kStruct:
		keyed := f.chance(60)
		for _, fd := range t.fields {
			if fd.name == "_" || keyed && f.chance(30) || depth < -3 {
				keyed = true
				continue
			}
			switch {
			case keyed && f.modern && fd.embedded && fd.t.kind == kStruct && f.chance(60):
				s = append(s, f.promoted(fd.t, value)...)
			case keyed:
				s = append(s, fd.name+": "+value(fd.t))
			}
		}
		if !keyed {
			s = nil
			for _, fd := range t.fields {
				s = append(s, value(fd.t))
			}
		}
	case kArray:
		if depth < -3 {
			break
		}
		for i := range t.n {
			if f.chance(20) {
				break
			}
			if v := value(t.elem); f.chance(10) {
				s = append(s, fmt.Sprintf("%d: %s", i, v))
			} else if len(s) == i {
				s = append(s, v)
			}
		}
	case kSlice:
		for range f.r.IntN(5) {
			if depth < -2 {
				break
			}
			s = append(s, value(t.elem))
		}
	case kMap:
		seen := map[string]bool{}
		for range f.r.IntN(4) {
			k := f.literal(t.key, -4)
			if depth < -2 || seen[k] || t.key.kind > kString && len(seen) > 0 {
				break
			}
			seen[k] = true
			s = append(s, k+": "+value(t.elem))
		}
	}
	return t.name + "{" + strings.Join(s, ", ") + "}"
}

// integer is a literal within t's range, preferring its ends and powers of two.
func (f *fgen) integer(t *typ) string {
	lo, hi := int64(0), uint64(math.MaxUint64)>>(64-t.bits)
	if t.kind == kInt {
		lo, hi = -1<<(t.bits-1), 1<<(t.bits-1)-1
	}
	switch f.r.IntN(8) {
	case 0:
		return strconv.FormatInt(lo, 10)
	case 1:
		return strconv.FormatUint(hi, 10)
	case 2:
		return strconv.FormatUint(uint64(1)<<f.r.IntN(t.bits-1), 10)
	case 3:
		if t.kind == kInt {
			return strconv.FormatInt(-f.r.Int64N(1<<(t.bits-1)-1), 10)
		}
		return strconv.FormatUint(f.r.Uint64()&hi, 10)
	case 4:
		if t.kind == kInt {
			return "-" + strconv.Itoa(1+f.r.IntN(9))
		}
	}
	return strconv.Itoa(f.r.IntN(30))
}
