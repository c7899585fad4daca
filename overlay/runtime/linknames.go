package runtime

import (
	"internal/abi"
	"internal/runtime/maps"
	"loam/rt/sched"
	"loam/rt/sys"
	"unsafe"
)

// What well-known modules reach by go:linkname, and what nothing else here needs: codecs walk
// through maps by the names of old (ugorji/go/codec, goccy/go-json, modern-go/reflect2,
// segmentio/encoding, gonum), others want a clock, random numbers, or boxes. Names and signatures
// are theirs. Upstream marks such functions in its sources. Those of goroutines and threads are in
// linksched.go, of functions and their names in linkfuncs.go, of memory in linkmem.go; machine
// code's own way in is in registers.gas. Those that show upstream's own structures are nowhere:
// internal/load refuses programs that want them.

// A foreignIter is memory of the caller, who takes it for a longer structure of earlier releases
// with pointers at these places. Callers read the first two, and that the third is set once the
// iterator is.
type foreignIter struct {
	key, elem unsafe.Pointer // nil at the end
	mapType   *abi.MapType
	iter      *maps.Iter
}

func mapiterinit(t *abi.MapType, m *maps.Map, it *foreignIter) {
	it.mapType = t
	if maplen(m) == 0 {
		return
	}
	it.iter = new(maps.Iter)
	it.iter.Init(t, m)
	mapiternext(it)
}

func mapiternext(it *foreignIter) {
	it.key, it.elem = nil, nil
	if it.iter != nil {
		it.iter.Next()
		it.key, it.elem = it.iter.Key(), it.iter.Elem()
	}
}

//go:linkname reflect_mapiterinit reflect.mapiterinit
func reflect_mapiterinit(t *abi.MapType, m *maps.Map, it *foreignIter) { mapiterinit(t, m, it) }

//go:linkname reflect_mapiternext reflect.mapiternext
func reflect_mapiternext(it *foreignIter) { mapiternext(it) }

//go:linkname reflect_mapiterkey reflect.mapiterkey
func reflect_mapiterkey(it *foreignIter) unsafe.Pointer { return it.key }

//go:linkname reflect_mapiterelem reflect.mapiterelem
func reflect_mapiterelem(it *foreignIter) unsafe.Pointer { return it.elem }

func cheaprand64() int64 { return int64(rand()) }

// cputicks counts steadily; that is all that its callers may expect.
func cputicks() int64 { return sys.Nanotime() }

func procyield(cycles uint32) {
	for range cycles {
		sys.Pause()
	}
}

func goyield() { sched.Gosched() }

// netpollWaiters is rt/netpoll's count of goroutines that are parked on descriptors.
var netpollWaiters uint32

//go:linkname sync_canSpin sync.runtime_canSpin
func sync_canSpin(i int) bool { return internal_canSpin(i) }

//go:linkname sync_doSpin sync.runtime_doSpin
func sync_doSpin() { internal_doSpin() }

//go:linkname internal_canSpin internal/sync.runtime_canSpin
func internal_canSpin(i int) bool

//go:linkname internal_doSpin internal/sync.runtime_doSpin
func internal_doSpin()

// noescape returns p. Its callers hide from escape analysis that way; the object lives on because
// frames are scanned for whatever looks like its address.
func noescape(p unsafe.Pointer) unsafe.Pointer { return p }

func memclrNoHeapPointers(p unsafe.Pointer, n uintptr) { sys.Clear(p, n) }

func memclrHasPointers(p unsafe.Pointer, n uintptr) { sys.Clear(p, n) }

func stringHash(s string, seed uintptr) uintptr { return strhash(unsafe.Pointer(&s), seed) }

// Boxes of interface values.

func convT64(v uint64) unsafe.Pointer { return unsafe.Pointer(&v) }

func convTstring(v string) unsafe.Pointer { return unsafe.Pointer(&v) }

func convTslice(v []byte) unsafe.Pointer { return unsafe.Pointer(&v) }
