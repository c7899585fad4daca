package heap

import (
	"math/bits"
	"unsafe"
)

// How specials hang on a span: in a table by their offset, each place of which holds those of one
// width of offsets, sorted. The table grows with their number, so a search looks at a few of them,
// whatever order the program attaches them in; and a walk takes them in the order of their
// addresses. A span with one or two has no table but the place in itself. The span's lock for
// specials guards all of it.

// special is what is known of one. It fills a cache line.
type special struct {
	next *special
	key  uintptr        // the offset within the span of the address it was attached with, and the kind
	fn   unsafe.Pointer // finalizer, cleanup: closure; sample: the *bucket
	arg  uintptr        // cleanup: its identity; weak, outside: the handle's address
	info FinalizerInfo
}

// FinalizerInfo is what the runtime needs to call a finalizer, and to tell of it or of a cleanup;
// opaque here. The words are kept as they are and are not roots, so they must point at static data.
type FinalizerInfo struct {
	ArgType  uintptr // the type of the pointer with which it was attached
	FuncType uintptr // of the finalizer; 0: a cleanup
	Code     uintptr // of the cleanup, whose function is a closure that calls it
	Site     uintptr // where it was attached: an address as Callers has it; 0: not asked for
}

const kindBits = 3

func specialKey(offset uintptr, kind uint8) uintptr { return offset<<kindBits | uintptr(kind) }

func (sp *special) offset() uintptr  { return sp.key >> kindBits }
func (sp *special) kind() uint8      { return uint8(sp.key & (1<<kindBits - 1)) }
func (sp *special) handle() *uintptr { return (*uintptr)(ptr(sp.arg)) }

const (
	// A table has so many specials for each place at most, and grows to as many times the places.
	specialsAPlace = 2
	tableGrowth    = 2 // log
	// It shrinks if it has less than one for so many places.
	placesASpecial = 32
	// leastWidth is the log of the least width of a place.
	leastWidth = 3
)

// specialTable is the part of a span that has its specials.
type specialTable struct {
	places uintptr  // array of *special, 1<<log of them; 0: that is own
	own    *special // the only place of a span with few
	hint   *special // the last that was attached, if it is still there
	n      uintptr  // how many there are
	log    uint8
	width  uint8 // of a place: the log
}

// specialTables are those that are not in use, by their log, linked by their first words. Guarded
// by records.lock.
var specialTables [48]uintptr

func (t *specialTable) place(i uintptr) **special {
	if t.places == 0 {
		return &t.own
	}
	return (**special)(ptr(t.places + i*8))
}

// placeOf is the number of the place for an offset.
func (t *specialTable) placeOf(offset uintptr) uintptr {
	if t.places == 0 {
		return 0
	}
	return offset >> t.width
}

// used is how many places there are for a span of so many bytes.
func (t *specialTable) used(extent uintptr) uintptr { return t.placeOf(extent-1) + 1 }

// find returns where the link to the first special with that key or a greater one of its place is.
func (t *specialTable) find(key uintptr) **special {
	i := t.placeOf(key >> kindBits)
	link := t.place(i)
	// Objects are mostly allocated in the order of their addresses, and specials follow soon.
	if h := t.hint; h != nil && h.key < key && t.placeOf(h.offset()) == i {
		link = &h.next
	}
	for *link != nil && (*link).key < key {
		link = &(*link).next
	}
	return link
}

// has reports whether there is a special with that key.
func (t *specialTable) has(key uintptr) bool {
	sp := *t.find(key)
	return sp != nil && sp.key == key
}

// insert links sp in at the place that find has found for its key.
func (t *specialTable) insert(link **special, sp *special) {
	sp.next = *link
	*link, t.hint = sp, sp
	t.n++
}

// remove unlinks *link and returns it.
func (t *specialTable) remove(link **special) *special {
	sp := *link
	*link = sp.next
	if t.hint == sp {
		t.hint = nil
	}
	t.n--
	return sp
}

// each calls f for all specials of a span of so many bytes, in the order of their offsets.
func (t *specialTable) each(extent uintptr, f func(sp *special)) {
	if t.n == 0 {
		return
	}
	for i, used := uintptr(0), t.used(extent); i < used; i++ {
		for sp := *t.place(i); sp != nil; sp = sp.next {
			f(sp)
		}
	}
}

// fit gives a table that has become too small or much too large another size.
func (t *specialTable) fit(extent uintptr) {
	log := t.log
	switch {
	case t.n > specialsAPlace<<log:
		for t.n > specialsAPlace<<log {
			log += tableGrowth
		}
	case t.n*placesASpecial < 1<<log:
		for t.n*placesASpecial < 1<<log && log > 0 {
			log -= min(log, tableGrowth)
		}
	default:
		return
	}
	if most := uint8(bits.Len64(uint64(extent-1) >> leastWidth)); log > most {
		log = most
	}
	if log != t.log {
		t.resize(log, extent)
	}
}

// resize moves the specials to a table of 1<<log places.
func (t *specialTable) resize(log uint8, extent uintptr) {
	old := *t
	t.places, t.own, t.log, t.width = 0, nil, log, 0
	if log != 0 {
		t.places = takeTable(log)
		t.width = max(uint8(bits.Len64(uint64(extent-1))), log+leastWidth) - log
	}
	last, link := ^uintptr(0), (**special)(nil)
	old.each(extent, func(sp *special) {
		if i := t.placeOf(sp.offset()); i != last {
			if link != nil {
				*link = nil
			}
			last, link = i, t.place(i)
		}
		*link = sp
		link = &sp.next
	})
	if link != nil {
		*link = nil
	}
	dropTable(&old)
}

// release gives up the table of a span without specials.
func (t *specialTable) release() {
	dropTable(t)
	*t = specialTable{}
}

// takeTable returns 1<<log places that hold nothing.
func takeTable(log uint8) uintptr {
	bytes := uintptr(8) << log
	records.lock.Lock()
	p := specialTables[log]
	if p != 0 {
		specialTables[log] = *(*uintptr)(ptr(p))
	}
	records.lock.Unlock()
	if p == 0 {
		return addrOf((*byte)(Permanent(bytes, 64, false)))
	}
	memclr(ptr(p), bytes)
	return p
}

func dropTable(t *specialTable) {
	if t.places == 0 {
		return
	}
	records.lock.Lock()
	*(*uintptr)(ptr(t.places)) = specialTables[t.log]
	specialTables[t.log] = t.places
	records.lock.Unlock()
}

// The records that are not in use are in chains of a few. Each P has one of its own.

// recordChain is how many records a P takes at once.
const recordChain = 32

var records struct {
	lock   mutex
	chains *special // linked by arg
}

// ownRecords are unused records of a P.
type ownRecords struct {
	first   *special
	dropped uintptr // so many at least of the first were given back by the P
}

// take returns a record. The P's owner, pinned.
func (own *ownRecords) take() *special {
	if own.first == nil {
		own.first, own.dropped = takeRecords(), 0
	}
	sp := own.first
	own.first = sp.next
	own.dropped -= min(own.dropped, 1)
	return sp
}

// drop takes a record back. The P's owner, pinned.
func (own *ownRecords) drop(sp *special) {
	sp.fn = nil
	sp.next, own.first = own.first, sp
	if own.dropped++; own.dropped < 2*recordChain {
		return
	}
	last := sp
	for range recordChain - 1 {
		last = last.next
	}
	own.first, last.next = last.next, nil
	own.dropped -= recordChain
	giveChains(sp, sp)
}

// giveBack gives all of them to all: a thread without P keeps none.
func (own *ownRecords) giveBack() {
	if own.first != nil {
		giveChains(own.first, own.first)
	}
	*own = ownRecords{}
}

// takeRecords returns a chain.
func takeRecords() *special {
	records.lock.Lock()
	sp := records.chains
	if sp != nil {
		records.chains = (*special)(ptr(sp.arg))
	}
	records.lock.Unlock()
	if sp != nil {
		return sp
	}
	const size = unsafe.Sizeof(special{})
	sp = (*special)(Permanent(recordChain*size, size, false))
	for r := range uintptr(recordChain - 1) {
		(*special)(unsafe.Add(unsafe.Pointer(sp), r*size)).next = (*special)(unsafe.Add(unsafe.Pointer(sp), (r+1)*size))
	}
	return sp
}

// giveChains gives chains to all that are linked already, the last of which is last.
func giveChains(first, last *special) {
	records.lock.Lock()
	last.arg = addrOf(records.chains)
	records.chains = first
	records.lock.Unlock()
}

// deadRecords gathers the records of a span that are not in use any more.
type deadRecords struct {
	first, last *special // whole chains
	open        *special // the one that becomes longer
	n           uintptr
}

func (d *deadRecords) add(sp *special) {
	sp.fn = nil
	sp.next, d.open = d.open, sp
	if d.n++; d.n == recordChain {
		d.closeChain()
	}
}

func (d *deadRecords) closeChain() {
	d.open.arg = addrOf(d.first)
	if d.first == nil {
		d.last = d.open
	}
	d.first, d.open, d.n = d.open, nil, 0
}

// give gives them to all.
func (d *deadRecords) give() {
	if d.open != nil {
		d.closeChain()
	}
	if d.first != nil {
		giveChains(d.first, d.last)
	}
}
