package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Interface tables that the compiler could not make statically are built here, once per pair of
// interface and dynamic type, and kept for ever in an open-addressed hash table. Readers take no
// lock: entries go from nil to an itab and never change, and a grown table is published whole. An
// itab without functions (Fun[0] == 0) remembers that the type does not implement the interface.

type itabTable struct {
	mask    uintptr
	count   uintptr
	entries unsafe.Pointer // *[mask+1]*abi.ITab
}

var itabs struct {
	lock  sys.Mutex // held to add
	table atomic.Pointer[itabTable]
}

const itabFirstSize = 256

func newItabTable(size uintptr) *itabTable {
	t := (*itabTable)(heap.Permanent(unsafe.Sizeof(itabTable{}), 8, true))
	t.mask = size - 1
	t.entries = heap.Permanent(size*8, 8, true)
	return t
}

func (t *itabTable) entry(i uintptr) *unsafe.Pointer {
	return (*unsafe.Pointer)(add(t.entries, (i&t.mask)*8))
}

// itabHash mixes the addresses, which do not change, in their upper bits.
func itabHash(inter *abi.InterfaceType, t *abi.Type) uintptr {
	h := uint64(uintptr(unsafe.Pointer(inter)))>>3*31 + uint64(uintptr(unsafe.Pointer(t)))>>3
	return uintptr(h * 0x9E3779B97F4A7C15 >> 32)
}

// find returns the table's itab of the pair or nil. Any thread, any stack.
func (t *itabTable) find(inter *abi.InterfaceType, typ *abi.Type) *abi.ITab {
	for i := itabHash(inter, typ); ; i++ {
		m := (*abi.ITab)(atomic.LoadPointer(t.entry(i)))
		if m == nil || m.Inter == inter && m.Type == typ {
			return m
		}
	}
}

// insert adds m, whose pair is not there. itabs.lock is held.
func (t *itabTable) insert(m *abi.ITab) {
	i := itabHash(m.Inter, m.Type)
	for *t.entry(i) != nil {
		i++
	}
	atomic.StorePointer(t.entry(i), unsafe.Pointer(m))
	t.count++
}

// getitab returns the itab of the pair, one without functions if typ does not implement inter.
func getitab(inter *abi.InterfaceType, typ *abi.Type) *abi.ITab {
	if m := knownItab(inter, typ); m != nil {
		return m
	}
	return addItab(inter, typ)
}

// knownItab is getitab for pairs that were asked for before; nil for others.
func knownItab(inter *abi.InterfaceType, typ *abi.Type) *abi.ITab {
	if t := itabs.table.Load(); t != nil {
		return t.find(inter, typ)
	}
	return nil
}

//go:noinline
func addItab(inter *abi.InterfaceType, typ *abi.Type) *abi.ITab {
	size := unsafe.Sizeof(abi.ITab{}) + uintptr(len(inter.Methods)-1)*8
	m := (*abi.ITab)(heap.Permanent(size, 8, true))
	m.Inter, m.Type, m.Hash = inter, typ, typ.Hash
	matchMethods(inter, typ, unsafe.Slice(&m.Fun[0], len(inter.Methods)))

	itabs.lock.Lock()
	t := itabs.table.Load()
	if t == nil {
		t = newItabTable(itabFirstSize)
		itabs.table.Store(t)
	}
	if other := t.find(inter, typ); other != nil {
		// Another thread was faster; ours is a small leak that happens once a pair at most.
		itabs.lock.Unlock()
		return other
	}
	if t.count >= (t.mask+1)/4*3 {
		grown := newItabTable(2 * (t.mask + 1))
		for i := uintptr(0); i <= t.mask; i++ {
			if e := (*abi.ITab)(*t.entry(i)); e != nil {
				grown.insert(e)
			}
		}
		itabs.table.Store(grown)
		t = grown
	}
	t.insert(m)
	itabs.lock.Unlock()
	return m
}

// matchMethods stores the code of each of the interface's methods in funs, unless that is nil. It
// returns the name of the first method that typ lacks, in which case funs[0] stays as it was. Both
// method lists are sorted by name, so one pass over each suffices.
func matchMethods(inter *abi.InterfaceType, typ *abi.Type, funs []uintptr) (missing string) {
	var have []abi.Method
	var typPkg string
	if u := typ.Uncommon(); u != nil {
		have = u.Methods()
		typPkg = resolveName(unsafe.Pointer(typ), u.PkgPath).Name()
	}
	var first uintptr
	j := 0
	for i := range inter.Methods {
		want := &inter.Methods[i]
		wantName := resolveName(unsafe.Pointer(inter), want.Name)
		name := wantName.Name()
		for j < len(have) && !implements(typ, &have[j], typPkg, want, wantName, inter) {
			j++
		}
		if j == len(have) {
			return name
		}
		code := uintptr(resolveOff(unsafe.Pointer(typ), int32(have[j].Ifn)))
		if code == 0 {
			code = codeOf(uncalledMethod)
		}
		if i == 0 {
			first = code
		} else if funs != nil {
			funs[i] = code
		}
		j++
	}
	if funs != nil {
		// Last: a nonzero first word says that the whole table is valid.
		funs[0] = first
	}
	return ""
}

// uncalledMethod is in the place of methods whose functions the link has left out: the program has
// no call of such a method.
func uncalledMethod() { throw("call of a method that the program does not have") }

func codeOf(f func()) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// implements reports whether method have of typ, a type of package typPkg, is the interface's
// method want.
func implements(typ *abi.Type, have *abi.Method, typPkg string, want *abi.Imethod, wantName abi.Name, inter *abi.InterfaceType) bool {
	if resolveType(unsafe.Pointer(typ), have.Mtyp) != resolveType(unsafe.Pointer(inter), want.Typ) {
		return false
	}
	name := resolveName(unsafe.Pointer(typ), have.Name)
	if name.Name() != wantName.Name() {
		return false
	}
	if name.IsExported() {
		return true
	}
	// Unexported names are the same only within one package.
	wantPkg := namePkgPath(wantName)
	if wantPkg == "" {
		wantPkg = inter.PkgPath.Name()
	}
	if p := namePkgPath(name); p != "" {
		typPkg = p
	}
	return typPkg == wantPkg
}

// remember keeps m in the word of a place in compiled code that looks there first. A place that
// sees several types keeps what it has, most of the time: the word is shared by all threads. The
// turn may be another thread's if this goroutine moves meanwhile, which does no harm.
func remember(cache *unsafe.Pointer, m *abi.ITab) {
	if cache == nil {
		return
	}
	t := sys.Self()
	t.Turn++
	if have := (*abi.ITab)(atomic.LoadPointer(cache)); have.Inter == nil || t.Turn&31 == 0 {
		atomic.StorePointer(cache, unsafe.Pointer(m))
	}
}

// assertE2I2 returns the itab with which a value of dynamic type t converts to inter, or nil. t may
// be nil. word and other are the words of the calling code that may remember the itab and do not,
// nil if it has none.
func assertE2I2(inter *abi.InterfaceType, t *abi.Type, word, other *unsafe.Pointer) *abi.ITab {
	if t == nil {
		return nil
	}
	m := knownItab(inter, t)
	if m == nil { // in a function of its own: this one needs no registers to be saved
		return assertNew(inter, t, word, other)
	}
	// Types that want the same word have others besides.
	if word != nil && (*abi.ITab)(atomic.LoadPointer(word)).Inter != nil && (*abi.ITab)(atomic.LoadPointer(other)).Inter == nil {
		word = other
	}
	remember(word, m)
	if m.Fun[0] != 0 {
		return m
	}
	return nil
}

//go:noinline
func assertNew(inter *abi.InterfaceType, t *abi.Type, word, other *unsafe.Pointer) *abi.ITab {
	addItab(inter, t)
	return assertE2I2(inter, t, word, other)
}

// assertE2I is assertE2I2 that panics instead of returning nil.
func assertE2I(inter *abi.InterfaceType, t *abi.Type, cache *unsafe.Pointer) *abi.ITab {
	if t == nil {
		panicnildottype(&inter.Type)
	}
	m := getitab(inter, t)
	if m.Fun[0] == 0 {
		lacksMethod(inter, t)
	}
	remember(cache, m)
	return m
}

// lacksMethod is two functions, as panicmakeslicelen.
func lacksMethod(inter *abi.InterfaceType, t *abi.Type) { paniclacks(inter, t) }

func paniclacks(inter *abi.InterfaceType, t *abi.Type) {
	panic(&TypeAssertionError{target: &inter.Type, dynamic: t, lacks: matchMethods(inter, t, nil)})
}

func panicdottypeE(have, want, iface *abi.Type) {
	panic(&TypeAssertionError{target: want, dynamic: have, operand: iface})
}

func panicnildottype(want *abi.Type) { panic(&TypeAssertionError{target: want}) }

// ifaceE2I converts src to the interface type inter and stores it at dst; panics if it cannot.
func ifaceE2I(inter *abi.InterfaceType, src any, dst unsafe.Pointer) {
	e := efaceOf(&src)
	*(*abi.NonEmptyInterface)(dst) = abi.NonEmptyInterface{ITab: assertE2I(inter, &e.typ.Type, nil), Data: e.data}
}

//go:linkname reflect_ifaceE2I reflect.ifaceE2I
func reflect_ifaceE2I(inter *abi.InterfaceType, src any, dst unsafe.Pointer) {
	ifaceE2I(inter, src, dst)
}

//go:linkname reflectlite_ifaceE2I internal/reflectlite.ifaceE2I
func reflectlite_ifaceE2I(inter *abi.InterfaceType, src any, dst unsafe.Pointer) {
	ifaceE2I(inter, src, dst)
}
