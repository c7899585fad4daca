package goasm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The official toolchain's object format, as GOROOT/src/cmd/internal/goobj documents it. The
// assembler's output begins with two lines of text; then come a header with the offsets of the
// blocks, and the blocks: tables of fixed-size entries, and the data.

const objectMagic = "\x00go120ld"

// Blocks, in the header's order.
const (
	blkAutolib = iota
	blkPkgIdx
	blkFile
	blkSymdef
	blkHashed64def
	blkHasheddef
	blkNonpkgdef
	blkNonpkgref
	blkRefFlags
	blkHash64
	blkHash
	blkRelocIdx
	blkAuxIdx
	blkDataIdx
	blkReloc
	blkAux
	blkData
	blkRefName
	blkEnd
	numBlocks
)

const (
	symSize   = 8 + 2 + 1 + 1 + 1 + 4 + 4
	relocSize = 4 + 1 + 2 + 8 + 8
	fileSize  = 4 + 4
	auxSize   = 1 + 8

	// symbols that belong to no package: the index runs through definitions, then references
	pkgNone     = 1<<31 - 1
	pkgHashed64 = pkgNone - 1
	pkgHashed   = pkgNone - 2
	pkgBuiltin  = pkgNone - 3 // functions that gc's compiler knows: here only what stack checks call
	pkgSelf     = pkgNone - 4

	flagDupOK = 1

	abiStatic    = 1<<16 - 1
	abi0         = 0
	abiInternal  = 1
	auxFuncInfo  = 1
	auxSPTable   = 7 // how far below its place at entry the stack pointer is at each instruction
	auxFileTable = 8 // which file each instruction is from
	auxLineTable = 9
)

// Kinds of symbols and relocations that assembly for amd64 has.
const (
	kindText          = 1
	kindTextFIPS      = 2
	kindROData        = 3
	kindRODataFIPS    = 4
	kindNoptrData     = 5
	kindNoptrDataFIPS = 6
	kindData          = 7
	kindDataFIPS      = 8
	kindBSS           = 9
	kindNoptrBSS      = 10

	relAddr    = 1
	relCall    = 7
	relCallInd = 10
	relPCRel   = 14
	relTLSLE   = 15
)

// A symbol is one definition or reference of an object.
type symbol struct {
	name    string
	abi     uint16
	kind    uint8
	defined bool
	size    int64
	align   int64
	data    []byte
	relocs  []reloc
	locals  int64 // bytes of a function's frame
	args    int64 // bytes of its arguments and results, negative if the source does not say
	start   int   // line of its TEXT directive
	rows    []row // where its code is from
	depths  []depth
	content bool // named by its content: wherever it is defined, it is the same
	dup     bool // other objects may define it too (DUPOK); any of them will do
}

// moreStack stands for the function that a stack check calls when the frame does not fit.
var moreStack = &symbol{name: "runtime.morestack"}

func (s *symbol) text() bool { return s.kind == kindText || s.kind == kindTextFIPS }

// A reloc is a place in a symbol's data that depends on another's address.
type reloc struct {
	off  int64
	size int
	kind int
	add  int64
	sym  *symbol
}

// reader takes an object apart. Its methods panic with errTruncated when an offset lies
// outside; parseObject turns that into an error.
type reader struct {
	b       []byte
	offsets [numBlocks]uint32
}

var errTruncated = errors.New("truncated object")

func (r *reader) at(off, n uint32) []byte {
	if uint64(off)+uint64(n) > uint64(len(r.b)) {
		panic(errTruncated)
	}
	return r.b[off : off+n]
}

func (r *reader) u32(off uint32) uint32 { return binary.LittleEndian.Uint32(r.at(off, 4)) }

func (r *reader) count(blk int, size uint32) int {
	return int((r.offsets[blk+1] - r.offsets[blk]) / size)
}

// parseObject returns the symbols that the assembler defined, and through their relocations
// those that they refer to.
func parseObject(b []byte) (defs []*symbol, err error) {
	_, rest, ok := strings.Cut(string(b), "\n!\n")
	if !ok || !strings.HasPrefix(rest, objectMagic) {
		return nil, errors.New("the assembler's output is not an object of a known format")
	}
	defer func() {
		if e := recover(); e == errTruncated {
			defs, err = nil, errTruncated
		} else if e != nil {
			panic(e)
		}
	}()
	r := &reader{b: []byte(rest)}
	off := uint32(len(objectMagic) + 8 + 4)
	for i := range r.offsets {
		r.offsets[i] = r.u32(off + uint32(4*i))
	}
	return r.symbols()
}

func (r *reader) symbols() ([]*symbol, error) {
	// Definitions are numbered through these blocks; references only by their own.
	blocks := []int{blkSymdef, blkHashed64def, blkHasheddef, blkNonpkgdef, blkNonpkgref}
	byBlock := map[int][]*symbol{}
	var defs []*symbol
	for _, blk := range blocks {
		for i := range r.count(blk, symSize) {
			s := r.symbol(r.offsets[blk] + uint32(i)*symSize)
			byBlock[blk] = append(byBlock[blk], s)
			if blk != blkNonpkgref {
				s.defined = true
				s.content = blk == blkHashed64def || blk == blkHasheddef
				defs = append(defs, s)
			}
		}
	}
	nonpkg := append(append([]*symbol{}, byBlock[blkNonpkgdef]...), byBlock[blkNonpkgref]...)
	find := func(pkg, i uint32) (*symbol, error) {
		var list []*symbol
		switch pkg {
		case pkgNone:
			list = nonpkg
		case pkgSelf:
			list = byBlock[blkSymdef]
		case pkgHashed:
			list = byBlock[blkHasheddef]
		case pkgHashed64:
			list = byBlock[blkHashed64def]
		case pkgBuiltin:
			return moreStack, nil
		case 0:
			return nil, nil
		}
		if int(i) >= len(list) {
			return nil, fmt.Errorf("object refers to symbol %d of package %d", i, pkg)
		}
		return list[i], nil
	}
	for i, s := range defs {
		if err := r.fill(s, uint32(i), find); err != nil {
			return nil, err
		}
	}
	return defs, nil
}

// symbol reads an entry of a table of symbols.
func (r *reader) symbol(off uint32) *symbol {
	e := r.at(off, symSize)
	name := string(r.at(binary.LittleEndian.Uint32(e[4:]), binary.LittleEndian.Uint32(e)))
	return &symbol{name: name, abi: binary.LittleEndian.Uint16(e[8:]), kind: e[10], dup: e[11]&flagDupOK != 0,
		size: int64(binary.LittleEndian.Uint32(e[13:])), align: int64(binary.LittleEndian.Uint32(e[17:]))}
}

// fill reads data, relocations, sizes and positions of definition i.
func (r *reader) fill(s *symbol, i uint32, find func(pkg, i uint32) (*symbol, error)) error {
	s.data = r.data(i)
	first, last := r.u32(r.offsets[blkRelocIdx]+4*i), r.u32(r.offsets[blkRelocIdx]+4*i+4)
	for k := first; k < last; k++ {
		e := r.at(r.offsets[blkReloc]+k*relocSize, relocSize)
		to, err := find(binary.LittleEndian.Uint32(e[15:]), binary.LittleEndian.Uint32(e[19:]))
		if err != nil {
			return err
		}
		s.relocs = append(s.relocs, reloc{off: int64(int32(binary.LittleEndian.Uint32(e))), size: int(e[4]),
			kind: int(binary.LittleEndian.Uint16(e[5:])), add: int64(binary.LittleEndian.Uint64(e[7:])), sym: to})
	}
	var depths, files, lines []byte
	first, last = r.u32(r.offsets[blkAuxIdx]+4*i), r.u32(r.offsets[blkAuxIdx]+4*i+4)
	for k := first; k < last; k++ {
		e := r.at(r.offsets[blkAux]+k*auxSize, auxSize)
		switch e[0] {
		case auxFuncInfo, auxSPTable, auxFileTable, auxLineTable:
		default:
			continue
		}
		n, err := r.number(binary.LittleEndian.Uint32(e[1:]), binary.LittleEndian.Uint32(e[5:]))
		if err != nil {
			return err
		}
		switch info := r.data(n); e[0] {
		case auxSPTable:
			depths = info
		case auxFileTable:
			files = info
		case auxLineTable:
			lines = info
		default: // words: size of the arguments, size of the frame, two flags, first line, ...
			if len(info) < 16 {
				return errTruncated
			}
			s.args = int64(int32(binary.LittleEndian.Uint32(info)))
			s.locals = int64(int32(binary.LittleEndian.Uint32(info[4:])))
			s.start = int(int32(binary.LittleEndian.Uint32(info[12:])))
		}
	}
	for t := (pcTable{rest: depths}); t.next(); {
		s.depths = append(s.depths, depth{end: t.until, bytes: t.value})
	}
	var err error
	s.rows, err = r.rows(files, lines)
	return err
}

// number is a definition's place among all definitions.
func (r *reader) number(pkg, i uint32) (uint32, error) {
	base := 0
	for _, b := range []struct {
		pkg uint32
		blk int
	}{{pkgSelf, blkSymdef}, {pkgHashed64, blkHashed64def}, {pkgHashed, blkHasheddef}, {pkgNone, blkNonpkgdef}} {
		if pkg == b.pkg {
			return uint32(base) + i, nil
		}
		base += r.count(b.blk, symSize)
	}
	return 0, fmt.Errorf("object refers to package %d for a function's description", pkg)
}

func (r *reader) data(i uint32) []byte {
	first, last := r.u32(r.offsets[blkDataIdx]+4*i), r.u32(r.offsets[blkDataIdx]+4*i+4)
	if last < first {
		panic(errTruncated)
	}
	return r.at(r.offsets[blkData]+first, last-first)
}
