package lower

import (
	"fmt"
	"go/types"
	"strings"

	"loam/internal/amd64"
	"loam/internal/importpath"
)

// abi0Frame lays a signature out in both conventions.
func (m *module) abi0Frame(s *types.Signature) *amd64.Frame {
	sig := m.sigOf(s)
	off := int64(0)
	lay := func(t types.Type) amd64.Param {
		ti := m.info(t)
		off = alignUp(off, ti.align)
		p := amd64.Param{Off: off, Size: ti.size, Big: ti.big}
		if ti.big {
			p.Places = []amd64.Place{{Size: 8}}
		} else {
			p.Places = m.scalars(t, off, nil)
		}
		off += ti.size
		return p
	}
	var params, results []amd64.Param
	for _, t := range sig.params {
		params = append(params, lay(t))
	}
	off = alignUp(off, 8)
	at := off
	for _, t := range sig.results {
		results = append(results, lay(t))
	}
	return amd64.NewFrame(params, results, sig.area, at, off)
}

// scalars appends the scalars of a small type at off.
func (m *module) scalars(t types.Type, off int64, to []amd64.Place) []amd64.Place {
	word := func(i int64) { to = append(to, amd64.Place{Off: off + 8*i, Size: 8}) }
	switch u := under(t).(type) {
	case *types.Struct:
		for i, o := range m.fieldOffsets(u) {
			to = m.scalars(u.Field(i).Type(), off+o, to)
		}
	case *types.Array:
		if u.Len() == 1 {
			to = m.scalars(u.Elem(), off, to)
		}
	case *types.Slice:
		word(0)
		word(1)
		word(2)
	case *types.Interface:
		word(0)
		word(1)
	case *types.Basic:
		size := m.sizes.Sizeof(u)
		switch {
		case u.Info()&types.IsString != 0:
			word(0)
			word(1)
		case u.Info()&types.IsComplex != 0:
			to = append(to, amd64.Place{Off: off, Size: size / 2, Float: true}, amd64.Place{Off: off + size/2, Size: size / 2, Float: true})
		default:
			to = append(to, amd64.Place{Off: off, Size: size, Float: u.Info()&types.IsFloat != 0, Bool: u.Info()&types.IsBoolean != 0})
		}
	default:
		word(0)
	}
	return to
}

// asmWrappers writes, as GNU assembly, the functions under their Go symbols whose code is
// assembly, and the ABI0 forms of the functions that assembly calls.
func (m *module) asmWrappers() (text []byte, symbols []string) {
	a := m.in.Asm
	if a == nil {
		return nil, nil
	}
	var w strings.Builder
	bounded := func(sym string, write func()) {
		begin, end := a.Bounds(len(symbols))
		fmt.Fprintf(&w, "\t.section %s\n\t.p2align 4\n%s:\n", amd64.WrapperSection, begin)
		write()
		fmt.Fprintf(&w, "%s:\n", end)
		symbols = append(symbols, sym)
	}
	for _, f := range m.used.bodyless {
		for _, sym := range []string{m.baseSym(f), m.funcSym(f)} {
			need, ok := a.Functions[sym]
			if !ok {
				continue
			}
			frame := m.abi0Frame(f.Signature)
			wrapper := amd64.Wrapper{Builder: &w, Symbol: m.funcSym(f), Need: need, Preserved: a.Preserved, Changes: a.Changes[sym]}
			bounded(sym, func() {
				if !a.Registers[sym] {
					wrapper.Code = a.ABI0(sym)
					wrapper.ABI0(frame)
					return
				}
				wrapper.Code = a.ABIInternal(sym)
				if !wrapper.Registers(frame) {
					m.errorf(f.Pos(), "assembly function %s takes other arguments than integers and pointers in registers: not supported", f.Name())
				}
			})
			break
		}
	}
	for _, sym := range a.Calls {
		dot := strings.LastIndexByte(sym, '.')
		pkg := m.pkg
		if path := importpath.Path(sym[:dot]); path != m.pkg.Pkg.Path() {
			pkg = m.prog.Package(path)
		}
		if pkg == nil || pkg.Func(sym[dot+1:]) == nil {
			panic("assembly calls " + sym + ", which has no SSA")
		}
		f := pkg.Func(sym[dot+1:])
		bounded(sym, func() { amd64.Thunk(&w, m.abi0Frame(f.Signature), a.ABI0(sym), m.funcSym(f)) })
	}
	return []byte(w.String()), symbols
}
