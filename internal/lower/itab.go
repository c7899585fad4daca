package lower

import (
	"fmt"
	"go/types"

	"loam/internal/ir"
)

// itab returns the operand of the static abi.ITab for a concrete type in an interface
// type with methods: {Inter, Type, Hash, Fun...}. Each module that converts defines it
// linkonce; the run-time system may make another for the same pair, so the address of an
// itab means nothing, only its Type does.
func (m *data) itab(iface, concrete types.Type) ir.Value {
	sym := "itab:" + m.typeName(concrete) + "," + m.typeName(iface)
	m.define(sym, func() ir.Definition {
		var methods []ir.Value
		for _, f := range interfaceMethods(under(iface).(*types.Interface)) {
			sel := m.prog.MethodSet(concrete).Lookup(f.Pkg(), f.Name())
			if sel == nil {
				panic(fmt.Sprintf("lower: %v does not implement %v: no method %s", concrete, iface, f.Name()))
			}
			methods = append(methods, m.funcRef(m.ifaceMethod(concrete, sel)))
		}
		d := m.merged(sym, ir.Definition{Const: true, Align: 8})
		fields := append([]ir.Value{m.typeDesc(iface), m.typeDesc(concrete), ir.Int(ir.I32, int64(m.typeHash(concrete))),
			ir.Int(ir.I32, 0)}, methods...)
		typ := make([]*ir.Type, len(fields))
		for i, v := range fields {
			typ[i] = v.Type
		}
		d.Init = ir.Aggregate(ir.Struct(typ...), fields...)
		return d
	})
	return m.ref(sym)
}
