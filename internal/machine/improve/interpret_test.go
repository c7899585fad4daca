package improve

import (
	"fmt"
	"math/bits"
	"testing"

	"loam/internal/machine/code"
)

// read returns a function of the text, improved if that is asked for.
func read(t *testing.T, text string, improved bool) *code.Func {
	t.Helper()
	var out *code.Func
	_, err := code.Read([]byte(text), func(m *code.Module, f *code.Func, _ *code.Def) {
		if improved {
			Func(f)
		}
		c := *f
		c.Params, c.Classes, c.Ins = append([]int32(nil), f.Params...), append([]code.Class(nil), f.Classes...), append([]code.Ins(nil), f.Ins...)
		c.Args, c.Consts, c.Blocks = append([]code.Operand(nil), f.Args...), append([]code.Const(nil), f.Consts...),
			append([]code.Block(nil), f.Blocks...)
		c.Targets, c.Cases = append([]int32(nil), f.Targets...), append([]int64(nil), f.Cases...)
		out = &c
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A machine runs functions of integers: what is above the bits of a value is garbage, as in
// registers.
type machine struct {
	f      *code.Func
	values []int64
	memory map[int64]byte
	count  map[code.Op]int
}

const garbage = 0x5A5A5A5A5A5A5A5A

func dirty(n int64, cl code.Class) int64 {
	if cl == code.I64 {
		return n
	}
	mask := int64(1)<<widthOf(cl) - 1
	return n&mask | garbage&^mask
}

func (m *machine) get(o code.Operand, cl code.Class) int64 {
	if o < 0 {
		return signed(m.f.Consts[^o].N, cl)
	}
	return signed(m.values[o], cl)
}

// run calls a function, and returns its result.
func run(f *code.Func, params ...int64) (int64, *machine, error) {
	m := &machine{f: f, values: make([]int64, len(f.Classes)), memory: map[int64]byte{}, count: map[code.Op]int{}}
	for i, v := range f.Params {
		m.values[v] = dirty(params[i], f.Classes[v])
	}
	b, from, frame := int32(0), int32(-1), int64(1<<40)
	for steps := 0; steps < 10000; steps++ {
		blk := f.Blocks[b]
		next := int32(-1)
		var late []func()
		for i := blk.First; i < blk.End && next < 0; i++ {
			in := &f.Ins[i]
			args := f.Args[in.Args : in.Args+in.Count]
			m.count[in.Op]++
			switch in.Op {
			case code.Phi:
				for k, o := range args {
					if f.Targets[in.Aux+int32(k)] == from {
						n := m.get(o, in.Class)
						late = append(late, func() { m.values[in.Result] = dirty(n, in.Class) })
						break
					}
				}
				continue
			case code.Ret:
				return m.get(args[0], f.Results[0]), m, nil
			case code.Br:
				next = f.Targets[in.Aux]
			case code.CondBr:
				next = f.Targets[in.Aux+1]
				if m.get(args[0], code.I1) != 0 {
					next = f.Targets[in.Aux]
				}
			case code.Alloca:
				frame -= in.Disp
				m.values[in.Result] = frame
			default:
				for _, set := range late {
					set()
				}
				late = nil
				if err := m.compute(in, args); err != nil {
					return 0, m, err
				}
			}
			for _, set := range late {
				set()
			}
			late = nil
		}
		b, from = next, b
	}
	return 0, m, fmt.Errorf("no end")
}

// compute runs an instruction that makes values of values, or accesses memory.
func (m *machine) compute(in *code.Ins, args []code.Operand) error {
	cl := in.Class
	arg := func(k int) int64 { return m.get(args[k], cl) }
	set := func(n int64) { m.values[in.Result] = dirty(n, m.f.Classes[in.Result]) }
	size := func() int64 { return cl.Size() }
	switch in.Op {
	case code.Add, code.Sub, code.Mul, code.And, code.Or, code.Xor, code.Shl, code.LShr, code.AShr:
		n, ok := fold(in.Op, cl, arg(0), arg(1))
		if !ok {
			return fmt.Errorf("a shift by %d", arg(1))
		}
		set(n)
	case code.UDiv:
		set(int64(unsigned(arg(0), cl) / unsigned(arg(1), cl)))
	case code.URem:
		set(int64(unsigned(arg(0), cl) % unsigned(arg(1), cl)))
	case code.SDiv:
		set(arg(0) / arg(1))
	case code.SRem:
		set(arg(0) % arg(1))
	case code.MulWide:
		hi, lo := bits.Mul64(uint64(arg(0)), uint64(arg(1)))
		m.values[in.Result], m.values[in.Result+1] = int64(lo), int64(hi)
	case code.ZExt:
		set(int64(unsigned(m.get(args[0], in.From), in.From)))
	case code.SExt:
		set(m.get(args[0], in.From))
	case code.ICmp:
		q, not := ask(in.Pred, cl, args[0], args[1])
		x, y := m.get(q.x, cl), m.get(q.y, cl)
		yes := map[kind]bool{equal: x == y, below: unsigned(x, cl) < unsigned(y, cl), less: x < y}[q.kind]
		set(map[bool]int64{true: 1}[yes != not])
	case code.Select:
		if m.get(args[0], code.I1) != 0 {
			set(arg(1))
		} else {
			set(arg(2))
		}
	case code.Addr:
		n := m.get(args[0], code.I64) + in.Disp
		if in.Count == 2 {
			n += m.get(args[1], code.I64) * int64(in.Scale)
		}
		set(n)
	case code.Load:
		n, at := int64(0), m.get(args[0], code.I64)+in.Disp
		for i := range size() {
			n |= int64(m.memory[at+i]) << (8 * i)
		}
		set(n)
	case code.Store:
		n, at := arg(0), m.get(args[1], code.I64)+in.Disp
		for i := range size() {
			m.memory[at+i] = byte(n >> (8 * i))
		}
	case code.MemSet:
		at := m.get(args[0], code.I64)
		for i := range m.get(args[2], code.I64) {
			m.memory[at+i] = byte(m.get(args[1], code.I8))
		}
	default:
		return fmt.Errorf("operation %d", in.Op)
	}
	return nil
}
