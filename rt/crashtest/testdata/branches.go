package main

import (
	"fmt"
	"os"
	"runtime"
)

type L struct{ x int }

func (l *L) output(pc uintptr, d int, f func([]byte) []byte) {
	var file string
	var line int
	if pc == 0 {
		var ok bool
		_, file, line, ok = runtime.Caller(d)
		if !ok {
			file = "?"
		}
	}
	b := f(nil)
	fmt.Println(file[len(file)-5:], line, string(b))
}

var std = &L{}

func Printf(format string, v ...any) {
	std.output(0, 2, func(b []byte) []byte { return fmt.Appendf(b, format, v...) })
}
func Println(v ...any) { std.output(0, 2, func(b []byte) []byte { return fmt.Append(b, v...) }) }
func testPrint(useFormat bool) {
	if useFormat {
		Printf("hello %d", 3)
	} else {
		Println("hello", 23)
	}
}
func main() {
	for range 2 {
		testPrint(len(os.Args) > 1)
		testPrint(true)
	}
}
