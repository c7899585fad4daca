package debugnames

import (
	"encoding/binary"
	"strings"
)

// What LLVM cannot say of Go's types. Strings and slices are structs with a kind, slices have the
// type of their elements, and arrays a size. Of a map and a channel the compiler makes a struct whose members have
// their types for attributes: they become the typedefs that they are with gc.

// goType returns the new beginning of entry i, with its code, and the entries that it refers to
// behind that; nil if it stays as it is. An entry that is replaced has no children any more.
func (u *entryUnit) goType(i int) (shape []byte, refs []int, replaced bool) {
	e := &u.entries[i]
	if !u.abbrevs[e.code].children {
		return nil, nil, false
	}
	switch u.abbrevs[e.code].tag {
	case tagArray:
		return u.array(i, e)
	case tagStruct:
	default:
		return nil, nil, false
	}
	switch name := u.name(e); {
	case name == "string":
		return u.extended(e, kindString)
	case strings.HasPrefix(name, "[]"):
		elem, ok := u.elem(i)
		if !ok {
			return nil, nil, false
		}
		shape, _, _ = u.extended(e, kindSlice, attrElem)
		if shape == nil {
			return nil, nil, false
		}
		return shape, []int{elem}, false
	case strings.HasPrefix(name, "map["), isChan(name):
		return u.typedef(i, e)
	}
	return nil, nil, false
}

// array is an array's entry with its size, which delve divides by the number of elements.
func (u *entryUnit) array(i int, e *dieEntry) (shape []byte, refs []int, replaced bool) {
	old := u.abbrevs[e.code]
	if len(old.attrs) != 2 || old.attrs[0].form == formRef4 == (old.attrs[1].form == formRef4) {
		return nil, nil, false
	}
	size, ok := u.size(i, 0)
	elem, known := u.value(e, attrType)
	if !ok || !known || size > 1<<32-1 {
		return nil, nil, false
	}
	attrs := []entryAttr{{attrSize, formData4}, {attrType, formRef4}}
	var name []byte
	u.attrs(e, func(a entryAttr, place int) {
		if a.attr == attrName && a.form == formStrp {
			attrs = append([]entryAttr{a}, attrs...)
			name = u.info[place : place+4]
		}
	})
	if name == nil {
		return nil, nil, false
	}
	shape = append(binary.AppendUvarint(nil, u.add(tagArray, true, attrs)), name...)
	return binary.LittleEndian.AppendUint32(shape, uint32(size)), []int{int(elem)}, false
}

// size returns how many bytes a type has.
func (u *entryUnit) size(i, depth int) (size uint64, ok bool) {
	const most = 64 // of types in types
	e := &u.entries[i]
	if of, known := u.value(e, attrSize); known {
		if name := u.name(e); u.abbrevs[e.code].tag == tagStruct && (strings.HasPrefix(name, "map[") || isChan(name)) {
			return word, true
		}
		return of, true
	}
	if u.abbrevs[e.code].tag == tagPointer {
		return word, true
	}
	inner, known := u.value(e, attrType)
	k, there := u.at[int(inner)]
	if !known || !there || depth > most {
		return 0, false
	}
	size, ok = u.size(k, depth+1)
	if u.abbrevs[e.code].tag == tagArray {
		if i+1 >= e.next {
			return 0, false
		}
		count, known := u.value(&u.entries[i+1], attrCount)
		return size * count, ok && known
	}
	return size, ok
}

func isChan(name string) bool {
	return strings.HasPrefix(name, "chan ") || strings.HasPrefix(name, "<-chan ") || strings.HasPrefix(name, "chan<- ")
}

const word = 8 // bytes

// extended is the entry with a kind, and with references that follow it. What it has itself must
// not refer to entries.
func (u *entryUnit) extended(e *dieEntry, kind byte, refs ...uint64) (shape []byte, none []int, replaced bool) {
	old := &u.abbrevs[e.code]
	attrs := append([]entryAttr(nil), old.attrs...)
	for _, a := range attrs {
		if a.form == formRef4 {
			return nil, nil, false
		}
	}
	attrs = append(attrs, entryAttr{attrKind, formData1})
	for _, r := range refs {
		attrs = append(attrs, entryAttr{r, formRef4})
	}
	shape = binary.AppendUvarint(nil, u.add(old.tag, old.children, attrs))
	r := &reader{b: u.info, at: e.start}
	r.uleb()
	return append(append(shape, u.info[r.at:e.end]...), kind), nil, false
}

// typedef makes one of a struct with the members ·type, ·key and ·elem.
func (u *entryUnit) typedef(i int, e *dieEntry) (shape []byte, refs []int, replaced bool) {
	members := map[string]int{}
	for k := i + 1; k < e.next; k++ {
		if m := &u.entries[k]; u.abbrevs[m.code].tag == tagMember {
			target, _ := u.value(m, attrType)
			members[u.name(m)] = int(target)
		}
	}
	attrs := []entryAttr{{attrName, formStrp}, {attrKind, formData1}, {attrType, formRef4}, {attrElem, formRef4}}
	kind := byte(kindChan)
	for _, name := range []string{"·type", "·elem"} {
		if members[name] == 0 {
			return nil, nil, false
		}
		refs = append(refs, members[name])
	}
	if key := members["·key"]; key != 0 {
		kind = kindMap
		attrs = append(attrs, entryAttr{attrKey, formRef4})
		refs = append(refs, key)
	}
	var name []byte
	u.attrs(e, func(a entryAttr, place int) {
		if a.attr == attrName && a.form == formStrp {
			name = u.info[place : place+4]
		}
	})
	if name == nil {
		return nil, nil, false
	}
	shape = binary.AppendUvarint(nil, u.add(tagTypedef, false, attrs))
	return append(append(shape, name...), kind), refs, true
}

// elem returns the entry of a slice's elements: what its first member points to.
func (u *entryUnit) elem(i int) (at int, ok bool) {
	if i+1 >= u.entries[i].next {
		return 0, false
	}
	array, ok := u.value(&u.entries[i+1], attrType)
	k, known := u.at[int(array)]
	if !ok || !known || u.abbrevs[u.entries[k].code].tag != tagPointer {
		return 0, false
	}
	elem, ok := u.value(&u.entries[k], attrType)
	return int(elem), ok
}

// add returns the code of an abbreviation.
func (u *entryUnit) add(tag uint64, children bool, attrs []entryAttr) uint64 {
	text := binary.AppendUvarint(nil, tag)
	if children {
		text = append(text, 1)
	} else {
		text = append(text, 0)
	}
	for _, a := range append(attrs, entryAttr{}) {
		text = binary.AppendUvarint(binary.AppendUvarint(text, a.attr), a.form)
	}
	code, ok := u.added[string(text)]
	if !ok {
		code = uint64(len(u.abbrevs))
		u.abbrevs = append(u.abbrevs, entryAbbrev{tag, children, attrs})
		u.added[string(text)] = code
		end := len(u.newTable) - 1
		u.newTable = append(append(binary.AppendUvarint(u.newTable[:end:end], code), text...), 0)
	}
	return code
}
