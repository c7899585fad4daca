package debugnames

import (
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"sync"

	"loam/internal/dwarfdata"
)

// Tags, attributes and forms that entries are changed by.
const (

	// As package reflect counts.
	kindChan, kindFunc, kindInterface, kindMap, kindSlice, kindString = 18, 19, 20, 21, 23, 24
)

// Entries returns .debug_info and .debug_abbrev with what debuggers know Go's types by, and
// without the functions that the linker left out. Types are the addresses of type descriptors, by
// symbol. Where functions begin makes others longer (Starts.longer). Units that are not understood
// stay as they are.
func Entries(info, abbrev, str []byte, types map[string]uint64, starts Starts) (newInfo, newAbbrev []byte, err error) {
	var units []*entryUnit
	for at := 0; at < len(info); {
		r := &dwarfdata.Reader{B: info, At: at}
		end := int(r.U32()) + 4 + at
		if version := r.U16(); r.Bad || end > len(info) || end < at+11 || version != 4 {
			return nil, nil, errors.New("a unit is cut short, or of another version")
		}
		u := &entryUnit{info: info[at:end], abbrev: abbrev, str: str, types: types, starts: starts, table: int(r.U32())}
		units = append(units, u)
		at = end
	}
	work := make(chan *entryUnit)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for u := range work {
				u.rewrite()
			}
		})
	}
	for _, u := range units {
		work <- u
	}
	close(work)
	group.Wait()
	tables := map[string]uint32{} // many units have the same
	for _, u := range units {
		place, ok := tables[string(u.newTable)]
		if !ok {
			place = uint32(len(newAbbrev))
			tables[string(u.newTable)] = place
			newAbbrev = append(newAbbrev, u.newTable...)
		}
		start := len(newInfo)
		newInfo = append(newInfo, u.out...)
		binary.LittleEndian.PutUint32(newInfo[start:], uint32(len(u.out)-4))
		binary.LittleEndian.PutUint32(newInfo[start+6:], place)
	}
	return newInfo, newAbbrev, nil
}

// entryUnit is a unit whose entries are written anew.
type entryUnit struct {
	info, abbrev, str []byte // info is the unit's alone
	table             int    // in abbrev
	abbrevs           []entryAbbrev
	entries           []dieEntry
	at                []int32 // 1 more than the index of the entry at an offset, 0 where none is

	newTable []byte
	added    map[string]uint64 // abbreviations by their text
	types    map[string]uint64 // addresses of descriptors by their symbols
	starts   Starts
	fixups   []fixup
	closures map[int]closure // by the entries that they take the place of
	captured map[int]uint64  // offsets in the closure, by the variables
	out      []byte
}

type entryAbbrev struct {
	tag      uint64
	children bool
	attrs    []entryAttr

	places []int // of the first values, behind the code, up to one that is not of constant size
	size   int   // of all values, -1 if it is not constant
	refers bool  // it has a reference to another entry
}

// layOut finds out where the values stand.
func (a *entryAbbrev) layOut() {
	for _, attr := range a.attrs {
		if a.size >= 0 {
			a.places = append(a.places, a.size)
			if n, ok := dwarfdata.SizeOf(attr.form); ok {
				a.size += n
			} else {
				a.size = -1
			}
		}
		a.refers = a.refers || attr.form == dwarfdata.FormRef4
	}
}

type entryAttr struct{ attr, form uint64 }

// dieEntry is an entry; its children follow it, up to the entry at index next.
type dieEntry struct {
	start, end int // its bytes, its children's not included
	code       uint64
	next       int
	dropped    bool
}

// rewrite makes out and newTable.
func (u *entryUnit) rewrite() {
	if !u.readAbbrevs() || !u.readEntries() {
		u.out = slices.Clone(u.info)
		return
	}
	u.drop()
	u.findClosures()
	u.lengthen()
	u.write()
}

// readAbbrevs reads the table of the unit. Its text is where that of the new one begins.
func (u *entryUnit) readAbbrevs() bool {
	r := &dwarfdata.Reader{B: u.abbrev, At: u.table}
	u.abbrevs = []entryAbbrev{{}}
	known := true
	for !r.Bad {
		end := r.At
		code := r.Uleb()
		if code == 0 {
			u.newTable = append(slices.Clone(u.abbrev[u.table:end]), 0)
			return known && !r.Bad
		}
		known = known && code == uint64(len(u.abbrevs)) // LLVM counts them
		a := entryAbbrev{tag: r.Uleb(), children: r.U8() != 0}
		for !r.Bad {
			attr, form := r.Uleb(), r.Uleb()
			if attr == 0 && form == 0 {
				break
			}
			known = known && form != dwarfdata.FormRefAddr
			a.attrs = append(a.attrs, entryAttr{attr, form})
		}
		a.layOut()
		u.abbrevs = append(u.abbrevs, a)
	}
	return false
}

// lengthen changes the sizes of functions (Starts.longer).
func (u *entryUnit) lengthen() {
	for i := range u.entries {
		e := &u.entries[i]
		if u.abbrevs[e.code].tag != dwarfdata.TagSubprogram || e.dropped {
			continue
		}
		low, ok := u.value(e, dwarfdata.AttrLowPC)
		form, place, sized := u.attr(e, dwarfdata.AttrHighPC)
		if ok && sized && form == dwarfdata.FormData4 {
			size := u.info[place : place+4]
			binary.LittleEndian.PutUint32(size, uint32(u.starts.longer(low, uint64(binary.LittleEndian.Uint32(size)))))
		}
	}
}

const unitHeader = 11

// readEntries finds the unit's entries.
func (u *entryUnit) readEntries() bool {
	u.at = make([]int32, len(u.info))
	r := &dwarfdata.Reader{B: u.info, At: unitHeader}
	var open []int
	for r.At < len(u.info) && !r.Bad {
		start := r.At
		code := r.Uleb()
		if code == 0 {
			if len(open) == 0 {
				return r.At == len(u.info)
			}
			u.entries[open[len(open)-1]].next = len(u.entries)
			open = open[:len(open)-1]
			continue
		}
		if code >= uint64(len(u.abbrevs)) {
			return false
		}
		a := &u.abbrevs[code]
		if a.size >= 0 {
			r.Take(a.size)
		} else {
			for _, attr := range a.attrs {
				if !r.Skip(attr.form) {
					return false
				}
			}
		}
		u.at[start] = int32(len(u.entries) + 1)
		u.entries = append(u.entries, dieEntry{start: start, end: r.At, code: code, next: len(u.entries) + 1})
		if a.children {
			open = append(open, len(u.entries)-1)
		}
	}
	return len(open) == 0 && !r.Bad
}

// find returns the index of the entry at an offset.
func (u *entryUnit) find(offset uint64) (index int, ok bool) {
	if offset >= uint64(len(u.at)) || u.at[offset] == 0 {
		return 0, false
	}
	return int(u.at[offset]) - 1, true
}

// values returns a reader at the values of an entry.
func (u *entryUnit) values(e *dieEntry) dwarfdata.Reader {
	r := dwarfdata.Reader{B: u.info, At: e.start}
	r.Uleb()
	return r
}

// attrs calls do with each attribute of an entry, and the place of its value.
func (u *entryUnit) attrs(e *dieEntry, do func(a entryAttr, place int)) {
	r := u.values(e)
	for _, a := range u.abbrevs[e.code].attrs {
		do(a, r.At)
		r.Skip(a.form)
	}
}

// attr finds an attribute of an entry: its form, and the place of its value.
func (u *entryUnit) attr(e *dieEntry, attr uint64) (form uint64, place int, ok bool) {
	a := &u.abbrevs[e.code]
	i := slices.IndexFunc(a.attrs, func(x entryAttr) bool { return x.attr == attr })
	if i < 0 {
		return 0, 0, false
	}
	r := u.values(e)
	if i < len(a.places) {
		return a.attrs[i].form, r.At + a.places[i], true
	}
	for _, x := range a.attrs[:i] {
		r.Skip(x.form)
	}
	return a.attrs[i].form, r.At, true
}

// value returns a reference, an address or a number.
func (u *entryUnit) value(e *dieEntry, attr uint64) (v uint64, ok bool) {
	form, place, ok := u.attr(e, attr)
	if !ok {
		return 0, false
	}
	switch form {
	case dwarfdata.FormRef4, dwarfdata.FormData4:
		return uint64(binary.LittleEndian.Uint32(u.info[place:])), true
	case dwarfdata.FormUdata:
		r := dwarfdata.Reader{B: u.info, At: place}
		return r.Uleb(), true
	case dwarfdata.FormData2:
		return uint64(binary.LittleEndian.Uint16(u.info[place:])), true
	case dwarfdata.FormAddr, dwarfdata.FormData8:
		return binary.LittleEndian.Uint64(u.info[place:]), true
	case dwarfdata.FormData1:
		return uint64(u.info[place]), true
	}
	return 0, false
}

func (u *entryUnit) name(e *dieEntry) string {
	form, place, ok := u.attr(e, dwarfdata.AttrName)
	switch {
	case ok && form == dwarfdata.FormStrp:
		r := dwarfdata.Reader{B: u.str, At: int(binary.LittleEndian.Uint32(u.info[place:]))}
		return r.Str()
	case ok && form == dwarfdata.FormString:
		r := dwarfdata.Reader{B: u.info, At: place}
		return r.Str()
	}
	return ""
}

// drop marks the functions that are not in the program, and descriptions of functions that nothing
// refers to then. Nothing is dropped in a unit of which something else refers to them.
func (u *entryUnit) drop() {
	mark := func(which func(e *dieEntry) bool) {
		for i := 0; i < len(u.entries); i++ {
			e := &u.entries[i]
			if u.abbrevs[e.code].tag != dwarfdata.TagSubprogram || e.dropped || !which(e) {
				continue
			}
			for k := i; k < e.next; k++ {
				u.entries[k].dropped = true
			}
			i = e.next - 1
		}
	}
	mark(func(e *dieEntry) bool {
		low, ok := u.value(e, dwarfdata.AttrLowPC)
		return ok && low < firstCode
	})
	used := u.referred()
	mark(func(e *dieEntry) bool {
		if _, ok := u.value(e, dwarfdata.AttrInline); !ok {
			return false
		}
		for k := int(u.at[e.start]) - 1; k < e.next; k++ {
			if used[k] {
				return false
			}
		}
		return true
	})
	for k, is := range u.referred() {
		if is && u.entries[k].dropped {
			for i := range u.entries {
				u.entries[i].dropped = false
			}
			return
		}
	}
}

// referred says to which entries others refer that are not dropped.
func (u *entryUnit) referred() []bool {
	used := make([]bool, len(u.entries))
	for i := range u.entries {
		if e := &u.entries[i]; !e.dropped && u.abbrevs[e.code].refers {
			u.attrs(e, func(a entryAttr, place int) {
				if a.form == dwarfdata.FormRef4 {
					if k, ok := u.find(uint64(binary.LittleEndian.Uint32(u.info[place:]))); ok {
						used[k] = true
					}
				}
			})
		}
	}
	return used
}

// fixup is a reference in out. Its target is by the offset that it had, or, of a type that became a
// typedef and what that is of, the second.
type fixup struct {
	place, target int
	second        bool
}

// write writes the entries that are left.
func (u *entryUnit) write() {
	u.added = map[string]uint64{}
	u.out = append(make([]byte, 0, len(u.info)+len(u.info)/4), u.info[:unitHeader]...)
	moved := make([]uint32, len(u.info))
	second := map[int]uint32{}
	var open []int // ends of entries with children
	for i := 0; i <= len(u.entries); i++ {
		for len(open) > 0 && open[len(open)-1] == i {
			u.out, open = append(u.out, 0), open[:len(open)-1]
		}
		if i == len(u.entries) {
			break
		}
		e := &u.entries[i]
		if e.dropped {
			continue
		}
		moved[e.start] = uint32(len(u.out))
		if held, ok := u.closures[i]; ok {
			u.writeClosure(held)
			i = e.next - 1
			continue
		}
		c := u.change(i)
		if c != nil && c.anew {
			u.writeAnew(e, c)
			second[e.start] = uint32(len(u.out))
			if !c.twice {
				i = e.next - 1
				continue
			}
			c = nil
		}
		u.writeOld(e, c)
		if c != nil && c.childless {
			i = e.next - 1
		} else if u.abbrevs[e.code].children {
			open = append(open, e.next)
		}
	}
	for _, f := range u.fixups {
		place := moved[min(f.target, len(moved)-1)]
		if f.second {
			place = second[f.target]
		}
		binary.LittleEndian.PutUint32(u.out[f.place:], place)
	}
}

// writeOld writes an entry with what it has, and what a change adds, if there is one.
func (u *entryUnit) writeOld(e *dieEntry, c *change) {
	r := &dwarfdata.Reader{B: u.info, At: e.start}
	code := r.Uleb()
	if c != nil {
		code = u.code(c.tag, u.abbrevs[e.code].children && !c.childless, c.allAttrs())
	}
	u.out = binary.AppendUvarint(u.out, code)
	start := len(u.out) - r.At
	u.out = append(u.out, u.info[r.At:e.end]...)
	if u.abbrevs[e.code].refers {
		u.referAgain(e, c, start)
	}
	if c != nil {
		u.writeRest(c)
	}
}

// referAgain notes the references of an entry that stands where it stood, and start.
func (u *entryUnit) referAgain(e *dieEntry, c *change, start int) {
	u.attrs(e, func(a entryAttr, place int) {
		if a.form == dwarfdata.FormRef4 {
			second := c != nil && c.toWords && a.attr == dwarfdata.AttrType
			u.fixups = append(u.fixups, fixup{start + place, int(binary.LittleEndian.Uint32(u.info[place:])), second})
		}
	})
}

// writeAnew writes an entry that has only its name of what it had.
func (u *entryUnit) writeAnew(e *dieEntry, c *change) {
	name, ok := u.text(e)
	if !ok {
		name = []byte{0, 0, 0, 0}
	}
	attrs := c.allAttrs()
	if c.twice {
		attrs = append(attrs, entryAttr{dwarfdata.AttrType, dwarfdata.FormRef4})
	}
	u.out = append(binary.AppendUvarint(u.out, u.code(c.tag, false, attrs)), name...)
	u.writeRest(c)
	if c.twice {
		u.fixups = append(u.fixups, fixup{len(u.out), e.start, true})
		u.out = append(u.out, 0, 0, 0, 0)
	}
}

func (u *entryUnit) writeRest(c *change) {
	u.out = append(u.out, c.extra...)
	for _, target := range c.refs {
		u.fixups = append(u.fixups, fixup{len(u.out), target, false})
		u.out = append(u.out, 0, 0, 0, 0)
	}
}

// allAttrs are the attributes of the changed entry.
func (c *change) allAttrs() []entryAttr {
	all := append([]entryAttr(nil), c.attrs...)
	for _, a := range c.refAttrs {
		all = append(all, entryAttr{a, dwarfdata.FormRef4})
	}
	return all
}
