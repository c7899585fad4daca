// The program's code begins where the linker put it, not where the program does: what lies before
// may not be mapped. Addresses there, which profiles can have, are described as unknown.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	_ "unsafe" // go:linkname
)

//go:linkname inText internal/rt/sched.InText
func inText(pc uintptr) bool

func main() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var access string
		fmt.Sscanf(line, "%x-%x %s", &from, &to, &access)
		if access != "r-xp" {
			continue
		}
		own := reflect.ValueOf(main).Pointer()
		fmt.Println("before:", inText(from-1), "main:", from <= own && own < to && inText(own))
		for pc := from; pc < from+16; pc++ {
			runtime.CallersFrames([]uintptr{pc}).Next()
		}
		return
	}
}

// Output:
// before: false main: true
