package code

import (
	"math"
	"strconv"
)

// scalarConst reads a constant of a type that has one scalar.
func (r *reader) scalarConst(t *Type) Const {
	r.space()
	c := Const{Class: t.class}
	switch b := r.b[r.at]; {
	case b == '@':
		c.Kind, c.Symbol = SymbolAt, r.symbol()
		return c
	case b == '0' && r.b[r.at+1] == 'x':
		r.at += 2
		start := r.at
		for isWord[r.b[r.at]] {
			r.at++
		}
		bits, err := strconv.ParseUint(string(r.b[start:r.at]), 16, 64)
		if err != nil {
			Fail("float %s", r.line())
		}
		c.N = int64(bits)
		if t.class == F32 {
			c.N = int64(math.Float32bits(float32(math.Float64frombits(bits))))
		}
		return c
	case b == '-' || '0' <= b && b <= '9':
		if t.class.IsFloat() {
			r.expect("0.0")
			return c
		}
		c.N = r.number()
		return c
	}
	switch {
	case r.take("splat (i8"):
		c.N = int64(uint64(uint8(r.number())) * 0x0101010101010101)
		r.expect(")")
		return c
	case r.take("null"), r.take("zeroinitializer"), r.take("undef"), r.take("poison"), r.take("false"):
		return c
	case r.take("true"):
		c.N = 1
		return c
	case r.take("getelementptr ("):
		r.expect("i8,")
		c = r.scalarConst(r.typ())
		r.expect(",")
		r.typ()
		c.N += r.number()
		r.expect(")")
		return c
	case r.take("ptrtoint ("), r.take("bitcast ("), r.take("trunc ("):
		c = r.scalarConst(r.typ())
		r.expect("to")
		r.typ()
		r.expect(")")
		c.Class = t.class
		return c
	case r.take("inttoptr ("):
		c = r.scalarConst(r.typ())
		r.expect("to")
		r.space()
		start := r.at
		r.typ()
		if string(r.b[start:r.at]) == "ptr addrspace(257)" {
			c.Kind = Thread
		}
		r.expect(")")
		c.Class = t.class
		return c
	}
	Fail("constant %s", r.line())
	return c
}

func (r *fn) constOperand(c Const) Operand {
	r.f.Consts = append(r.f.Consts, c)
	return ^Operand(len(r.f.Consts) - 1)
}

// operand reads an operand of type t, and appends its scalars to list.
func (r *reader) operand(t *Type, list []Operand) []Operand {
	r.space()
	if r.b[r.at] == '%' {
		l := r.local(t)
		return append(list, r.leaves[l.first:l.first+int32(len(t.leaves))]...)
	}
	if t.kind == scalar && len(t.leaves) == 1 {
		return append(list, r.constOperand(r.scalarConst(t)))
	}
	switch {
	case r.take("zeroinitializer"), r.take("undef"), r.take("poison"):
		for _, l := range t.leaves {
			list = append(list, r.constOperand(Const{Class: l.class}))
		}
		return list
	}
	if t.bits == 128 {
		n := r.number()
		return append(list, r.constOperand(Const{Class: I64, N: n}), r.constOperand(Const{Class: I64, N: n >> 63}))
	}
	if !r.take("{") && !r.take("<{") && !r.take("[") {
		Fail("operand %s", r.line())
	}
	for {
		if r.take("}>") || r.take("}") || r.take("]") {
			return list
		}
		list = r.operand(r.typ(), list)
		r.take(",")
	}
}

// A local is what stands for a name: scalars.
type local struct {
	first   int32 // in leaves
	defined bool
	typ     *Type
}

// fn is what the reader knows of the function that it reads.
type fn struct {
	f      *Func
	locals []local
	temps  []int32 // of names %vN, the number of the local plus 1
	named  map[string]int32
	leaves []Operand
	labels map[string]int32
	block  int32
	loc    int32
	list   []Operand
	result *local // of the instruction that is read, nil without
}

func (r *reader) clear(f *Func) {
	r.f = f
	r.locals, r.leaves = r.locals[:0], r.leaves[:0]
	clear(r.temps)
	clear(r.named)
	clear(r.labels)
	*f = Func{
		Params: f.Params[:0], Classes: f.Classes[:0], Ins: f.Ins[:0], Args: f.Args[:0], Consts: f.Consts[:0],
		Blocks: f.Blocks[:0], Targets: f.Targets[:0], Calls: f.Calls[:0], Results: f.Results[:0], Cases: f.Cases[:0],
		Shown: f.Shown[:0], Nest: -1, Loc: -1,
	}
}

// localNumber reads the name of a local, and returns its number.
func (r *reader) localNumber() int {
	r.at++ // %
	if r.b[r.at] == 'v' {
		i, n := r.at+1, 0
		for c := r.b[i]; '0' <= c && c <= '9'; c = r.b[i] {
			n = n*10 + int(c-'0')
			i++
		}
		if i > r.at+1 && !isWord[r.b[i]] {
			r.at = i
			for len(r.temps) <= n {
				r.temps = append(r.temps, 0)
			}
			if r.temps[n] == 0 {
				r.locals = append(r.locals, local{first: -1})
				r.temps[n] = int32(len(r.locals))
			}
			return int(r.temps[n] - 1)
		}
	}
	var word []byte
	if r.b[r.at] == '"' {
		word = []byte(r.quoted())
	} else {
		word = r.word()
	}
	k, ok := r.named[string(word)]
	if !ok {
		k = int32(len(r.locals))
		r.locals = append(r.locals, local{first: -1})
		r.named[string(word)] = k
	}
	return int(k)
}

// local reads the name of a local. Scalars of what is not yet defined are values, which the
// definition is to make.
func (r *reader) local(t *Type) *local {
	l := &r.locals[r.localNumber()]
	if l.first < 0 {
		l.typ = t
		l.first = int32(len(r.leaves))
		for _, x := range t.leaves {
			r.leaves = append(r.leaves, r.value(x.class))
		}
	}
	return l
}

// value makes a new value.
func (r *fn) value(c Class) Operand {
	r.f.Classes = append(r.f.Classes, c)
	return Operand(len(r.f.Classes) - 1)
}

// makes returns the first of the values that an instruction makes for the result, of type t.
func (r *fn) makes(t *Type) int32 {
	l := r.result
	if l == nil {
		first := int32(len(r.f.Classes))
		for _, x := range t.leaves {
			r.value(x.class)
		}
		return first
	}
	if l.first < 0 {
		l.typ, l.first = t, int32(len(r.leaves))
		for _, x := range t.leaves {
			r.leaves = append(r.leaves, r.value(x.class))
		}
	}
	l.defined = true
	if len(t.leaves) == 0 {
		return -1
	}
	return r.leaves[l.first]
}

// is says that the result is scalars that there are already.
func (r *fn) is(t *Type, list []Operand) {
	l := r.result
	if l == nil {
		return
	}
	l.defined = true
	if l.first < 0 {
		l.typ, l.first = t, int32(len(r.leaves))
		r.leaves = append(r.leaves, list...)
		return
	}
	for i, x := range list {
		r.ins(Ins{Op: Copy, Class: t.leaves[i].class, Result: r.leaves[l.first+int32(i)]}, x)
	}
}

// ins appends an instruction.
func (r *fn) ins(in Ins, args ...Operand) {
	in.Args, in.Count, in.Loc = int32(len(r.f.Args)), int32(len(args)), r.loc
	r.f.Args = append(r.f.Args, args...)
	r.f.Ins = append(r.f.Ins, in)
}
