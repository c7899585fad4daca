// Types that modules look for by name, in reflect's list of types: pointers to named types were not in it.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"time"
	"unsafe"
)

//go:linkname typelinks reflect.typelinks
func typelinks() (sections []unsafe.Pointer, offsets [][]int32)

//go:linkname resolveTypeOff reflect.resolveTypeOff
func resolveTypeOff(section unsafe.Pointer, offset int32) unsafe.Pointer

type (
	shown          struct{ a int }
	methods        struct{ b string }
	generic[T any] struct{ c T }
)

func (*methods) String() string { return "methods" }

func local() any {
	type inner struct{ d []byte }
	return new(inner)
}

func main() {
	fmt.Println(new(shown), new(methods), new(generic[int]), local(), time.NewTimer(time.Hour) != nil, []shown{})
	wanted := []string{"*main.shown", "*main.methods", "*main.generic[int]", "*main.inner", "*time.Timer", "*time.Time", "[]main.shown", "[]string"}
	found := map[string]reflect.Type{}
	sections, offsets := typelinks()
	for i, list := range offsets {
		at := func(k int) reflect.Type {
			var v any = 0
			*(*unsafe.Pointer)(unsafe.Pointer(&v)) = resolveTypeOff(sections[i], list[k])
			return reflect.TypeOf(v)
		}
		// As those modules search: by halves.
		for _, name := range wanted {
			k := sort.Search(len(list), func(k int) bool { return at(k).String() >= name })
			if k < len(list) && at(k).String() == name {
				found[name] = at(k)
			}
		}
	}
	for _, name := range wanted {
		t := found[name]
		fmt.Println(name, t != nil)
		if t != nil && t.Kind() == reflect.Pointer {
			fmt.Println("\t", t.Elem().Name(), t.Elem().PkgPath(), t.Elem().NumField(), reflect.PointerTo(t.Elem()) == t)
		}
	}
}
