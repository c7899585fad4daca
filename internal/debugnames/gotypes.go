package debugnames

import (
	"encoding/binary"
	"strings"

	"loam/internal/dwarfdata"
)

// What LLVM cannot say of Go's types. Strings and slices are structs with a kind, slices have the
// type of their elements, and arrays a size. Of a map and a channel the compiler makes a struct
// whose members have their types for attributes: they become the typedefs that they are with gc. An
// interface becomes a typedef of its words, and the pointer that a func value is a function's type
// with the size of a word: debuggers then know that a word is there which leads to code. Types have
// the addresses of their descriptors, by which debuggers know what is in an interface.

// change is what becomes of an entry.
type change struct {
	tag       uint64
	attrs     []entryAttr // it begins with those that it has, or, if it is made anew, its name
	anew      bool        // it has no others of its attributes, and no children
	twice     bool        // it is made anew, and another follows, which it has for its type
	childless bool        // its children are left out
	toWords   bool        // its type is an interface: it gets the words of that instead
	extra     []byte      // the values of further attributes
	refs      []int       // behind these: the entries that it refers to
	refAttrs  []uint64    // by these attributes
}

// change returns what becomes of entry i, nil if it stays as it is.
func (u *entryUnit) change(i int) *change {
	e := &u.entries[i]
	a := &u.abbrevs[e.code]
	c := &change{tag: a.tag, attrs: a.attrs}
	switch a.tag {
	case dwarfdata.TagArray:
		if size, ok := u.size(i, 0); ok && size < 1<<32 {
			c.add(dwarfdata.AttrSize, dwarfdata.FormData4, binary.LittleEndian.AppendUint32(nil, uint32(size)))
		}
	case dwarfdata.TagStruct:
		u.changeStruct(i, c)
	case dwarfdata.TagPointer:
		if strings.HasPrefix(u.name(e), "func(") {
			c.makeAnew(dwarfdata.TagSubroutine, kindFunc)
			c.add(dwarfdata.AttrSize, dwarfdata.FormData1, []byte{word})
		}
	case dwarfdata.TagTypedef:
		if k, ok := u.inner(e); ok && u.isInterface(k) {
			c.add(dwarfdata.AttrKind, dwarfdata.FormData1, []byte{kindInterface})
			c.toWords = true
		}
	case dwarfdata.TagVariable:
		if offset, ok := u.captured[i]; ok {
			c.add(dwarfdata.AttrInClosure, dwarfdata.FormUdata, binary.AppendUvarint(nil, offset))
			return c
		}
		if !a.children || !u.isGo() {
			return nil
		}
		c.childless = true // it had types of interfaces (findClosures)
		return c
	case dwarfdata.TagBase:
	default:
		return nil
	}
	if address := u.types["type:"+u.typeName(i, 0)]; address != 0 {
		c.add(dwarfdata.AttrRuntimeType, dwarfdata.FormAddr, binary.LittleEndian.AppendUint64(nil, address))
	}
	if c.extra == nil {
		return nil
	}
	return c
}

func (c *change) add(attr, form uint64, value []byte) {
	c.attrs = append(c.attrs[:len(c.attrs):len(c.attrs)], entryAttr{attr, form})
	c.extra = append(c.extra, value...)
}

func (c *change) refer(attr uint64, target int) {
	c.refAttrs, c.refs = append(c.refAttrs, attr), append(c.refs, target)
}

func (u *entryUnit) changeStruct(i int, c *change) {
	e := &u.entries[i]
	switch name := u.name(e); {
	case name == "string":
		c.add(dwarfdata.AttrKind, dwarfdata.FormData1, []byte{kindString})
	case strings.HasPrefix(name, "[]"):
		if elem, ok := u.elem(i); ok {
			c.add(dwarfdata.AttrKind, dwarfdata.FormData1, []byte{kindSlice})
			c.refer(dwarfdata.AttrElem, elem)
		}
	case u.isInterface(i):
		c.makeAnew(dwarfdata.TagTypedef, kindInterface)
		c.twice = true
	case strings.HasPrefix(name, "map["), isChan(name):
		members := u.members(i)
		if members["·type"] == 0 || members["·elem"] == 0 {
			return
		}
		c.makeAnew(dwarfdata.TagTypedef, kindChan)
		c.refer(dwarfdata.AttrType, members["·type"])
		c.refer(dwarfdata.AttrElem, members["·elem"])
		if key := members["·key"]; key != 0 {
			c.extra[0] = kindMap
			c.refer(dwarfdata.AttrKey, key)
		}
	}
}

func (c *change) makeAnew(tag uint64, kind byte) {
	c.tag, c.anew, c.attrs = tag, true, []entryAttr{{dwarfdata.AttrName, dwarfdata.FormStrp}}
	c.add(dwarfdata.AttrKind, dwarfdata.FormData1, []byte{kind})
}

// isInterface reports whether entry i is the struct of an interface's words.
func (u *entryUnit) isInterface(i int) bool {
	e := &u.entries[i]
	if u.abbrevs[e.code].tag != dwarfdata.TagStruct || !strings.HasPrefix(u.name(e), "interface {") {
		return false
	}
	word := u.firstMember(i)
	return word == "tab" || word == "_type"
}

// inner returns the entry of the type that an entry has.
func (u *entryUnit) inner(e *dieEntry) (k int, ok bool) {
	target, ok := u.value(e, dwarfdata.AttrType)
	if !ok {
		return 0, false
	}
	return u.find(target)
}

// members returns the types of a struct's fields by name.
func (u *entryUnit) members(i int) map[string]int {
	all := map[string]int{}
	for k := i + 1; k < u.entries[i].next; k++ {
		if m := &u.entries[k]; u.abbrevs[m.code].tag == dwarfdata.TagMember {
			target, _ := u.value(m, dwarfdata.AttrType)
			all[u.name(m)] = int(target)
		}
	}
	return all
}

func (u *entryUnit) firstMember(i int) string {
	if i+1 >= u.entries[i].next {
		return ""
	}
	return u.name(&u.entries[i+1])
}

// typeName returns what Go calls a type; LLVM's pointers have no names.
func (u *entryUnit) typeName(i, depth int) string {
	const most = 16 // of pointers to pointers
	e := &u.entries[i]
	if name := u.name(e); name != "" || u.abbrevs[e.code].tag != dwarfdata.TagPointer || depth > most {
		return name
	}
	target, ok := u.value(e, dwarfdata.AttrType)
	k, known := u.find(target)
	if !ok || !known {
		return ""
	}
	return "*" + u.typeName(k, depth+1)
}

// size returns how many bytes a type has.
func (u *entryUnit) size(i, depth int) (size uint64, ok bool) {
	const most = 64 // of types in types
	e := &u.entries[i]
	tag := u.abbrevs[e.code].tag
	if of, known := u.value(e, dwarfdata.AttrSize); known {
		if name := u.name(e); tag == dwarfdata.TagStruct && (strings.HasPrefix(name, "map[") || isChan(name)) {
			return word, true
		}
		return of, true
	}
	if tag == dwarfdata.TagPointer {
		return word, true
	}
	inner, known := u.value(e, dwarfdata.AttrType)
	k, there := u.find(inner)
	if !known || !there || depth > most {
		return 0, false
	}
	size, ok = u.size(k, depth+1)
	if tag == dwarfdata.TagArray {
		if i+1 >= e.next {
			return 0, false
		}
		count, known := u.value(&u.entries[i+1], dwarfdata.AttrCount)
		return size * count, ok && known
	}
	return size, ok
}

const word = 8 // bytes

func isChan(name string) bool {
	return strings.HasPrefix(name, "chan ") || strings.HasPrefix(name, "<-chan ") || strings.HasPrefix(name, "chan<- ")
}

// elem returns the entry of a slice's elements: what its first member points to.
func (u *entryUnit) elem(i int) (at int, ok bool) {
	if i+1 >= u.entries[i].next {
		return 0, false
	}
	array, ok := u.value(&u.entries[i+1], dwarfdata.AttrType)
	k, known := u.find(array)
	if !ok || !known || u.abbrevs[u.entries[k].code].tag != dwarfdata.TagPointer {
		return 0, false
	}
	elem, ok := u.value(&u.entries[k], dwarfdata.AttrType)
	return int(elem), ok
}

// code returns the code of an abbreviation, which may be new.
func (u *entryUnit) code(tag uint64, children bool, attrs []entryAttr) uint64 {
	text := binary.AppendUvarint(nil, tag)
	if children {
		text = append(text, 1)
	} else {
		text = append(text, 0)
	}
	for _, a := range append(attrs[:len(attrs):len(attrs)], entryAttr{}) {
		text = binary.AppendUvarint(binary.AppendUvarint(text, a.attr), a.form)
	}
	code, ok := u.added[string(text)]
	if !ok {
		code = uint64(len(u.abbrevs))
		u.abbrevs = append(u.abbrevs, entryAbbrev{tag: tag, children: children, attrs: attrs})
		u.added[string(text)] = code
		end := len(u.newTable) - 1
		u.newTable = append(append(binary.AppendUvarint(u.newTable[:end:end], code), text...), 0)
	}
	return code
}
