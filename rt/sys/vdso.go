package sys

import "unsafe"

// The vDSO is a small ELF shared object that the kernel maps into each process.
// Its dynamic section leads to symbol, string and hash tables; the number of
// symbols is the chain count of DT_HASH, or is found by walking DT_GNU_HASH
// (newer kernels have dropped DT_HASH).

const (
	ptLoad    = 1
	ptDynamic = 2

	dtHash    = 4
	dtStrtab  = 5
	dtSymtab  = 6
	dtGnuHash = 0x6ffffef5
)

// vdsoRandom is the address of __vdso_getrandom, 0 if there is none or if it does not say what it
// needs.
var vdsoRandom uintptr

func word32(p uintptr) uint32  { return *(*uint32)(Ptr(p)) }
func word64(p uintptr) uintptr { return *(*uintptr)(Ptr(p)) }

// vdsoSymbol returns the address of a function in the ELF image at base, 0 if
// it is not there.
func vdsoSymbol(base uintptr, name string) uintptr {
	phoff := word64(base + 32)
	phnum := uintptr(*(*uint16)(Ptr(base + 56)))
	var load, dyn uintptr
	foundLoad := false
	for i := uintptr(0); i < phnum; i++ {
		ph := base + phoff + i*56
		switch word32(ph) {
		case ptLoad:
			if !foundLoad {
				foundLoad = true
				load = base + word64(ph+8) - word64(ph+16)
			}
		case ptDynamic:
			dyn = base + word64(ph+8)
		}
	}
	if !foundLoad || dyn == 0 {
		return 0
	}
	var strtab, symtab, hash, gnu uintptr
	for d := dyn; word64(d) != 0; d += 16 {
		v := load + word64(d+8)
		switch word64(d) {
		case dtStrtab:
			strtab = v
		case dtSymtab:
			symtab = v
		case dtHash:
			hash = v
		case dtGnuHash:
			gnu = v
		}
	}
	if strtab == 0 || symtab == 0 {
		return 0
	}
	n := uint32(0)
	if hash != 0 {
		n = word32(hash + 4)
	} else if gnu != 0 {
		n = gnuSymbols(gnu)
	}
	for i := uint32(0); i < n; i++ {
		sym := symtab + uintptr(i)*24
		if *(*uint16)(Ptr(sym + 6)) != 0 && CString((*byte)(Ptr(strtab+uintptr(word32(sym))))) == name {
			return load + word64(sym+8)
		}
	}
	return 0
}

// gnuSymbols counts the symbols of a DT_GNU_HASH table: the end of the chain
// that starts highest.
func gnuSymbols(g uintptr) uint32 {
	nbuckets, first, bloom := word32(g), word32(g+4), word32(g+8)
	buckets := g + 16 + uintptr(bloom)*8
	chains := buckets + uintptr(nbuckets)*4
	last := uint32(0)
	for i := uint32(0); i < nbuckets; i++ {
		if b := word32(buckets + uintptr(i)*4); b > last {
			last = b
		}
	}
	if last < first {
		return first
	}
	for word32(chains+uintptr(last-first)*4)&1 == 0 {
		last++
	}
	return last + 1
}

var _ unsafe.Pointer
