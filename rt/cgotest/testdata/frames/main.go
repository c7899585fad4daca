// C's frames in tracebacks, in what Callers returns, and in profiles.
package main

/*
#cgo CFLAGS: -O0 -fno-omit-frame-pointer
extern int live;
extern void upper(int), crash(void), fails(void), spin(double), spinInThread(double);
extern void context(void*), traceback(void*), symbolize(void*);
*/
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"unsafe"
)

var (
	traceback = unsafe.Pointer(C.traceback)
	context   = unsafe.Pointer(C.context)
	symbolize = unsafe.Pointer(C.symbolize)
)

// shown leaves out of a name what differs between gc and Loam.
func shown(name string) bool {
	return name != "" && !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "_cgo") && !strings.HasPrefix(name, "runtime/")
}

// functions are the functions of a printed stack, with the lines of C.
func functions(text []byte) (list []string) {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if line == "" || line[0] == '\t' || strings.HasPrefix(line, "goroutine ") || i+1 == len(lines) {
			continue
		}
		name, _, _ := strings.Cut(line, "(")
		if !shown(name) || !strings.HasPrefix(lines[i+1], "\t") {
			continue
		}
		if at := strings.TrimSpace(lines[i+1]); strings.Contains(at, ".c:") {
			name += " " + strings.Fields(at)[0]
		}
		list = append(list, name)
	}
	return list
}

func frames(pcs []uintptr) (list []string) {
	for f := runtime.CallersFrames(pcs); ; {
		frame, more := f.Next()
		if shown(frame.Function) {
			name := frame.Function
			if strings.HasSuffix(frame.File, ".c") {
				name = fmt.Sprint(name, " ", frame.File, ":", frame.Line, " ", frame.Func == nil, frame.Entry != 0)
			}
			list = append(list, name)
		}
		if !more {
			return list
		}
	}
}

var atBottom func()

//export goDown
func goDown(n C.int) {
	if n > 0 {
		down(n - 1)
	} else {
		atBottom()
	}
}

func down(n C.int) { C.upper(n) }

//export goFails
func goFails() { panic("from below") }

func bottom() {
	pcs := make([]uintptr, 100)
	n := runtime.Callers(0, pcs)
	fmt.Println("callers", frames(pcs[:n]))
	for skip := range 30 {
		_, file, line, ok := runtime.Caller(skip)
		if ok && strings.HasSuffix(file, ".c") {
			fmt.Println("caller", file, line)
			break
		}
	}
	fmt.Println("stack", functions(debug.Stack()))
}

func recovered(n C.int) {
	defer func() { fmt.Println("recovered", recover(), C.live) }()
	atBottom = func() { C.fails() }
	down(n)
}

// waiting looks at a goroutine that waits below C.
func waiting() {
	var wg sync.WaitGroup
	begun, end := make(chan bool), make(chan bool)
	atBottom = func() { begun <- true; <-end }
	for range 3 {
		wg.Go(func() { down(1) })
		<-begun
	}
	buf := make([]byte, 1<<16)
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "main.waiting.func") && strings.Contains(g, "goDown") {
			fmt.Println("other", functions([]byte(g)))
		}
	}
	var text bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&text, 1)
	shownGroups := map[string]bool{} // they may be at two places in one function
	for _, g := range strings.Split(text.String(), "\n\n") {
		if !strings.Contains(g, "main.down") {
			continue
		}
		var group []string
		for _, line := range strings.Split(g, "\n") {
			if f := strings.Split(line, "\t"); len(f) > 2 {
				if name, _, _ := strings.Cut(f[2], "+"); shown(name) {
					group = append(group, name)
				}
			}
		}
		if key := fmt.Sprint(group); !shownGroups[key] {
			shownGroups[key] = true
			fmt.Println("profile", key)
		}
	}
	close(end)
	wg.Wait()
}

func set(version int, t, c, s unsafe.Pointer) {
	defer func() { fmt.Println("set", recover()) }()
	runtime.SetCgoTraceback(version, t, c, s)
}

func main() {
	switch os.Args[1] {
	case "frames":
		set(1, traceback, context, symbolize)
		set(0, traceback, context, symbolize)
		set(0, traceback, context, symbolize)
		set(0, traceback, symbolize, context)
		atBottom = bottom
		down(0)
		down(2)
		fmt.Println("live", C.live)
		waiting()
		fmt.Println("live", C.live)
		recovered(0)
		recovered(1)
		atBottom = bottom
		down(1)
	case "numbers": // no symbolizer
		set(0, traceback, context, nil)
		atBottom = func() {
			text := string(debug.Stack())
			fmt.Println(strings.Count(text, "non-Go function at pc="), functions([]byte(text)))
			panic("ends")
		}
		down(1)
	case "crash", "crash without symbols":
		if os.Args[1] == "crash" {
			runtime.SetCgoTraceback(0, traceback, context, symbolize)
		} else {
			runtime.SetCgoTraceback(0, traceback, nil, nil)
		}
		atBottom = func() { C.crash() }
		down(1)
	case "fails":
		runtime.SetCgoTraceback(0, traceback, context, symbolize)
		atBottom = func() { C.fails() }
		down(1)
	case "profile", "profile of thread", "profile of thread without":
		if os.Args[1] != "profile of thread without" {
			runtime.SetCgoTraceback(0, traceback, context, symbolize)
		}
		f, err := os.Create(os.Args[2])
		if err != nil {
			panic(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			panic(err)
		}
		if os.Args[1] == "profile" {
			atBottom = func() { C.spin(0.5) }
			down(0)
		} else {
			C.spinInThread(0.5)
		}
		pprof.StopCPUProfile()
		f.Close()
	}
}
