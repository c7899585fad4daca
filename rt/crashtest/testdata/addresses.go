package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// The addresses of a crash report, one for each frame that is none of an inlined call, are enough to know the whole stack:
// crash reporters send nothing else.

type T struct{ x, y int }

var nilT *T

//go:noinline
func crash(nothing *T) {
	if nothing != nil {
		inner(nothing)
	}
	outer()
}

func outer() { inner(nilT) }

func inner(t *T) { t.y++ }

func caught() { crash(nil) }

func main() {
	if len(os.Args) > 1 {
		caught()
	}
	cmd := exec.Command(os.Args[0], "crash")
	cmd.Env = append(os.Environ(), "GOTRACEBACK=system")
	out, _ := cmd.CombinedOutput()
	_, report, _ := strings.Cut(string(out), "[running]:\n")
	report, _, _ = strings.Cut(report, "\n\n")
	var pcs []uintptr
	lines := strings.Split(report, "\n")
	previous := ""
	for i := 0; i+1 < len(lines); i += 2 {
		if _, hex, ok := strings.Cut(lines[i+1], " pc="); ok {
			pc, _ := strconv.ParseUint(hex, 0, 64)
			if strings.HasPrefix(previous, "runtime.sigpanic(") {
				pc++
			}
			pcs = append(pcs, uintptr(pc))
			previous = lines[i]
		}
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		fmt.Println(f.Function)
		if strings.HasPrefix(f.Function, "main.") {
			fmt.Println(f.Line)
		}
		if !more {
			break
		}
	}
	fmt.Println(strings.Count(report, "\nruntime.goexit({})\n\t"+runtime.GOROOT()+"/src/runtime/asm_amd64.s:"))
}
