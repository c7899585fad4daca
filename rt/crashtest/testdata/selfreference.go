package main

import (
	"fmt"
	"os"
	"runtime"
)

// Cleanups that keep their object alive.

type T struct {
	p *byte
	f int
}

func try(what string, add func()) {
	defer func() { fmt.Println(what, recover()) }()
	add()
}

func main() {
	v := &T{}
	file := os.Stdout
	number := uint64(7)
	try("argument", func() { runtime.AddCleanup(v, func(*T) {}, v) })
	try("field", func() { runtime.AddCleanup(v, func(*int) {}, &v.f) })
	try("variable", func() { runtime.AddCleanup(v, func(int) { println(v.f) }, 0) })
	try("number", func() { runtime.AddCleanup(v, func(int) { println(number) }, 0) })
	try("other", func() { runtime.AddCleanup(v, func(int) { fmt.Fprintln(file, number) }, 0) })
	runtime.KeepAlive(v)
}
