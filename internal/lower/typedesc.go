package lower

import (
	"fmt"
	"go/types"
	"hash/fnv"

	"loam/internal/ir"
)

// Type descriptors in the layout of internal/abi (abi.Type and its kinds).
//
// A descriptor is one read-only global that holds everything that belongs to it: the
// abi.Type, the fields of its kind, the UncommonType, the arrays of fields, parameters or
// methods, then the closure objects of its equality and hash functions, its pointer mask
// and its names. So one section of the object file lives or dies with it.
//
// The package that declares a type defines its descriptor and that of the
// pointer to it (packageTypes); all others only refer to them. Types without a package
// (unnamed and predeclared ones) and instances of generic types are defined, linkonce, by
// every module that mentions them. A descriptor's identity is its address.
//
// typelinks: unnamed types that reflect can construct are listed in the section
// loam_typelinks, by entries that the linker keeps exactly if it keeps the descriptor. By pointers
// to named types in that list modules find types by their names.

// Kinds and flags of internal/abi.
const (
	kindBool          = 1
	kindInt           = 2
	kindArray         = 17
	kindChan          = 18
	kindFunc          = 19
	kindInterface     = 20
	kindMap           = 21
	kindPointer       = 22
	kindSlice         = 23
	kindString        = 24
	kindStruct        = 25
	kindUnsafePointer = 26

	tflagUncommon       = 1 << 0
	tflagNamed          = 1 << 2
	tflagRegularMemory  = 1 << 3
	tflagGCMaskOnDemand = 1 << 4
	tflagDirectIface    = 1 << 5
)

var basicKinds = map[types.BasicKind]uint8{
	types.Bool: kindBool, types.Int: kindInt, types.Int8: 3, types.Int16: 4, types.Int32: 5, types.Int64: 6,
	types.Uint: 7, types.Uint8: 8, types.Uint16: 9, types.Uint32: 10, types.Uint64: 11, types.Uintptr: 12,
	types.Float32: 13, types.Float64: 14, types.Complex64: 15, types.Complex128: 16,
	types.String: kindString, types.UnsafePointer: kindUnsafePointer,
}

// kindOf returns the abi.Kind of t.
func kindOf(t types.Type) uint8 {
	switch u := under(t).(type) {
	case *types.Basic:
		return basicKinds[u.Kind()]
	case *types.Array:
		return kindArray
	case *types.Chan:
		return kindChan
	case *types.Signature:
		return kindFunc
	case *types.Interface:
		return kindInterface
	case *types.Map:
		return kindMap
	case *types.Pointer:
		return kindPointer
	case *types.Slice:
		return kindSlice
	case *types.Struct:
		return kindStruct
	}
	panic(fmt.Sprintf("lower: no kind for %v (%T)", t, t))
}

// typeHash is abi.Type.Hash: FNV-1a of the canonical name.
func (m *data) typeHash(t types.Type) uint32 { return nameHash(m.typeName(t)) }

func nameHash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// typeDesc returns the operand for the address of t's descriptor and sees to its
// definition or declaration.
func (m *data) typeDesc(t types.Type) ir.Value {
	sym := m.typeSym(t)
	if m.out.Defined(sym) {
		return m.ref(sym)
	}
	if pkg := definingPackage(t); pkg != nil {
		// Another module's, or this module's if packageTypes comes to define it.
		at := m.ref(sym)
		m.out.Declare(at, ir.Declaration{Const: true, Type: ir.I8, Align: 8})
		return at
	}
	m.emitDesc(&desc{typ: t, name: m.typeName(t), str: m.typeString(t), linkonce: true})
	return m.ref(sym)
}

// definingPackage returns the package whose module alone defines the descriptor of t: a
// defined, not instantiated type or a pointer to one. It returns nil for the others.
func definingPackage(t types.Type) *types.Package {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 {
		return nil
	}
	o := n.Obj()
	if isLocal(o) && o.Parent() == nil {
		return nil // made for an instance of a generic function
	}
	return o.Pkg()
}

// packageTypes defines the descriptors of all types that the package declares, and of the
// pointers to them, those of functions included (other modules may hold copies of the
// functions). Generic types and the local types of generic functions have none.
func (m *data) packageTypes() {
	p := m.pkg.Pkg
	var decls []*types.TypeName
	for _, n := range p.Scope().Names() {
		if o, ok := p.Scope().Lookup(n).(*types.TypeName); ok && !o.IsAlias() {
			decls = append(decls, o)
		}
	}
	l := m.localTypes(p)
	for _, o := range l.names {
		if l.generic.find(o.Pos()) == nil {
			decls = append(decls, o)
		}
	}
	for _, o := range decls {
		n, ok := o.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			continue
		}
		if i, ok := n.Underlying().(*types.Interface); ok && !i.IsMethodSet() {
			continue
		}
		for _, t := range []types.Type{n, types.NewPointer(n)} {
			sym := m.typeSym(t)
			if !m.out.Defined(sym) {
				m.emitDesc(&desc{typ: t, name: m.typeName(t), str: m.typeString(t)})
			}
		}
	}
}

// desc is a descriptor being written.
type desc struct {
	typ      types.Type
	name     string // canonical, see typeName
	str      string
	linkonce bool
	noalg    bool // internal to maps: not comparable, invisible to reflect

	blob
	names
	methods []*types.Selection
	named   *types.TypeName // nil for unnamed types
	isNamed bool            // defined or predeclared
	eq      ir.Value        // code of the equality function, none if not comparable
	eqAt    int64
	hash    ir.Value // code of the hash function (maps)
	hashAt  int64
	mask    []byte
	maskAt  int64
	arrayAt int64 // of Fields, Imethods
}

// emitDesc defines the descriptor.
func (m *data) emitDesc(d *desc) {
	sym := descSym(d.name)
	m.define(sym, func() ir.Definition {
		d.blob.self, d.blob.relative = m.ref(sym), m.in.Flags.Movable
		m.writeDesc(d)
		m.typelink(d)
		def := ir.Definition{Const: true, Align: 8}
		if d.linkonce {
			def = m.merged(sym, def)
		}
		def.Init = d.blob.contents()
		return def
	})
}

// typelink lists d's type in the section loam_typelinks if reflect could be asked to
// construct a type like it. The entry is in the descriptor's section group, if that has one, and
// tied to its section, so the linker drops both or none.
func (m *data) typelink(d *desc) {
	if d.isNamed || d.noalg {
		return
	}
	switch kindOf(d.typ) {
	case kindPointer, kindArray, kindChan, kindFunc, kindMap, kindSlice, kindStruct:
	default:
		return
	}
	at := d.blob.self
	entry := m.out.PlainNumberedRef("typelink.", m.typelinks)
	m.typelinks++
	m.kept = append(m.kept, entry)
	node := m.out.AddressNode(at)
	m.out.Define(entry, func() ir.Definition {
		def := ir.Definition{Linkage: ir.Private, Const: true, Init: at, Section: "loam_typelinks", Align: 8, Associated: node}
		if d.linkonce {
			def.Comdat = m.out.Group(at)
		}
		return def
	})
}

// keepTypelinks tells LLVM that the entries of typelinks and static maps are used. To be called
// once, after everything else has been lowered.
func (m *data) keepTypelinks() {
	if n := len(m.kept); n > 0 {
		m.out.Define(m.out.Used(), func() ir.Definition {
			return ir.Definition{Linkage: ir.Appending, Init: ir.Aggregate(ir.Array(int64(n), ir.Ptr), m.kept...), Section: "llvm.metadata"}
		})
	}
}

// writeDesc appends all sections of the descriptor in order.
func (m *data) writeDesc(d *desc) {
	t := types.Unalias(d.typ)
	switch t := t.(type) {
	case *types.Named:
		d.named, d.isNamed = t.Obj(), true
	case *types.Basic:
		d.isNamed = true
	}
	d.methods = m.concreteMethods(t)
	m.writeCommon(d)
	m.writeKind(d)
	if d.uncommon() {
		m.writeUncommon(d)
	}
	m.writeTail(d)
	m.writeMethods(d)
	d.closures()
	d.writeMask()
	d.names.write(&d.blob)
}

func (d *desc) uncommon() bool { return d.isNamed || len(d.methods) > 0 }

// writeCommon appends the abi.Type.
func (m *data) writeCommon(d *desc) {
	t := d.typ
	ptrBytes := m.ptrBytes(t)
	var flags uint8
	if d.uncommon() {
		flags |= tflagUncommon
	}
	if d.isNamed {
		flags |= tflagNamed
	}
	comparable := types.Comparable(t) && !d.noalg
	if comparable && m.regularMemory(t) {
		flags |= tflagRegularMemory
	}
	if isDirectIface(t) {
		flags |= tflagDirectIface
	}
	onDemand := ptrBytes/8 > maxMaskWords
	if onDemand {
		flags |= tflagGCMaskOnDemand
	}
	align := uint8(m.sizes.Alignof(t))
	d.u64(uint64(m.sizes.Sizeof(t)))
	d.u64(uint64(ptrBytes))
	d.u32(nameHash(d.name))
	d.u8(flags)
	d.u8(align)
	d.u8(align)
	d.u8(kindOf(t))
	if comparable {
		d.eq = m.eqFunc(t)
		d.selfPtr(&d.eqAt)
	} else {
		d.u64(0)
	}
	switch {
	case onDemand:
		d.ptr(m.maskCell(d.name))
	case ptrBytes > 0:
		d.mask = m.pointerMask(t)
		d.selfPtr(&d.maskAt)
	default:
		d.u64(0)
	}
	d.selfOff32(d.ref(d.str, "", "", d.exported(), false), 0)
	if d.named != nil || m.pointerHasMethods(t) {
		d.off32(m.typeDesc(types.NewPointer(t)))
	} else {
		d.u32(0)
	}
}

// pointerHasMethods reports whether t is an unnamed type such that *t has methods, which
// reflect could not give it: a struct with embedded fields.
func (m *data) pointerHasMethods(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Struct)
	if !ok {
		return false
	}
	for i := 0; i < s.NumFields(); i++ {
		if s.Field(i).Embedded() {
			return len(m.concreteMethods(types.NewPointer(t))) > 0
		}
	}
	return false
}

// exported reports whether the type, or the type pointed to, has an exported name.
func (d *desc) exported() bool {
	t := types.Unalias(d.typ)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Exported()
}

// maskCell returns the operand of the cell for a pointer mask built at run time.
func (m *data) maskCell(name string) ir.Value {
	cell := "gcmask:" + name
	m.define(cell, func() ir.Definition {
		return m.merged(cell, ir.Definition{Init: ir.Null, Section: noptrBSS, Align: 8})
	})
	return m.ref(cell)
}

// writeKind appends the fixed fields of the type's kind.
func (m *data) writeKind(d *desc) {
	switch u := under(d.typ).(type) {
	case *types.Array:
		d.ptr(m.elemDesc(d, u.Elem()))
		d.ptr(m.elemSlice(d, u.Elem()))
		d.u64(uint64(u.Len()))
	case *types.Chan:
		d.ptr(m.typeDesc(u.Elem()))
		d.u64(chanDir(u.Dir()))
	case *types.Signature:
		in, out := uint16(u.Params().Len()), uint16(u.Results().Len())
		if u.Variadic() {
			out |= 1 << 15
		}
		d.u16(in)
		d.u16(out)
		d.align(8)
	case *types.Interface:
		m.pkgPathPtr(d, typePkg(d.typ))
		d.slice(u.NumMethods())
	case *types.Map:
		m.writeMap(d, u)
	case *types.Pointer:
		d.ptr(m.typeDesc(u.Elem()))
	case *types.Slice:
		d.ptr(m.typeDesc(u.Elem()))
	case *types.Struct:
		m.pkgPathPtr(d, fieldPkg(u))
		d.slice(u.NumFields())
	}
}

// slice appends a slice header for the array that follows the UncommonType.
func (d *desc) slice(n int) {
	if n == 0 {
		d.u64(0)
	} else {
		d.selfPtr(&d.arrayAt)
	}
	d.u64(uint64(n))
	d.u64(uint64(n))
}

func chanDir(d types.ChanDir) uint64 {
	switch d {
	case types.RecvOnly:
		return 1
	case types.SendOnly:
		return 2
	}
	return 3
}

// typePkg returns the package of a named type, nil for others and predeclared ones.
func typePkg(t types.Type) *types.Package {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg()
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return types.Unsafe
		}
	}
	return nil
}

// fieldPkg returns the package of a struct type's unexported fields.
func fieldPkg(u *types.Struct) *types.Package {
	for i := 0; i < u.NumFields(); i++ {
		if f := u.Field(i); !f.Exported() {
			return f.Pkg()
		}
	}
	return nil
}

// pkgPathPtr appends an abi.Name with a package path, or nil.
func (m *data) pkgPathPtr(d *desc, p *types.Package) {
	if p == nil {
		d.u64(0)
		return
	}
	d.selfPtr(d.ref(p.Path(), "", "", false, false))
}

// writeUncommon appends the UncommonType; its methods follow the kind's array.
func (m *data) writeUncommon(d *desc) {
	at := d.size
	if p := uncommonPkg(d.typ); p != nil {
		d.selfOff32(d.ref(p.Path(), "", "", false, false), 0)
	} else {
		d.u32(0)
	}
	exported := 0
	for _, s := range d.methods {
		if s.Obj().Exported() {
			exported++
		}
	}
	d.u16(uint16(len(d.methods)))
	d.u16(uint16(exported))
	d.u32(uint32(at + 16 + m.tailSize(d) - at))
	d.u32(0)
}

// uncommonPkg returns the package recorded in the UncommonType: that of the type or of
// its element type.
func uncommonPkg(t types.Type) *types.Package {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return typePkg(u.Elem())
	case *types.Slice:
		return typePkg(u.Elem())
	case *types.Array:
		return typePkg(u.Elem())
	case *types.Chan:
		return typePkg(u.Elem())
	}
	return typePkg(t)
}

// tailSize returns the size of the array that writeTail appends.
func (m *data) tailSize(d *desc) int64 {
	switch u := under(d.typ).(type) {
	case *types.Signature:
		return 8 * int64(u.Params().Len()+u.Results().Len())
	case *types.Interface:
		return 8 * int64(u.NumMethods())
	case *types.Struct:
		return 24 * int64(u.NumFields())
	}
	return 0
}

// writeTail appends the array of parameters, interface methods or fields.
func (m *data) writeTail(d *desc) {
	d.arrayAt = d.size
	switch u := under(d.typ).(type) {
	case *types.Signature:
		for _, tuple := range []*types.Tuple{u.Params(), u.Results()} {
			for i := 0; i < tuple.Len(); i++ {
				d.ptr(m.typeDesc(tuple.At(i).Type()))
			}
		}
	case *types.Interface:
		pkg := typePkg(d.typ)
		for _, f := range interfaceMethods(u) {
			d.selfOff32(d.methodName(f, pkg), 0)
			d.off32(m.typeDesc(withoutReceiver(f.Signature())))
		}
	case *types.Struct:
		for i, off := range m.fieldOffsets(u) {
			f := u.Field(i)
			d.selfPtr(d.ref(f.Name(), u.Tag(i), "", f.Exported(), f.Embedded()))
			d.ptr(m.elemDesc(d, f.Type()))
			d.u64(uint64(off))
		}
	}
}

// methodName refers to a method's name; pkg is the package recorded for the type, which
// unexported methods are taken to belong to unless their name says otherwise.
func (d *desc) methodName(f *types.Func, pkg *types.Package) *int64 {
	other := ""
	if !f.Exported() && f.Pkg() != nil && f.Pkg() != pkg {
		other = f.Pkg().Path()
	}
	return d.ref(f.Name(), "", other, f.Exported(), false)
}

func withoutReceiver(s *types.Signature) *types.Signature {
	if s.Recv() == nil {
		return s
	}
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// writeMethods appends the array of abi.Method.
func (m *data) writeMethods(d *desc) {
	pkg := uncommonPkg(d.typ)
	for _, s := range d.methods {
		f := s.Obj().(*types.Func)
		d.selfOff32(d.methodName(f, pkg), 0)
		d.off32(m.typeDesc(withoutReceiver(s.Type().(*types.Signature))))
		d.off32(m.methodRef(f, s.Type().(*types.Signature), m.ifaceMethod(d.typ, s)))
		d.off32(m.methodRef(f, s.Type().(*types.Signature), m.methodFunc(s)))
	}
}

// closures appends the closure objects of the equality and hash functions.
func (d *desc) closures() {
	d.align(8)
	d.eqAt = d.size
	if d.eq.IsSet() {
		d.ptr(d.eq)
	}
	d.hashAt = d.size
	if d.hash.IsSet() {
		d.ptr(d.hash)
	}
}

func (d *desc) writeMask() {
	d.align(8)
	d.maskAt = d.size
	d.bytes(d.mask)
}
