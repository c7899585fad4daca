//go:build go1.27

// From Go 1.27 on the text of a PanicNilError begins like that of other run-time errors.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	defer func() {
		r := recover()
		_, is := r.(runtime.Error)
		fmt.Printf("%T %v %v\n", r, r, is)
	}()
	panic(nil)
}
