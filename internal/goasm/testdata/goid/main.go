// Goid asks for the ids of goroutines as packages do that know gc's g. It prints the same under both compilers.
package main

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"unsafe"
)

func address() uintptr
func id() uint64
func checked(f func()) uint64

func call(f func()) { f() }

// traced is the id that a traceback shows.
func traced() uint64 {
	var buf [64]byte
	fields := bytes.Fields(buf[:runtime.Stack(buf[:], false)])
	n, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

//go:nocheckptr
func field(g uintptr) uint64 { return *(*uint64)(unsafe.Pointer(g + 152)) }

//go:linkname typelinks reflect.typelinks
func typelinks() (sections []unsafe.Pointer, offsets [][]int32)

//go:linkname resolveTypeOff reflect.resolveTypeOff
func resolveTypeOff(section unsafe.Pointer, offset int32) unsafe.Pointer

// typeOf is the type of that name, from the list of pointers to types.
func typeOf(name string) reflect.Type {
	sections, offsets := typelinks()
	for i, list := range offsets {
		for _, offset := range list {
			var v any = 0
			*(*unsafe.Pointer)(unsafe.Pointer(&v)) = resolveTypeOff(sections[i], offset)
			if t := reflect.TypeOf(v); t.String() == "*"+name {
				return t.Elem()
			}
		}
	}
	panic("no type " + name)
}

// fields reads what packages for goroutine-local storage do, at the places that g's type says.
func fields() {
	g := typeOf("runtime.g")
	at := func(field string) unsafe.Pointer {
		f, ok := g.FieldByName(field)
		if !ok {
			panic("no field " + field)
		}
		return unsafe.Pointer(address() + f.Offset)
	}
	fmt.Println("id", *(*uint64)(at("goid")) == id())
	fmt.Println("made by", runtime.FuncForPC(*(*uintptr)(at("gopc"))-1).Name())
	before := *(*unsafe.Pointer)(at("labels"))
	pprof.Do(context.Background(), pprof.Labels("a", "b"), func(context.Context) {
		fmt.Println("labels", before == nil, *(*unsafe.Pointer)(at("labels")) != nil)
	})
	fault := (*bool)(at("paniconfault"))
	debug.SetPanicOnFault(true)
	fmt.Println("panic on fault", *fault)
	*fault = false
	fmt.Println("panic on fault", debug.SetPanicOnFault(false))
}

func main() {
	done := make(chan bool)
	go func() {
		fields()
		close(done)
	}()
	<-done
	fmt.Println(id(), field(address()), checked(runtime.Gosched))
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			want := traced()
			g := address()
			for range 5 {
				if got := id(); got != want {
					panic(fmt.Sprint(got, " for ", want))
				}
				if got := checked(runtime.Gosched); got != want {
					panic(fmt.Sprint(got, " after a call for ", want))
				}
				if got := field(g); got != want {
					panic(fmt.Sprint(got, " in g for ", want))
				}
			}
		})
	}
	wg.Wait()
}
