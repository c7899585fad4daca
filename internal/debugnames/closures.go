package debugnames

import (
	"encoding/binary"
	"strings"

	"loam/internal/dwarfdata"
)

// What closures hold. The compiler gives a function literal a variable without a place, whose type
// is a struct of what the literal's closure holds. Delve knows closures by variables that have an
// offset in it. The literal has its captured variables already, at their places. So those with an
// offset are in a block of their own that has no code: delve looks through all blocks for them,
// and neither it nor gdb shows them where the literal runs.

// The body of a loop over a function has no such block. Its captured variables themselves have the
// offset, as with gc: Delve leaves them out, and shows those of the function around the loop.

// Names of hidden variables and of their structs. A function has another one for the types that it
// makes interfaces of, and a package's first variable has parameters of a template for those in its
// data: what matters is that the types are described.
const (
	closureName = "·closure"
	boxedName   = "·boxed"
)

// findClosures notes the variables that blocks take the place of, with their structs. It drops the
// other hidden variables, of functions that are inlined or only described too, and the structs.
func (u *entryUnit) findClosures() {
	u.closures, u.captured = map[int]closure{}, map[int]uint64{}
	if !u.isGo() {
		return
	}
	for i := range u.entries {
		e := &u.entries[i]
		if e.dropped || u.abbrevs[e.code].tag != dwarfdata.TagSubprogram {
			continue
		}
		low, ok := u.value(e, dwarfdata.AttrLowPC)
		if !ok {
			continue
		}
		for k := i + 1; k < e.next; k = u.entries[k].next {
			if name, held, ok := u.hidden(k); ok && name == closureName {
				if isLoopBody(u.nameOf(e)) {
					u.findCaptured(i, held)
				} else {
					u.closures[k] = closure{low, held}
				}
			}
		}
	}
	for k := range u.entries {
		e := &u.entries[k]
		switch tag := u.abbrevs[e.code].tag; {
		case tag == dwarfdata.TagVariable:
			_, _, is := u.hidden(k)
			_, stays := u.closures[k]
			e.dropped = e.dropped || is && !stays
		case tag == dwarfdata.TagStruct && isHidden(u.name(e)):
			for m := k; m < e.next; m++ {
				u.entries[m].dropped = true
			}
		}
	}
}

// isLoopBody reports whether a function of that name is the body of a loop over a function.
func isLoopBody(name string) bool {
	k := strings.LastIndex(name, "-range")
	return k > 0 && strings.Trim(name[k+len("-range"):], "0123456789") == ""
}

// findCaptured notes the offsets of the function's captured variables, members of a struct.
func (u *entryUnit) findCaptured(function, held int) {
	offsets := map[string]uint64{}
	for k := held + 1; k < u.entries[held].next; k = u.entries[k].next {
		if offset, ok := u.value(&u.entries[k], dwarfdata.AttrOffset); ok {
			offsets[u.name(&u.entries[k])] = offset
		}
	}
	for k := function + 1; k < u.entries[function].next; k = u.entries[k].next {
		e := &u.entries[k]
		if offset, ok := offsets[u.nameOf(e)]; ok && u.abbrevs[e.code].tag == dwarfdata.TagVariable {
			u.captured[k] = offset
		}
	}
}

// nameOf is the name of an entry, or of that which it is an instance of.
func (u *entryUnit) nameOf(e *dieEntry) string {
	if origin, ok := u.value(e, dwarfdata.AttrOrigin); ok {
		if k, ok := u.find(origin); ok {
			e = &u.entries[k]
		}
	}
	return u.name(e)
}

// closure is what the function at low finds in its closure: the members of a struct.
type closure struct {
	low  uint64
	held int // the struct's entry
}

// isGo reports whether the compiler made the unit.
func (u *entryUnit) isGo() bool {
	if len(u.entries) == 0 {
		return false
	}
	language, _ := u.value(&u.entries[0], dwarfdata.AttrLanguage)
	return language == dwarfdata.LanguageGo
}

func isHidden(name string) bool { return name == closureName || name == boxedName }

// hidden returns the name and the struct of an entry if it is a hidden variable.
func (u *entryUnit) hidden(k int) (name string, held int, ok bool) {
	e := &u.entries[k]
	if u.abbrevs[e.code].tag != dwarfdata.TagVariable {
		return "", 0, false
	}
	if origin, has := u.value(e, dwarfdata.AttrOrigin); has {
		if k, ok = u.find(origin); !ok {
			return "", 0, false
		}
		e = &u.entries[k]
	}
	if name = u.name(e); !isHidden(name) {
		return "", 0, false
	}
	of, _ := u.value(e, dwarfdata.AttrType)
	held, ok = u.find(of)
	return name, held, ok
}

// writeClosure writes the block.
func (u *entryUnit) writeClosure(c closure) {
	block := []entryAttr{{dwarfdata.AttrLowPC, dwarfdata.FormAddr}, {dwarfdata.AttrHighPC, dwarfdata.FormData1}}
	u.out = binary.AppendUvarint(u.out, u.code(dwarfdata.TagBlock, true, block))
	u.out = append(binary.LittleEndian.AppendUint64(u.out, c.low), 0)
	variable := u.code(dwarfdata.TagVariable, false, []entryAttr{
		{dwarfdata.AttrName, dwarfdata.FormStrp}, {dwarfdata.AttrInClosure, dwarfdata.FormUdata}, {dwarfdata.AttrType, dwarfdata.FormRef4},
	})
	for k := c.held + 1; k < u.entries[c.held].next; k++ {
		e := &u.entries[k]
		name, named := u.text(e)
		offset, placed := u.value(e, dwarfdata.AttrOffset)
		of, typed := u.value(e, dwarfdata.AttrType)
		if !named || !placed || !typed {
			continue
		}
		u.out = append(binary.AppendUvarint(u.out, variable), name...)
		u.out = binary.AppendUvarint(u.out, offset)
		u.fixups = append(u.fixups, fixup{len(u.out), int(of), false})
		u.out = append(u.out, 0, 0, 0, 0)
	}
	u.out = append(u.out, 0)
}

// text returns the reference to the name of an entry.
func (u *entryUnit) text(e *dieEntry) (reference []byte, ok bool) {
	form, place, ok := u.attr(e, dwarfdata.AttrName)
	if !ok || form != dwarfdata.FormStrp {
		return nil, false
	}
	return u.info[place : place+4], true
}
