package lower

import (
	"fmt"
	"go/types"
	"hash/fnv"
	"strconv"
	"strings"

	"loam/internal/importpath"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/reach"
)

// itab returns the operand of the static abi.ITab for a concrete type in an interface
// type with methods: {Inter, Type, Hash, Fun...}. Each module that converts defines it
// linkonce; the run-time system may make another for the same pair, so the address of an
// itab means nothing, only its Type does.
func (m *data) itab(iface, concrete types.Type) ir.Value {
	sym := "itab:" + m.typeName(concrete) + "," + m.typeName(iface)
	m.define(sym, func() ir.Definition {
		var methods []ir.Value
		wanted := interfaceMethods(under(iface).(*types.Interface))
		for i, f := range wanted {
			sel := m.prog.MethodSet(concrete).Lookup(f.Pkg(), f.Name())
			if sel == nil {
				panic(fmt.Sprintf("lower: %v does not implement %v: no method %s", concrete, iface, f.Name()))
			}
			code := m.ifaceMethod(concrete, sel)
			if i > 0 && len(wanted) > maxSeenThrough { // nobody may see that the first one is missing
				methods = append(methods, m.methodRef(f, f.Signature(), code))
			} else {
				methods = append(methods, m.funcRef(code))
			}
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

// maxSeenThrough is how many methods an interface has at most whose itabs refer to functions
// themselves: LLVM then inlines what it sees called. Programs that convert to such an interface
// mostly call all its methods. An HTTP server grows by a thousandth from 4 methods to 8; without
// a limit it and a program that only prints would grow by a sixth.
const maxSeenThrough = 8

// methodRef returns the symbol by which a descriptor or itab refers to the function of method o:
// the link makes it that function if the program has some that may call it (internal/reach).
func (m *data) methodRef(o *types.Func, sig *types.Signature, f *mid.Func) ir.Value {
	f = m.unthunk(f)
	sym := m.funcSym(f)
	own := m.owns(f)
	if f.Pkg == m.pkg && !f.HasBody() || m.shared(f) && m.rt || strings.ContainsAny(sym, "\"\\\n") {
		return m.funcRef(f)
	}
	if own {
		m.stays = append(m.stays, m.funcRef(f))
	}
	name, signature := m.methodKey(o, sig)
	at := m.ref(reach.Method(name, signature, sym))
	m.out.Define(at, func() ir.Definition { return ir.Definition{Linkage: ir.ExternWeak, Hidden: true, Type: ir.I8} })
	return at
}

// methodKey is what a method and its callers have in common: name and signature.
func (m *symbols) methodKey(o *types.Func, sig *types.Signature) (name, signature string) {
	name = o.Name()
	if !o.Exported() && o.Pkg() != nil {
		name = importpath.Prefix(o.Pkg().Path()) + "." + name
	}
	h := fnv.New64a()
	h.Write([]byte(m.typeName(withoutReceiver(sig))))
	return name, strconv.FormatUint(h.Sum64(), 36)
}

// keepMethods has the functions stay in the object to which nothing in the module may refer but
// methods' symbols. To be called once, after everything else has been lowered.
func (m *data) keepMethods() {
	for _, f := range m.stays {
		m.out.Keep(f)
	}
}
