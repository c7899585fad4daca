package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"unicode/utf8"

	"loam/internal/ir"
	"loam/internal/mid"
)

// globalRef returns the address of a package variable.
func (m *functions) globalRef(g *mid.Global) ir.Value {
	sym := m.globalSym(g)
	own := plainGlobalSym(g)
	// The link gives package fuzz its counters by variables without size.
	if !m.noHeap && g.Pkg.Pkg.Path() != "internal/fuzz" && m.info(under(g.Type()).(*types.Pointer).Elem()).size == 0 && !m.byAsm(own) {
		return m.zeroBase()
	}
	if g.Pkg == m.pkg && m.in.User && !m.definesLinked(g) && !m.byAsm(own) && !m.extern[sym] {
		// gc's linker takes the first definition that has a value, and if there is none any: a zero one.
		ti := m.info(under(g.Type()).(*types.Pointer).Elem())
		m.define(sym, func() ir.Definition {
			return ir.Definition{Linkage: ir.Weak, Init: ir.Zero(ir.Array(max(ti.size, 1), ir.I8)), Align: max(ti.align, 8)}
		})
	} else if g.Pkg != m.pkg || !m.definesLinked(g) && (sym != own || m.byAsm(own)) {
		m.out.Declare(m.ref(sym), ir.Declaration{Type: ir.I8})
	}
	return m.ref(sym)
}

// zeroBase is the address of all variables and objects without size that are not in a frame.
func (m *functions) zeroBase() ir.Value {
	base := m.ref("internal/rt/heap.zerobase")
	m.out.Declare(base, ir.Declaration{Type: ir.I8})
	return base
}

// zeroMem returns read-only zeroed memory of at least size bytes.
func (m *functions) zeroMem(size int64) ir.Value {
	n := int64(64)
	for n < size {
		n *= 2
	}
	sym := fmt.Sprintf("loam.zero.%d", n)
	m.define(sym, func() ir.Definition {
		return m.merged(sym, ir.Definition{Hidden: true, Init: ir.Zero(ir.Array(n, ir.I8)), Section: noptrBSS, Align: 16})
	})
	return m.ref(sym)
}

// zero returns the zero value of t as an operand. For a big type it is the address of
// zeroed read-only memory.
func (m *functions) zero(t types.Type) ir.Value {
	ti := m.info(t)
	if ti.big {
		return m.zeroMem(ti.size)
	}
	return ir.Zero(ti.ll)
}

// constant returns the operand of a constant.
func (m *functions) constant(c *mid.Const) ir.Value { return m.constantOf(c.Value, c.Type()) }

func (m *functions) constantOf(val constant.Value, t types.Type) ir.Value {
	if val == nil {
		return m.zero(t)
	}
	u, ok := under(t).(*types.Basic)
	if !ok {
		panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return ir.Bool(constant.BoolVal(val))
	case info&types.IsString != 0:
		if val.Kind() == constant.Int {
			r := rune(utf8.RuneError)
			if i, ok := constant.Int64Val(val); ok && i == int64(rune(i)) {
				r = rune(i)
			}
			return m.stringConst(string(r))
		}
		return m.stringConst(constant.StringVal(val))
	case info&types.IsInteger != 0:
		return intConst(val, m.lltype(t))
	case info&types.IsFloat != 0:
		return floatConst(val, m.lltype(t))
	case info&types.IsComplex != 0:
		ll, v := m.lltype(t), constant.ToComplex(val)
		return ir.Aggregate(ll, floatConst(constant.Real(v), ll.At(0)), floatConst(constant.Imag(v), ll.At(1)))
	case u.Kind() == types.UnsafePointer:
		return ir.CastConst(ir.IntToPtr, intConst(val, ir.I64), ir.Ptr)
	}
	panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
}

func intConst(val constant.Value, ll *ir.Type) ir.Value {
	val = constant.ToInt(val)
	if i, ok := constant.Int64Val(val); ok {
		return ir.Int(ll, i)
	}
	u, _ := constant.Uint64Val(val)
	return ir.Uint(ll, u)
}

// floatConst rounds a float to type ll.
func floatConst(val constant.Value, ll *ir.Type) ir.Value {
	val = constant.ToFloat(val)
	if ll == ir.Float {
		f, _ := constant.Float32Val(val)
		return ir.FloatConst(ll, float64(f))
	}
	f, _ := constant.Float64Val(val)
	return ir.FloatConst(ll, f)
}

// stringData returns the operand of a private constant that holds s's bytes.
func (m *functions) stringData(s string) ir.Value {
	if s == "" {
		return ir.Null
	}
	if g, ok := m.strs[s]; ok {
		return g
	}
	g := m.out.PlainNumberedRef("str.", len(m.strs))
	m.strs[s] = g
	m.out.Define(g, func() ir.Definition { return sharedConst(ir.BytesConst(s), 1) })
	return g
}

// stringConst returns a constant operand of Go type string.
func (m *functions) stringConst(s string) ir.Value {
	if s == "" {
		return ir.Zero(llString)
	}
	return ir.Aggregate(llString, m.stringData(s), ir.Int(ir.I64, len(s)))
}

// definesLinked reports whether this module defines g: not if a go:linkname directive makes
// it another package's variable.
func (m *functions) definesLinked(g *mid.Global) bool {
	own := plainGlobalSym(g)
	_, linked := m.links[own]
	return g.Pkg == m.pkg && !m.byAsm(own) && (!linked || m.initialised(g))
}

// initialised reports whether g has an initialiser in the source.
func (m *functions) initialised(g *mid.Global) bool {
	if m.in.Info == nil {
		return false
	}
	for _, i := range m.in.Info.InitOrder {
		for _, v := range i.Lhs {
			if v == g.Object() {
				return true
			}
		}
	}
	return false
}

// Sections of variables without pointers, which the collector does not scan. LLVM gives
// the second one type NOBITS because of its prefix; the linker leaves both names alone.
const (
	noptrData = ".noptrdata"
	noptrBSS  = ".llvm.linkonce.b.noptrbss"
)

// noptr puts the definition of a variable without pointers into a section of such. A section group
// of its own lets the linker keep or drop it alone although the section's name is shared.
func (m *functions) noptr(at ir.Value, d *ir.Definition, section string) {
	d.Section, d.Comdat = section, m.out.Comdat(at, true)
}
