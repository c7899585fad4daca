package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// itab returns the operand of the static abi.ITab for a concrete type in an interface
// type with methods: {Inter, Type, Hash, Fun...}. Each module that converts defines it
// linkonce; the run-time system may make another for the same pair, so the address of an
// itab means nothing, only its Type does.
func (m *module) itab(iface, concrete types.Type) string {
	sym := "itab:" + m.typeName(concrete) + "," + m.typeName(iface)
	m.define(sym, func() string {
		i := under(iface).(*types.Interface)
		var typs, vals []string
		for _, f := range interfaceMethods(i) {
			sel := m.prog.MethodSet(concrete).Lookup(f.Pkg(), f.Name())
			if sel == nil {
				panic(fmt.Sprintf("lower: %v does not implement %v: no method %s", concrete, iface, f.Name()))
			}
			typs = append(typs, "ptr")
			vals = append(vals, "ptr "+m.funcRef(m.ifaceMethod(concrete, sel)))
		}
		return fmt.Sprintf("%s = linkonce_odr constant { ptr, ptr, i32, i32, %s } { ptr %s, ptr %s, i32 %d, i32 0, %s }, comdat, align 8",
			m.comdat(sym), strings.Join(typs, ", "), m.typeDesc(iface), m.typeDesc(concrete), m.typeHash(concrete), strings.Join(vals, ", "))
	})
	return quote(sym)
}
