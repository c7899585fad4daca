// A program that says everything that it knows of its own code, and ends as its argument says. With
// GONE it first removes its file, or puts another one in its place.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
)

type T[E any] struct{ e E }

func (t T[E]) Where() string { return caller(1) }

func (t *T[E]) inlined() string { return t.deeper() }

func (t *T[E]) deeper() string { return caller(0) }

func caller(skip int) string {
	_, file, line, ok := runtime.Caller(skip)
	return fmt.Sprint(file, ":", line, " ", ok)
}

func positions() {
	log.SetFlags(log.Llongfile)
	log.SetOutput(os.Stdout)
	log.Println("line")
	slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{AddSource: true, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})).Info("source")
	fmt.Println(T[int]{}.Where(), (&T[string]{}).inlined())
	fmt.Println(reflect.ValueOf(interface{ Where() string }(T[bool]{})).Method(0).Call(nil)[0])
	var pcs [40]uintptr
	slices.SortFunc([]int{2, 1}, func(a, b int) int {
		frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
		for {
			f, more := frames.Next()
			fmt.Println(f.Function, f.File, f.Line, f.Func != nil && f.Entry == f.Func.Entry())
			if !more {
				break
			}
		}
		return a - b
	})
}

func functions() {
	for _, f := range []any{main, strings.Index, errors.New, T[int].Where, (*T[int]).inlined, func() {}, bytes.IndexByte} {
		pc := reflect.ValueOf(f).Pointer()
		about := runtime.FuncForPC(pc)
		file, line := about.FileLine(pc)
		fmt.Println(about.Name(), file, line, about.Entry() == pc)
	}
}

// names prints the functions of this program that a profile or trace names.
func names(what string, data []byte) {
	var list []string
	for _, name := range regexp.MustCompile(`main\.[\w.()*\[\]]+`).FindAll(data, -1) {
		list = append(list, string(name))
	}
	slices.Sort(list)
	fmt.Println(what, slices.Compact(list))
}

func recorded() {
	var events, profile bytes.Buffer
	trace.Start(&events)
	trace.WithRegion(context.Background(), "region", func() {
		pprof.Do(context.Background(), pprof.Labels("key", "value"), func(context.Context) {
			pprof.Lookup("goroutine").WriteTo(&profile, 0)
		})
	})
	trace.Stop()
	names("trace", events.Bytes())
	r, err := gzip.NewReader(&profile)
	if err != nil {
		panic(err)
	}
	data, _ := io.ReadAll(r)
	names("profile", data)
	fmt.Println(bytes.Contains(data, []byte("stripped/main.go")), bytes.Contains(data, []byte("value")))
	stack := make([]byte, 1<<16)
	fmt.Println(string(stack[:runtime.Stack(stack, true)]))
}

func gone() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	switch how := os.Getenv("GONE"); {
	case how == "":
		return
	case os.Remove(exe) != nil:
		panic("it stays")
	case how == "replaced":
		os.WriteFile(exe, []byte("something else"), 0o755)
	}
}

func main() {
	gone()
	positions()
	functions()
	recorded()
	var profile strings.Builder
	pprof.Lookup("goroutine").WriteTo(&profile, 1)
	for line := range strings.Lines(profile.String()) {
		if words := strings.Fields(line); len(words) > 2 && words[0] == "#" {
			fmt.Println(words[2:])
		}
	}
	defer func() {
		fmt.Println(recover())
		debug.PrintStack()
		if len(os.Args) > 1 && os.Args[1] == "fatal" {
			new(sync.Mutex).Unlock()
		}
		panic("end")
	}()
	var m map[string]int
	m["x"] = 1
}
