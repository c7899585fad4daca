package lower

import (
	"encoding/binary"
	"fmt"

	"loam/internal/ir"
)

// blob builds the initialiser of one global from parts of known size: integers, bytes,
// addresses, and references into itself. The result is a packed LLVM struct, so that the
// byte layout is exactly what was appended, whatever LLVM thinks of alignment.
type blob struct {
	self ir.Value // address of the global, for references into itself
	// offsets of 32 bits count from the global's beginning, because the program may lie anywhere;
	// otherwise they are addresses
	relative bool
	size     int64
	raw      []byte // integers and bytes not yet flushed into a part
	parts    []ir.Value
	fixes    []func() // values that depend on later offsets
}

func (b *blob) flush() {
	if len(b.raw) == 0 {
		return
	}
	if allZero(b.raw) {
		b.parts = append(b.parts, ir.Zero(ir.Array(int64(len(b.raw)), ir.I8)))
	} else {
		b.parts = append(b.parts, ir.BytesConst(string(b.raw)))
	}
	b.raw = nil
}

func allZero(p []byte) bool {
	for _, c := range p {
		if c != 0 {
			return false
		}
	}
	return true
}

func (b *blob) bytes(p []byte) { b.raw = append(b.raw, p...); b.size += int64(len(p)) }
func (b *blob) u8(v uint8)     { b.bytes([]byte{v}) }
func (b *blob) u16(v uint16)   { b.bytes(binary.LittleEndian.AppendUint16(nil, v)) }
func (b *blob) u32(v uint32)   { b.bytes(binary.LittleEndian.AppendUint32(nil, v)) }
func (b *blob) u64(v uint64)   { b.bytes(binary.LittleEndian.AppendUint64(nil, v)) }

// zero appends n zero bytes.
func (b *blob) zero(n int64) {
	if n < 24 {
		b.bytes(make([]byte, n))
		return
	}
	b.flush()
	b.parts = append(b.parts, ir.Zero(ir.Array(n, ir.I8)))
	b.size += n
}

// align pads with zeros to a multiple of n.
func (b *blob) align(n int64) { b.zero(-b.size & (n - 1)) }

// ptr appends an 8-byte address.
func (b *blob) ptr(p ir.Value) {
	if p.IsNull() {
		b.u64(0)
		return
	}
	b.value(p, 8)
}

// off32 appends an address as a 32-bit number: all code and data of a program at a fixed address
// lie below 2 GB.
func (b *blob) off32(p ir.Value) {
	if !p.IsSet() || p.IsNull() {
		b.u32(0)
		return
	}
	if b.relative {
		b.value(difference32(p, b.self), 4)
		return
	}
	b.value(addr32(p), 4)
}

// value appends a value of any LLVM type without padding of its own.
func (b *blob) value(v ir.Value, size int64) {
	b.flush()
	b.parts = append(b.parts, v)
	b.size += size
}

// selfPtr appends the address of the place that target will have been set to.
func (b *blob) selfPtr(target *int64) {
	b.selfRef(target, 8, func(p ir.Value) ir.Value { return p })
}

// selfOff32 is selfPtr as a 32-bit number. Where it is none of an address, it counts from the place
// from in the global.
func (b *blob) selfOff32(target *int64, from int64) {
	if !b.relative {
		b.selfRef(target, 4, addr32)
		return
	}
	b.value(ir.Value{}, 4)
	i := len(b.parts) - 1
	b.fixes = append(b.fixes, func() { b.parts[i] = ir.Int(ir.I32, *target-from) })
}

func (b *blob) selfRef(target *int64, size int64, form func(ir.Value) ir.Value) {
	b.value(ir.Value{}, size)
	i := len(b.parts) - 1
	b.fixes = append(b.fixes, func() { b.parts[i] = form(ir.OffsetConst(b.self, *target)) })
}

func addr32(p ir.Value) ir.Value {
	return ir.CastConst(ir.Trunc, ir.CastConst(ir.PtrToInt, p, ir.I64), ir.I32)
}

// difference32 is how far p is from base, which the linker knows wherever the program will lie.
func difference32(p, base ir.Value) ir.Value {
	far := ir.DifferenceConst(ir.CastConst(ir.PtrToInt, p, ir.I64), ir.CastConst(ir.PtrToInt, base, ir.I64))
	return ir.CastConst(ir.Trunc, far, ir.I32)
}

// contents returns the initialiser.
func (b *blob) contents() ir.Value {
	b.flush()
	for _, f := range b.fixes {
		f()
	}
	switch len(b.parts) {
	case 0:
		return ir.Zero(ir.Array(0, ir.I8))
	case 1:
		return b.parts[0]
	}
	fields := make([]*ir.Type, len(b.parts))
	for i, v := range b.parts {
		fields[i] = v.Type
	}
	return ir.Aggregate(ir.Packed(fields...), b.parts...)
}

// names collects the abi.Name encodings that a descriptor refers to; they are written
// once each at its end. A descriptor that carries its own names is one section and one
// symbol for the linker to keep or drop.
type names struct {
	at    map[string]*int64
	order []pendingName
}

type pendingName struct {
	name, tag, pkg     string
	exported, embedded bool
	at                 *int64
}

// ref returns the place of a name. pkg, if not "", is recorded with the name: the
// package of an unexported method that is not the package of its type.
func (n *names) ref(name, tag, pkg string, exported, embedded bool) *int64 {
	key := fmt.Sprintf("%q %q %q %t %t", name, tag, pkg, exported, embedded)
	if p, ok := n.at[key]; ok {
		return p
	}
	if n.at == nil {
		n.at = map[string]*int64{}
	}
	p := new(int64)
	n.at[key] = p
	if pkg != "" {
		n.ref(pkg, "", "", false, false)
	}
	n.order = append(n.order, pendingName{name, tag, pkg, exported, embedded, p})
	return p
}

// write appends the names: flag byte, length, text, and tag and package if there are any.
func (n *names) write(b *blob) {
	for _, p := range n.order {
		*p.at = b.size
		var flags byte
		if p.exported {
			flags |= 1 << 0
		}
		if p.tag != "" {
			flags |= 1 << 1
		}
		if p.pkg != "" {
			flags |= 1 << 2
		}
		if p.embedded {
			flags |= 1 << 3
		}
		d := []byte{flags}
		d = binary.AppendUvarint(d, uint64(len(p.name)))
		d = append(d, p.name...)
		if p.tag != "" {
			d = binary.AppendUvarint(d, uint64(len(p.tag)))
			d = append(d, p.tag...)
		}
		b.bytes(d)
		if p.pkg != "" {
			b.selfOff32(n.ref(p.pkg, "", "", false, false), *p.at)
		}
	}
}
