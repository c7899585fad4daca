package escape

import (
	"go/ast"
	"go/types"
	"strings"

	"loam/internal/inline"
	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Calls of interface methods whose dynamic type is known: where the interface value is made in
// this function, or is the result of a function that always returns values of one type, such as
// a constructor of a hash.Hash. This is looked up in the SSA form before any function is analysed,
// so that the order of analysis sees the calls.

// concrete returns the dynamic type of interface value v, or nil, and where the value comes from:
// what the interface is made from, or v itself with boxed true if its data word has to be taken.
func (an *analyzer) concrete(v mid.Value) (t types.Type, from mid.Value, inside bool) {
	switch x := v.(type) {
	case *mid.ChangeInterface:
		return an.concrete(x.X)
	case *mid.MakeInterface:
		return x.X.Type(), x.X, false
	case *mid.Call, *mid.Extract:
		call, j := madeCall(x)
		if call == nil || call.Call.IsInvoke() {
			return nil, nil, false
		}
		if fn := call.Call.StaticCallee(); fn != nil {
			return an.dynamicType(fn, j), v, true
		}
	}
	return nil, nil, false
}

// devirtualize finds the method that an interface call calls when the dynamic type is known. The
// method's receiver is recv dereferenced k times.
func (g *graph) devirtualize(c *mid.CallCommon) (fn *mid.Func, recv mid.Value, k int8) {
	t, recv, inside := g.an.concrete(c.Value)
	if t == nil {
		return nil, nil, 0
	}
	obj, index, _ := types.LookupFieldOrMethod(t, false, c.Method.Pkg(), c.Method.Name())
	m, ok := obj.(*types.Func)
	if !ok || len(index) != 1 {
		return nil, nil, 0 // promoted: a wrapper is called
	}
	fn = g.fn.Prog.FuncValue(m)
	if fn == nil || fn.Signature.Recv() == nil || fn.TypeParams().Len() > 0 || fn.Signature.RecvTypeParams().Len() > 0 {
		return nil, nil, 0
	}
	_, ptrRecv := types.Unalias(fn.Signature.Recv().Type()).(*types.Pointer)
	_, ptrVal := types.Unalias(t).(*types.Pointer)
	if ptrVal && !ptrRecv {
		k = 1
	} else if ptrVal != ptrRecv {
		return nil, nil, 0
	}
	if inside && !isDirect(t) {
		k = 1 // the value is in the box
	}
	return fn, recv, k
}

// dynamicType returns the type that result j of fn has whenever it is not a nil interface, or
// nil if there is no such type.
func (an *analyzer) dynamicType(fn *mid.Func, j int) types.Type {
	if j >= fn.Signature.Results().Len() || !types.IsInterface(fn.Signature.Results().At(j).Type()) {
		return nil
	}
	r := result{fn, j}
	if t, ok := an.dynamic[r]; ok {
		return t
	}
	an.dynamic[r] = nil // for functions that call each other
	var t types.Type
	if _, ours := an.index[fn]; ours {
		t = an.returnedType(r)
	} else if an.imported != nil {
		if sym := Symbol(fn); sym != "" {
			if s := an.imported(sym); s != nil && j < len(s.dynamic) {
				t = an.typeNamed(s.dynamic[j])
			}
		}
	}
	an.dynamic[r] = t
	return t
}

// returnedType looks at what fn returns.
func (an *analyzer) returnedType(r result) types.Type {
	if r.fn.Recover() != nil {
		return nil // the result may be set by a deferred call
	}
	blocks := shape.Of(r.fn)
	var known types.Type
	seen := map[*mid.Phi]bool{}
	var agree func(v mid.Value) bool
	agree = func(v mid.Value) bool {
		switch v := v.(type) {
		case *mid.Const:
			return v.Value == nil
		case *mid.Phi:
			if seen[v] {
				return true
			}
			seen[v] = true
			for i, e := range v.Edges {
				if blocks.Runs(v.Block().Preds[i]) && !agree(e) {
					return false
				}
			}
			return true
		}
		t, _, _ := an.concrete(v)
		if t == nil || known != nil && !types.Identical(known, t) {
			return false
		}
		known = t
		return true
	}
	for _, b := range r.fn.Body() {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*mid.Return); ok && blocks.Runs(b) && !agree(ret.Results[r.j]) {
			return nil
		}
	}
	return known
}

// dynamicNames spells the dynamic types of fn's results for other packages, nil if none is
// known. Only functions count whose bodies other packages see too: their packages are always
// read from source, where unexported types can be found.
func (an *analyzer) dynamicNames(fn *mid.Func) []string {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || !inline.Candidate(d, false) {
		return nil
	}
	var names []string
	for j := range fn.Signature.Results().Len() {
		name := typeSymbol(an.dynamicType(fn, j))
		if name != "" && names == nil {
			names = make([]string, fn.Signature.Results().Len())
		}
		if name != "" {
			names[j] = name
		}
	}
	return names
}

// typeSymbol spells t, a type declared at package level or a pointer to one, as [*]path.Name;
// other types are "".
func typeSymbol(t types.Type) string {
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	if t == nil {
		return ""
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeParams().Len() > 0 || n.Obj().Pkg() == nil || n.Obj().Parent() != n.Obj().Pkg().Scope() {
		return ""
	}
	return star + n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// Types are the names, behind their packages' paths, of the types that users of the summary look
// for.
func (s *Summary) Types() (names []string) {
	for _, name := range s.dynamic {
		if name = strings.TrimPrefix(name, "*"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// typeNamed is the reverse of typeSymbol, nil if the program does not have the type.
func (an *analyzer) typeNamed(name string) types.Type {
	name, ptr := strings.CutPrefix(name, "*")
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	pkg := an.facts.pkg.Prog.TypesOf(name[:i])
	if pkg == nil {
		return nil
	}
	obj, ok := pkg.Scope().Lookup(name[i+1:]).(*types.TypeName)
	if !ok {
		return nil
	}
	if ptr {
		return types.NewPointer(obj.Type())
	}
	return obj.Type()
}
