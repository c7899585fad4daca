package main

import (
	"fmt"
	"reflect"
	"runtime"
)

// Slices of pointers that are moved within themselves while a collection marks: if a goroutine is stopped after a move and before the
// collector is told, what the move has overwritten was the only place where the collector would have found some of the
// pointers.

type thing struct{ tag, index int }

const part = 1 << 21

var things = make([]*thing, 3*part)

func check(from int) (bad int) {
	for i := 0; i < part; i += 64 {
		if t := things[from+i]; t.tag != 12345 || t.index != i {
			bad++
		}
	}
	return bad
}

func main() {
	for i := 0; i < part; i += 64 {
		things[part+i] = &thing{12345, i}
	}
	for range 2 { // so that the goroutine that is preempted waits
		go func() {
			for n := 0; ; n++ {
			}
		}()
	}
	go func() {
		for {
			runtime.GC()
		}
	}()
	var dst, src any = things[part:], things
	bad := 0
	for n := range 60 {
		if n%2 == 0 {
			reflect.Copy(reflect.ValueOf(dst), reflect.ValueOf(src))
		} else {
			copy(things[part:], things)
		}
		bad += check(2 * part)
		copy(things[part:2*part], things[2*part:])
		clear(things[2*part:])
	}
	fmt.Println(bad, check(part))
}
