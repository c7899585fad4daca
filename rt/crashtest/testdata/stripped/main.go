// A program that says everything that it knows of its own code.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
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

func main() {
	positions()
	functions()
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
		panic("end")
	}()
	var m map[string]int
	m["x"] = 1
}
