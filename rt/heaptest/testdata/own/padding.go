// Keys of a map and values in a channel that have padding: what the stack had in its place must not come along, as it may be most of
// a pointer. Reflection shows copies of keys as they lie in the map.
package main

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"
)

type key struct {
	kind uint8
	n    int64
}

type mixed struct {
	a, b bool
	f    float32
	i    int16
	p    *int
}

var sink [8]int

// dirty leaves pointers on the stack.
//
//go:noinline
func dirty(n int) (sum int) {
	var all [64]*int
	for i := range all {
		all[i] = &sink[i%8]
	}
	for i := range all {
		sum += *all[(i+n)%64]
	}
	return sum
}

//go:noinline
func makeKey(kind uint8, n int64) key { return key{kind, n} }

//go:noinline
func makeMixed(i int) mixed { return mixed{true, i%2 == 0, float32(i), int16(-i), &sink[i%8]} }

func main() {
	keys, others := map[key]int{}, map[mixed]int{}
	for i := range 100 {
		dirty(i)
		keys[makeKey(uint8(i), int64(i))] = i
		dirty(i)
		others[makeMixed(i)] = i
	}
	bad := 0
	for _, k := range reflect.ValueOf(keys).MapKeys() {
		if memory(k)[0]>>8 != 0 {
			bad++
		}
	}
	for _, k := range reflect.ValueOf(others).MapKeys() {
		if w := memory(k); w[0]>>16&0xffff != 0 || w[1]>>16 != 0 {
			bad++
		}
	}
	if fmt.Println(bad, "of 200 keys with something in their padding"); bad != 0 {
		os.Exit(1)
	}
}

// memory returns the words of v's value.
func memory(v reflect.Value) *[3]uint64 {
	return (*[3]uint64)((*[3]unsafe.Pointer)(unsafe.Pointer(&v))[1])
}
