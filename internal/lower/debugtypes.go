package lower

import (
	"go/types"

	"loam/internal/ir"
)

// Go's types in LLVM's debug metadata. A debugger sees what gc shows it: strings, slices and
// interfaces as structs of their words, maps and channels as pointers to the run-time system's
// structs, of which those words are told that debuggers read.
//
// DWARF attributes of Go's own (DW_AT_go_kind) have no spelling in LLVM's metadata. The link adds
// them (internal/debugnames). It knows strings and slices by their names. A map or channel is a
// struct here whose members, ·type, ·key and ·elem, are what the link makes attributes of.

// typ returns the metadata of t, made once a module.
func (d *debugInfo) typ(t types.Type) ir.Meta {
	if ref, ok := d.types[t]; ok {
		return ref
	}
	var ref ir.Meta
	switch t := t.(type) {
	case *types.Alias:
		ref = d.typ(types.Unalias(t))
	case *types.Named:
		// The only types that can contain themselves: the reference exists before the contents.
		ref = d.m.out.Reserve()
		d.types[t] = ref
		if s, ok := t.Underlying().(*types.Struct); ok {
			d.m.out.Fill(ref, "DICompositeType", d.structure(d.m.described(t), s, d.m.info(t))...)
		} else {
			d.m.out.Fill(ref, "DIDerivedType", ir.Word("tag", "DW_TAG_typedef"), ir.Text("name", d.m.described(t)),
				ir.Node("baseType", d.typ(t.Underlying())))
		}
	case *types.Basic:
		ref = d.basic(t)
	case *types.Pointer:
		ref = d.pointer(d.m.described(t), d.typ(t.Elem()))
	case *types.Array:
		ti := d.m.info(t)
		count := d.m.out.Node("DISubrange", ir.Number("count", t.Len()))
		ref = d.m.out.Node("DICompositeType", ir.Word("tag", "DW_TAG_array_type"), ir.Text("name", d.m.described(t)),
			ir.Node("baseType", d.typ(t.Elem())), ir.Number("size", ti.size*8), ir.Nodes("elements", []ir.Meta{count}))
	case *types.Slice:
		ref = d.words(d.m.described(t), word{"array", d.pointer("*"+d.m.described(t.Elem()), d.typ(t.Elem()))},
			word{"len", d.typ(types.Typ[types.Int])}, word{"cap", d.typ(types.Typ[types.Int])})
	case *types.Struct:
		ref = d.m.out.Node("DICompositeType", d.structure(d.m.described(t), t, d.m.info(t))...)
	case *types.Interface:
		if t.NumMethods() == 0 {
			ref = d.words(d.m.described(t), word{"_type", d.descriptor()}, word{"data", d.unsafePointer()})
		} else {
			ref = d.words(d.m.described(t), word{"tab", d.methodTable()}, word{"data", d.unsafePointer()})
		}
	case *types.Map:
		ref = d.words(d.m.described(t), word{"·type", d.mapping(t)}, word{"·key", d.typ(t.Key())}, word{"·elem", d.typ(t.Elem())})
	case *types.Chan:
		ref = d.words(d.m.described(t), word{"·type", d.channel(t)}, word{"·elem", d.typ(t.Elem())})
	case *types.Signature:
		ref = d.pointer(d.m.described(t), d.words("runtime.funcval", word{"fn", d.typ(types.Typ[types.Uintptr])}))
	default:
		ref = d.m.out.Node("DIBasicType", ir.Word("tag", "DW_TAG_unspecified_type"), ir.Text("name", t.String()))
	}
	d.types[t] = ref
	return ref
}

// mapping is a pointer to what a map is (internal/runtime/maps): a directory of tables of groups,
// or, without a directory, one group.
func (d *debugInfo) mapping(t *types.Map) ir.Meta {
	const tableBytes, mapBytes = 32, 48
	integer, word := d.typ(types.Typ[types.Int]), d.typ(types.Typ[types.Uint64])
	of := "[" + d.m.described(t.Key()) + "]" + d.m.described(t.Elem())
	group, _ := d.m.mapGroup(t)
	inGroup := d.m.out.Node("DICompositeType", d.structure("map.group"+of, group, d.m.info(group))...)
	data := d.member("data", d.pointer("*map.group"+of, inGroup), 8, 0)
	groups := d.m.out.Node("DICompositeType", composite("map.groups"+of, 128, []ir.Meta{data, d.member("lengthMask", word, 8, 8)})...)
	table := d.m.out.Node("DICompositeType", composite("map.table"+of, tableBytes*8, []ir.Meta{
		d.member("index", integer, 8, 8), d.member("groups", groups, 16, 16),
	})...)
	directory := d.pointer("**map.table"+of, d.pointer("*map.table"+of, table))
	return d.pointer("*map.header"+of, d.m.out.Node("DICompositeType", composite("map.header"+of, mapBytes*8, []ir.Meta{
		d.member("used", word, 8, 0), d.member("dirPtr", directory, 8, 16), d.member("dirLen", integer, 8, 24),
	})...))
}

// descriptor is a pointer to the descriptor of what is in an interface (internal/abi.Type).
func (d *debugInfo) descriptor() ir.Meta {
	const typeBytes = 48
	byte := d.typ(types.Typ[types.Uint8])
	return d.pointer("*internal/abi.Type", d.m.out.Node("DICompositeType", composite("internal/abi.Type", typeBytes*8, []ir.Meta{
		d.member("TFlag", byte, 1, 20), d.member("Kind_", byte, 1, 23),
	})...))
}

// methodTable is a pointer to the methods of what is in an interface (internal/abi.ITab).
func (d *debugInfo) methodTable() ir.Meta {
	return d.pointer("*internal/abi.ITab", d.words("internal/abi.ITab", word{"Inter", d.unsafePointer()}, word{"Type", d.descriptor()}))
}

// channel is a pointer to what a channel is (rt/channel), by gc's names.
func (d *debugInfo) channel(t *types.Chan) ir.Meta {
	name := "hchan<" + d.m.described(t.Elem()) + ">"
	const chanBytes = 64 // up to the last field here
	count := d.typ(types.Typ[types.Uint])
	return d.pointer("*"+name, d.m.out.Node("DICompositeType", composite(name, chanBytes*8, []ir.Meta{
		d.member("qcount", count, 8, 0), d.member("dataqsiz", count, 8, 8), d.member("buf", d.unsafePointer(), 8, 16),
		d.member("closed", d.typ(types.Typ[types.Uint32]), 4, 32), d.member("sendx", count, 8, 48), d.member("recvx", count, 8, 56),
	})...))
}

func (d *debugInfo) basic(t *types.Basic) ir.Meta {
	if t.Info()&types.IsUntyped != 0 {
		if t.Kind() == types.UntypedNil {
			return d.unsafePointer()
		}
		return d.typ(types.Default(t))
	}
	encoding := ""
	switch info := t.Info(); {
	case t.Kind() == types.String:
		return d.words("string", word{"str", d.pointer("*uint8", d.typ(types.Typ[types.Uint8]))}, word{"len", d.typ(types.Typ[types.Int])})
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
	return d.m.out.Node("DIBasicType", ir.Text("name", types.Typ[t.Kind()].Name()),
		ir.Number("size", d.m.sizes.Sizeof(t)*8), ir.Word("encoding", encoding))
}

func (d *debugInfo) unsafePointer() ir.Meta { return d.pointer("unsafe.Pointer", 0) }

// pointer is a pointer to elem under the name that Go gives the type.
func (d *debugInfo) pointer(name string, elem ir.Meta) ir.Meta {
	return d.m.out.Node("DIDerivedType", ir.Word("tag", "DW_TAG_pointer_type"), ir.Text("name", name),
		ir.Node("baseType", elem), ir.Number("size", 64))
}

// word is a machine word of a struct.
type word struct {
	name string
	typ  ir.Meta
}

// words is a struct of machine words.
func (d *debugInfo) words(name string, members ...word) ir.Meta {
	var list []ir.Meta
	for i, w := range members {
		list = append(list, d.member(w.name, w.typ, 8, int64(i)*8))
	}
	return d.m.out.Node("DICompositeType", composite(name, int64(len(list))*64, list)...)
}

// composite are the fields of a struct's node.
func composite(name string, bits int64, members []ir.Meta) []ir.Field {
	return []ir.Field{ir.Word("tag", "DW_TAG_structure_type"), ir.Text("name", name), ir.Number("size", bits), ir.Nodes("elements", members)}
}

func (d *debugInfo) structure(name string, s *types.Struct, ti *typeInfo) []ir.Field {
	var list []ir.Meta
	if s.NumFields() > 0 {
		offsets := d.m.fieldOffsets(s)
		for i := range s.NumFields() {
			f := s.Field(i)
			list = append(list, d.member(f.Name(), d.typ(f.Type()), d.m.info(f.Type()).size, offsets[i]))
		}
	}
	return composite(name, ti.size*8, list)
}

func (d *debugInfo) member(name string, typ ir.Meta, size, offset int64) ir.Meta {
	return d.m.out.Node("DIDerivedType", ir.Word("tag", "DW_TAG_member"), ir.Text("name", name), ir.Node("baseType", typ),
		ir.Number("size", size*8), ir.Number("offset", offset*8))
}

// signature is the type of a subprogram. Several results have no type in DWARF; they show as none.
func (d *debugInfo) signature(s *types.Signature) ir.Meta {
	list := make([]ir.Meta, 1)
	if s.Results().Len() == 1 {
		list[0] = d.typ(s.Results().At(0).Type())
	}
	if r := s.Recv(); r != nil {
		list = append(list, d.typ(r.Type()))
	}
	for i := range s.Params().Len() {
		list = append(list, d.typ(s.Params().At(i).Type()))
	}
	return d.m.out.Node("DISubroutineType", ir.Nodes("types", list))
}
