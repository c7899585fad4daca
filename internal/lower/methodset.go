package lower

import (
	"go/types"
	"sort"
	"strings"

	"loam/internal/mid"
)

// compareMethods orders methods as the run-time system expects them in descriptors,
// itabs and interface types: exported ones first, by name, then by package path. Both
// sides being sorted alike, itabs are made by one merge.
func compareMethods(a, b *types.Func) int {
	if a.Exported() != b.Exported() {
		if a.Exported() {
			return -1
		}
		return 1
	}
	if c := strings.Compare(a.Name(), b.Name()); c != 0 || a.Exported() {
		return c
	}
	return strings.Compare(funcPkgPath(a), funcPkgPath(b))
}

func funcPkgPath(f *types.Func) string {
	if f.Pkg() == nil {
		return ""
	}
	return f.Pkg().Path()
}

// interfaceMethods returns the complete method set of an interface, sorted.
func interfaceMethods(t *types.Interface) []*types.Func {
	ms := make([]*types.Func, t.NumMethods())
	for i := range ms {
		ms[i] = t.Method(i)
	}
	sort.Slice(ms, func(i, j int) bool { return compareMethods(ms[i], ms[j]) < 0 })
	return ms
}

// ifaceMethodSlot returns the index of f in the Fun array of itabs for interface type t.
func ifaceMethodSlot(t types.Type, f *types.Func) int {
	for i, g := range interfaceMethods(under(t).(*types.Interface)) {
		if compareMethods(f, g) == 0 {
			return i
		}
	}
	panic("lower: interface " + t.String() + " has no method " + f.Name())
}

// concreteMethods returns the method set of a non-interface type, sorted.
func (m *symbols) concreteMethods(t types.Type) []*types.Selection {
	t = types.Unalias(t)
	switch u := t.(type) {
	case *types.Named:
		if types.IsInterface(u) {
			return nil
		}
	case *types.Pointer:
		if types.IsInterface(u.Elem()) {
			return nil
		}
		if _, ok := types.Unalias(u.Elem()).(*types.Pointer); ok {
			return nil
		}
	case *types.Struct: // promoted methods
	default:
		return nil
	}
	set := m.prog.MethodSet(t)
	ms := make([]*types.Selection, 0, set.Len())
	for i := 0; i < set.Len(); i++ {
		// Generic methods have no code before they are instantiated, and implement nothing.
		if set.At(i).Obj().(*types.Func).Signature().TypeParams().Len() == 0 {
			ms = append(ms, set.At(i))
		}
	}
	sort.Slice(ms, func(i, j int) bool {
		return compareMethods(ms[i].Obj().(*types.Func), ms[j].Obj().(*types.Func)) < 0
	})
	return ms
}

// ifaceMethod returns the function that an itab or a descriptor's Ifn holds for a method
// of concrete type t: it takes the interface's data word as receiver. That is T.M where
// the data word is the value itself, and (*T).M where it points to the value.
func (m *symbols) ifaceMethod(t types.Type, sel *types.Selection) *mid.Func {
	if isDirectIface(t) {
		return m.methodFunc(sel)
	}
	f := sel.Obj().(*types.Func)
	p := m.prog.MethodSet(types.NewPointer(t)).Lookup(f.Pkg(), f.Name())
	return m.methodFunc(p)
}

// methodFunc returns the function of a method selection.
func (m *symbols) methodFunc(sel *types.Selection) *mid.Func {
	f := m.prog.MethodValue(sel)
	if f == nil {
		panic("lower: method " + sel.String() + " has no function")
	}
	return f
}

// unthunk returns the method that a method expression's thunk stands for, if it belongs to
// a concrete type: the thunk does nothing that calling the method with the receiver as
// first parameter does not, and function values of a method are expected to be the same
// whether reflect or a method expression made them. It returns f if f is anything else.
func (m *symbols) unthunk(f *mid.Func) *mid.Func {
	if f.Kind != mid.Thunk || f.Signature.Params().Len() == 0 {
		return f
	}
	recv := f.Signature.Params().At(0).Type()
	o := f.Object()
	if o == nil || types.IsInterface(recv) {
		return f
	}
	sel := m.prog.MethodSet(recv).Lookup(o.Pkg(), o.Name())
	if sel == nil || sel.Kind() != types.MethodVal {
		return f
	}
	if g := m.prog.MethodValue(sel); g != nil {
		return g
	}
	return f
}
