// Package typical knows which definitions of the standard library are in programs of common kinds.
//
// The build puts definitions of a package into chunks by that, so that most programs need few
// chunks, and nearly all of what is in them (internal/chunk). It is a guess. Whatever a program
// needs is compiled, and what the list does not know, as names of newer releases, counts as rare.
// A list is better than the order of sources, and than the references between functions: functions
// are used in small groups that nothing in their package tells of.
//
// The kinds are the programs in testdata/programs. One prints a line, one is an HTTP server of ten
// lines, one a service with a client, JSON and templates, and one a command that works with files.
// `go run ./internal/typical/list` makes names.bin of what these reach.
package typical

import (
	_ "embed"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sync"
)

// Classes is how many classes there are.
const Classes = 4

//go:embed names.bin
var data []byte

// names has the hashes of the symbols of each class but the last, sorted. The file has them class
// by class, each list behind its length.
var names = sync.OnceValue(func() (lists [Classes - 1][]uint32) {
	rest := data
	take := func() uint32 {
		n := binary.LittleEndian.Uint32(rest)
		rest = rest[4:]
		return n
	}
	for c := range lists {
		lists[c] = make([]uint32, take())
		for i := range lists[c] {
			lists[c][i] = take()
		}
	}
	return lists
})

// Hash is what stands for a symbol in the list.
func Hash(symbol string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(symbol))
	return h.Sum32()
}

// Class is the class of a symbol: 0 if all programs have it, 1 if network servers do, 2 if services
// or commands do, and 3 for the others.
func Class(symbol string) int {
	h := Hash(symbol)
	for c, list := range names() {
		if _, ok := slices.BinarySearch(list, h); ok {
			return c
		}
	}
	return Classes - 1
}
