package lower

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"loam/internal/importpath"
)

// Names of types.
//
// Every type has a canonical name that says exactly its identity: two types are identical
// (types.Identical) if and only if their canonical names are equal. All symbols that are
// derived from types (descriptors, itabs, equality and hash functions, wrappers, generic
// instances) contain that name, so modules that never saw each other agree on them and
// nothing else collides. Package paths are written in full, unexported names carry their
// package, tags are part of struct types, and aliases do not exist.
//
// A type declared inside a function gets the suffix ·N, N being its rank among the local
// types of its package in source order (files sorted by name). Inside a generic function
// each instance has types of its own; there is a fresh types.Named for each, without
// a trace of the instance, so noteLocalTypes must have seen the instance before names of
// its types are asked for. Other modules that make the same instance may know the package
// without the bodies of its other functions: there the suffix is ·function·N, N being the
// rank within the function.
//
// The display name is what reflect and error messages print: packages by name only, no
// suffix, but type arguments in nearly the canonical form (gc's own link names).

// nameMode selects between the spellings of a type.
type nameMode int

const (
	canonical nameMode = iota // full identity
	display                   // as reflect prints it
	argument                  // as reflect prints it between the brackets of an instance
	described                 // as debuggers show it: packages in full, local types shorter
)

// typeSym returns the symbol of t's descriptor.
func (m *symbols) typeSym(t types.Type) string { return descSym(m.typeName(t)) }

// descSym is the symbol of the descriptor of a type of that canonical name.
func descSym(name string) string { return "type:" + name }

// typeName returns the canonical name of t.
func (m *symbols) typeName(t types.Type) string {
	if s, ok := m.types.canon[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, canonical)
	s := b.String()
	m.types.canon[t] = s
	return s
}

// typeString returns t as reflect.Type.String shows it.
func (m *symbols) typeString(t types.Type) string {
	if s, ok := m.types.shown[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, display)
	s := b.String()
	m.types.shown[t] = s
	return s
}

// described returns t as debuggers show it. Identical types have one spelling, whichever of them
// was seen first, and whether their package was read from its sources.
func (m *symbols) described(t types.Type) string {
	var b strings.Builder
	m.writeTypeName(&b, t, described)
	return b.String()
}

// typeArgument returns t as it is shown in the name of an instance.
func (m *symbols) typeArgument(t types.Type, mode nameMode) string {
	switch mode {
	case canonical:
		return m.typeName(t)
	case described:
		return m.described(t)
	}
	if s, ok := m.types.args[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, argument)
	s := b.String()
	m.types.args[t] = s
	return s
}

// basicNames spells the basic types; byte and rune are uint8 and int32.
func basicName(b *types.Basic) string {
	switch b.Kind() {
	case types.UnsafePointer:
		return "unsafe.Pointer"
	case types.Invalid:
		panic("lower: name of an invalid type")
	case types.UntypedBool, types.UntypedInt, types.UntypedRune, types.UntypedFloat,
		types.UntypedComplex, types.UntypedString, types.UntypedNil:
		return basicName(types.Default(b).(*types.Basic))
	}
	return types.Typ[b.Kind()].Name()
}

func (m *symbols) writeTypeName(b *strings.Builder, t types.Type, mode nameMode) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(basicName(t))
	case *types.Named:
		m.writeNamed(b, t, mode)
	case *types.Pointer:
		b.WriteByte('*')
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Slice:
		b.WriteString("[]")
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Map:
		b.WriteString("map[")
		m.writeTypeName(b, t.Key(), mode)
		b.WriteByte(']')
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Chan:
		m.writeChan(b, t, mode)
	case *types.Signature:
		b.WriteString("func")
		m.writeSignature(b, t, mode)
	case *types.Struct:
		m.writeStruct(b, t, mode)
	case *types.Interface:
		m.writeInterface(b, t, mode)
	case *types.TypeParam:
		panic(fmt.Sprintf("lower: type parameter %s of %v reached code generation", t, t.Obj().Pkg()))
	case *types.Tuple:
		m.writeTuple(b, t, false, mode)
	default:
		panic(fmt.Sprintf("lower: no name for type %v (%T)", t, t))
	}
}

func (m *symbols) writeChan(b *strings.Builder, t *types.Chan, mode nameMode) {
	switch t.Dir() {
	case types.RecvOnly:
		b.WriteString("<-chan ")
	case types.SendOnly:
		b.WriteString("chan<- ")
	default:
		b.WriteString("chan ")
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			b.WriteByte('(')
			m.writeTypeName(b, e, mode)
			b.WriteByte(')')
			return
		}
	}
	m.writeTypeName(b, t.Elem(), mode)
}

// writeSignature writes parameters and results, without "func".
func (m *symbols) writeSignature(b *strings.Builder, t *types.Signature, mode nameMode) {
	m.writeTuple(b, t.Params(), t.Variadic(), mode)
	switch t.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		m.writeTypeName(b, t.Results().At(0).Type(), mode)
	default:
		b.WriteByte(' ')
		m.writeTuple(b, t.Results(), false, mode)
	}
}

func (m *symbols) writeTuple(b *strings.Builder, t *types.Tuple, variadic bool, mode nameMode) {
	b.WriteByte('(')
	for i := 0; i < t.Len(); i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		p := t.At(i).Type()
		if variadic && i == t.Len()-1 {
			if s, ok := types.Unalias(p).(*types.Slice); ok {
				b.WriteString("...")
				p = s.Elem()
			}
		}
		m.writeTypeName(b, p, mode)
	}
	b.WriteByte(')')
}

func (m *symbols) writeStruct(b *strings.Builder, t *types.Struct, mode nameMode) {
	b.WriteString("struct {")
	for i := 0; i < t.NumFields(); i++ {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		f := t.Field(i)
		switch {
		case f.Embedded() && mode == display:
		case f.Embedded():
			// An alias can give an embedded field another name than its type's, which
			// is part of the identity.
			if !namedAfterType(f) {
				b.WriteString(fieldName(f, mode))
				b.WriteString(" = ")
			}
		default:
			b.WriteString(fieldName(f, mode))
			b.WriteByte(' ')
		}
		m.writeTypeName(b, f.Type(), mode)
		if tag := t.Tag(i); tag != "" {
			b.WriteByte(' ')
			b.WriteString(spelledTag(tag, mode))
		}
	}
	if t.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// spelledTag is a field's tag as a type's name has it. Canonical names are symbols, and those that
// inline assembly names (saveResume) go through LLVM's text, which neither escapes a backslash nor
// takes the one back that it puts before a quote. So ^ stands for a backslash, ' for a quote, and
// digits behind a ^ for these two, and for an @, behind which the linker sees a version.
func spelledTag(tag string, mode nameMode) string {
	quoted := strconv.Quote(tag)
	if mode == canonical {
		return strings.NewReplacer("^", "^5", "'", "^7", "@", "^0", `"`, "'", `\`, "^").Replace(quoted)
	}
	return quoted
}

// fieldName writes a field's name, with its package if that is part of the identity.
func fieldName(f *types.Var, mode nameMode) string {
	if mode != display && !f.Exported() && f.Pkg() != nil {
		return importpath.Prefix(f.Pkg().Path()) + "." + f.Name()
	}
	return f.Name()
}

// namedAfterType reports whether an embedded field has the name that follows from its type.
func namedAfterType(f *types.Var) bool {
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	switch t := t.(type) {
	case *types.Named:
		o := t.Obj()
		return t.TypeArgs().Len() == 0 && !isLocal(o) && o.Name() == f.Name() && (o.Exported() || o.Pkg() == f.Pkg())
	case *types.Basic:
		return false // predeclared names are unexported names of no package
	}
	return false
}

func (m *symbols) writeInterface(b *strings.Builder, t *types.Interface, mode nameMode) {
	if !t.IsMethodSet() {
		panic(fmt.Sprintf("lower: constraint interface %v reached code generation", t))
	}
	b.WriteString("interface {")
	for i, f := range interfaceMethods(t) {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		if !f.Exported() && f.Pkg() != nil {
			if mode == canonical {
				b.WriteString(importpath.Prefix(f.Pkg().Path()))
			} else {
				b.WriteString(f.Pkg().Name())
			}
			b.WriteByte('.')
		}
		b.WriteString(f.Name())
		m.writeSignature(b, f.Signature(), mode)
	}
	if t.NumMethods() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// writeNamed writes a defined type: package, name, type arguments, rank of a local type.
func (m *symbols) writeNamed(b *strings.Builder, t *types.Named, mode nameMode) {
	o := t.Obj()
	if o.Pkg() == nil { // error, comparable
		b.WriteString(o.Name())
		return
	}
	if mode == display {
		b.WriteString(o.Pkg().Name())
	} else {
		b.WriteString(importpath.Prefix(o.Pkg().Path()))
	}
	b.WriteByte('.')
	b.WriteString(o.Name())
	var args []string
	var enclosing []types.Type
	if mode != described {
		enclosing = m.outerTypeArgs(t)
	}
	for _, a := range enclosing {
		args = append(args, m.typeArgument(a, mode))
	}
	outer := len(args)
	for i := 0; i < t.TypeArgs().Len(); i++ {
		args = append(args, m.typeArgument(t.TypeArgs().At(i), mode))
	}
	if len(args) > 0 {
		b.WriteByte('[')
		for i, a := range args {
			if i > 0 {
				b.WriteByte(sepArgs(i, outer))
			}
			b.WriteString(a)
		}
		b.WriteByte(']')
	}
	switch {
	case mode == display || !isLocal(o):
	case mode == described:
		b.WriteString(m.plainSuffix(o))
	default:
		b.WriteString(m.localSuffix(o, mode))
	}
}
