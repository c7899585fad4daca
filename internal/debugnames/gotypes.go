package debugnames

import (
	"encoding/binary"
	"strings"
)

// What LLVM cannot say of Go's types. Strings and slices are structs with a kind, and slices have
// the type of their elements. Of a map and a channel the compiler makes a struct whose members have
// their types for attributes: they become the typedefs that they are with gc.

// goType returns the new beginning of entry i, with its code, and the entries that it refers to
// behind that; nil if it stays as it is. An entry that is replaced has no children any more.
func (u *entryUnit) goType(i int) (shape []byte, refs []int, replaced bool) {
	e := &u.entries[i]
	if u.abbrevs[e.code].tag != tagStruct || !u.abbrevs[e.code].children {
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
	case strings.HasPrefix(name, "map["), strings.HasPrefix(name, "chan "), strings.HasPrefix(name, "<-chan "):
		return u.typedef(i, e)
	}
	return nil, nil, false
}

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
