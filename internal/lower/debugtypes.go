package lower

import (
	"fmt"
	"go/types"
	"strings"

	"loam/internal/ir"
)

// Go's types in LLVM's debug metadata. A debugger sees what gc shows it: strings, slices and
// interfaces as structs of their words, maps and channels as pointers to the run-time system's
// structs, of which only the first words are told. DWARF attributes of Go's own (DW_AT_go_kind)
// have no spelling in LLVM's metadata.

// typeName spells a type with full package paths.
func typeName(t types.Type) string { return types.TypeString(t, nil) }

// typ returns the metadata of t, made once a module.
func (d *debugInfo) typ(t types.Type) string {
	if ref, ok := d.types[t]; ok {
		return ref
	}
	var ref string
	switch t := t.(type) {
	case *types.Alias:
		ref = d.typ(types.Unalias(t))
	case *types.Named:
		// The only types that can contain themselves: the reference exists before the contents.
		ref = d.m.out.ReserveMeta()
		d.types[t] = ref
		if s, ok := t.Underlying().(*types.Struct); ok {
			d.m.out.SetMeta(ref, d.structText(typeName(t), s, d.m.info(t)))
		} else {
			d.m.out.SetMeta(ref, fmt.Sprintf("!DIDerivedType(tag: DW_TAG_typedef, name: \"%s\", baseType: %s)", ir.Escape(typeName(t)), d.typ(t.Underlying())))
		}
	case *types.Basic:
		ref = d.basic(t)
	case *types.Pointer:
		ref = d.pointer(typeName(t), d.typ(t.Elem()))
	case *types.Array:
		ti := d.m.info(t)
		count := d.m.out.Meta(fmt.Sprintf("!DISubrange(count: %d)", t.Len()))
		ref = d.m.out.Meta(fmt.Sprintf("!DICompositeType(tag: DW_TAG_array_type, name: \"%s\", baseType: %s, size: %d, elements: !{%s})",
			ir.Escape(typeName(t)), d.typ(t.Elem()), ti.size*8, count))
	case *types.Slice:
		ref = d.words(typeName(t), "array", d.pointer("*"+typeName(t.Elem()), d.typ(t.Elem())), "len", d.typ(types.Typ[types.Int]), "cap", d.typ(types.Typ[types.Int]))
	case *types.Struct:
		ref = d.m.out.Meta(d.structText(typeName(t), t, d.m.info(t)))
	case *types.Interface:
		if t.NumMethods() == 0 {
			ref = d.words(typeName(t), "_type", d.unsafePointer(), "data", d.unsafePointer())
		} else {
			ref = d.words(typeName(t), "tab", d.unsafePointer(), "data", d.unsafePointer())
		}
	case *types.Map:
		ref = d.pointer(typeName(t), d.words("internal/runtime/maps.Map", "used", d.typ(types.Typ[types.Uint64])))
	case *types.Chan:
		ref = d.pointer(typeName(t), d.words("runtime.hchan", "qcount", d.typ(types.Typ[types.Uint]), "dataqsiz", d.typ(types.Typ[types.Uint])))
	case *types.Signature:
		ref = d.pointer(typeName(t), d.words("runtime.funcval", "fn", d.typ(types.Typ[types.Uintptr])))
	default:
		ref = d.m.out.Meta(fmt.Sprintf("!DIBasicType(tag: DW_TAG_unspecified_type, name: \"%s\")", ir.Escape(t.String())))
	}
	d.types[t] = ref
	return ref
}

func (d *debugInfo) basic(t *types.Basic) string {
	if t.Info()&types.IsUntyped != 0 {
		if t.Kind() == types.UntypedNil {
			return d.unsafePointer()
		}
		return d.typ(types.Default(t))
	}
	encoding := ""
	switch info := t.Info(); {
	case t.Kind() == types.String:
		return d.words("string", "str", d.pointer("*uint8", d.typ(types.Typ[types.Uint8])), "len", d.typ(types.Typ[types.Int]))
	case t.Kind() == types.UnsafePointer || t.Kind() == types.Invalid:
		return d.unsafePointer()
	case info&types.IsBoolean != 0:
		encoding = "DW_ATE_boolean"
	case info&types.IsFloat != 0:
		encoding = "DW_ATE_float"
	case info&types.IsComplex != 0:
		encoding = "DW_ATE_complex_float"
	case info&types.IsUnsigned != 0:
		encoding = "DW_ATE_unsigned"
	default:
		encoding = "DW_ATE_signed"
	}
	return d.m.out.Meta(fmt.Sprintf("!DIBasicType(name: \"%s\", size: %d, encoding: %s)", types.Typ[t.Kind()].Name(), d.m.sizes.Sizeof(t)*8, encoding))
}

func (d *debugInfo) unsafePointer() string { return d.pointer("unsafe.Pointer", "null") }

// pointer is a pointer to elem under the name that Go gives the type.
func (d *debugInfo) pointer(name, elem string) string {
	return d.m.out.Meta(fmt.Sprintf("!DIDerivedType(tag: DW_TAG_pointer_type, name: \"%s\", baseType: %s, size: 64)", ir.Escape(name), elem))
}

// words is a struct of machine words: pairs of name and type.
func (d *debugInfo) words(name string, members ...string) string {
	var list []string
	for i := 0; i < len(members); i += 2 {
		list = append(list, d.member(members[i], members[i+1], 8, int64(i/2)*8))
	}
	return d.m.out.Meta(fmt.Sprintf("!DICompositeType(tag: DW_TAG_structure_type, name: \"%s\", size: %d, elements: !{%s})", ir.Escape(name), len(list)*64, strings.Join(list, ", ")))
}

func (d *debugInfo) structText(name string, s *types.Struct, ti *typeInfo) string {
	var list []string
	if s.NumFields() > 0 {
		offsets := d.m.fieldOffsets(s)
		for i := range s.NumFields() {
			f := s.Field(i)
			list = append(list, d.member(f.Name(), d.typ(f.Type()), d.m.info(f.Type()).size, offsets[i]))
		}
	}
	return fmt.Sprintf("!DICompositeType(tag: DW_TAG_structure_type, name: \"%s\", size: %d, elements: !{%s})", ir.Escape(name), ti.size*8, strings.Join(list, ", "))
}

func (d *debugInfo) member(name, typ string, size, offset int64) string {
	return d.m.out.Meta(fmt.Sprintf("!DIDerivedType(tag: DW_TAG_member, name: \"%s\", baseType: %s, size: %d, offset: %d)", ir.Escape(name), typ, size*8, offset*8))
}

// signature is the type of a subprogram. Several results have no type in DWARF; they show as none.
func (d *debugInfo) signature(s *types.Signature) string {
	list := []string{"null"}
	if s.Results().Len() == 1 {
		list[0] = d.typ(s.Results().At(0).Type())
	}
	if r := s.Recv(); r != nil {
		list = append(list, d.typ(r.Type()))
	}
	for i := range s.Params().Len() {
		list = append(list, d.typ(s.Params().At(i).Type()))
	}
	return d.m.out.Meta("!DISubroutineType(types: !{" + strings.Join(list, ", ") + "})")
}
