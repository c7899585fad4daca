package syntax

import (
	"fmt"
	"go/types"
)

// subst puts type arguments in place of the type parameters of a generic function. Types that the
// function declares are made anew for each of its instances. A nil subst changes nothing.
type subst struct {
	context *types.Context
	args    map[*types.TypeParam]types.Type
	scope   *types.Scope              // of the generic function
	made    map[types.Type]types.Type // what has been found
}

func newSubst(context *types.Context, origin *types.Func, params []*types.TypeParam, args []types.Type) *subst {
	if len(params) != len(args) {
		panic(fmt.Sprintf("syntax: %v has %d type parameters and gets %d arguments", origin, len(params), len(args)))
	}
	s := &subst{context: context, scope: origin.Scope(), made: map[types.Type]types.Type{}}
	s.args = make(map[*types.TypeParam]types.Type, len(params))
	for i, p := range params {
		s.args[p] = args[i]
	}
	return s
}

// typ returns t with arguments in place of parameters.
func (s *subst) typ(t types.Type) types.Type {
	if s == nil || t == nil {
		return t
	}
	if _, ok := t.(*types.Basic); ok {
		return t
	}
	if r, ok := s.made[t]; ok {
		return r
	}
	r := s.make(t)
	s.made[t] = r
	return r
}

func (s *subst) make(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if a := s.args[t]; a != nil {
			return a
		}
	case *types.Array:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Slice:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Pointer:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Chan:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		if k, e := s.typ(t.Key()), s.typ(t.Elem()); k != t.Key() || e != t.Elem() {
			return types.NewMap(k, e)
		}
	case *types.Tuple:
		return s.tuple(t)
	case *types.Struct:
		return s.structure(t)
	case *types.Signature:
		return s.signature(t)
	case *types.Interface:
		return s.iface(t)
	case *types.Union:
		return s.union(t)
	case *types.Alias:
		if r := s.typ(types.Unalias(t)); r != types.Unalias(t) {
			return r
		}
	case *types.Named:
		return s.named(t)
	}
	return t
}

// list returns vars with other types, nil if these stay.
func (s *subst) list(n int, at func(int) *types.Var, make func(v *types.Var, t types.Type) *types.Var) []*types.Var {
	var list []*types.Var
	for i := range n {
		v := at(i)
		t := s.typ(v.Type())
		if t != v.Type() && list == nil {
			for k := range i {
				list = append(list, at(k))
			}
		}
		if t != v.Type() {
			v = make(v, t)
		}
		if list != nil || t != at(i).Type() {
			list = append(list, v)
		}
	}
	return list
}

func (s *subst) tuple(t *types.Tuple) *types.Tuple {
	param := func(v *types.Var, t types.Type) *types.Var { return types.NewParam(v.Pos(), v.Pkg(), v.Name(), t) }
	if list := s.list(t.Len(), t.At, param); list != nil {
		return types.NewTuple(list...)
	}
	return t
}

func (s *subst) structure(t *types.Struct) types.Type {
	field := func(v *types.Var, t types.Type) *types.Var {
		return types.NewField(v.Pos(), v.Pkg(), v.Name(), t, v.Embedded())
	}
	list := s.list(t.NumFields(), t.Field, field)
	if list == nil {
		return t
	}
	tags := make([]string, t.NumFields())
	for i := range tags {
		tags[i] = t.Tag(i)
	}
	return types.NewStruct(list, tags)
}

func (s *subst) signature(t *types.Signature) types.Type {
	params, results := s.tuple(t.Params()), s.tuple(t.Results())
	if params == t.Params() && results == t.Results() {
		return t
	}
	return types.NewSignatureType(t.Recv(), nil, nil, params, results, t.Variadic())
}

func (s *subst) union(t *types.Union) types.Type {
	changed := false
	terms := make([]*types.Term, t.Len())
	for i := range terms {
		terms[i] = t.Term(i)
		if r := s.typ(t.Term(i).Type()); r != t.Term(i).Type() {
			terms[i], changed = types.NewTerm(t.Term(i).Tilde(), r), true
		}
	}
	if !changed {
		return t
	}
	return types.NewUnion(terms)
}

func (s *subst) iface(t *types.Interface) types.Type {
	changed := false
	methods := make([]*types.Func, t.NumExplicitMethods())
	for i := range methods {
		m := t.ExplicitMethod(i)
		methods[i] = m
		if sig := s.typ(m.Signature()); sig != types.Type(m.Signature()) {
			methods[i], changed = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), sig.(*types.Signature)), true
		}
	}
	embedded := make([]types.Type, t.NumEmbeddeds())
	for i := range embedded {
		embedded[i] = s.typ(t.EmbeddedType(i))
		changed = changed || embedded[i] != t.EmbeddedType(i)
	}
	if !changed {
		return t
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}

func (s *subst) named(t *types.Named) types.Type {
	n := t.TypeArgs().Len()
	if n == 0 {
		if s.declares(t) {
			return s.fresh(t)
		}
		return t
	}
	origin := t.Origin()
	if s.declares(origin) {
		if made, ok := s.made[origin]; ok {
			origin = made.(*types.Named)
		} else {
			origin = s.fresh(origin)
		}
	}
	changed := origin != t.Origin()
	args := make([]types.Type, n)
	for i := range args {
		args[i] = s.typ(t.TypeArgs().At(i))
		changed = changed || args[i] != t.TypeArgs().At(i)
	}
	if !changed {
		return t
	}
	return instantiate(s.context, origin, args)
}

// declares reports whether the function declares t.
func (s *subst) declares(t *types.Named) bool {
	o := t.Obj()
	return s.scope != nil && o.Pkg() != nil && s.scope.Contains(o.Pos()) && o.Parent() != o.Pkg().Scope()
}

// fresh makes a type that the function declares anew, a generic one with type parameters of its
// own.
func (s *subst) fresh(t *types.Named) *types.Named {
	anew := func(o *types.TypeName) *types.TypeName { return types.NewTypeName(o.Pos(), o.Pkg(), o.Name(), nil) }
	made := types.NewNamed(anew(t.Obj()), nil, nil)
	s.made[t] = made // its underlying type may name it
	if n := t.TypeParams().Len(); n > 0 {
		params := make([]*types.TypeParam, n)
		for i := range params {
			p := t.TypeParams().At(i)
			params[i] = types.NewTypeParam(anew(p.Obj()), nil)
			s.args[p] = params[i]
		}
		for i, p := range params {
			p.SetConstraint(s.typ(t.TypeParams().At(i).Constraint()))
		}
		made.SetTypeParams(params)
	}
	made.SetUnderlying(s.typ(t.Underlying()))
	return made
}

// instantiate returns the instance of a generic type or signature, whose arguments have been
// checked.
func instantiate(context *types.Context, t types.Type, args []types.Type) types.Type {
	made, err := types.Instantiate(context, t, args, false)
	if err != nil {
		panic("syntax: " + err.Error())
	}
	return made
}
