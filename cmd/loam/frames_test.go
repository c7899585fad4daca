package main_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// frames is a program that is called by files of Loam's and of the SDK's, and prints where.
const frames = `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func show() {
	pcs := make([]uintptr, 20)
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)]); ; {
		f, more := frames.Next()
		fmt.Println(f.Function, f.File, f.Line)
		if !more {
			break
		}
	}
}

func main() {
	var once sync.Once
	once.Do(func() {
		pool := sync.Pool{New: func() any { show(); return 1 }}
		pool.Get()
	})
}
`

// TestFrames: a frame names a file that is there and has the function, be it the SDK's or Loam's.
func TestFrames(t *testing.T) {
	dir := module(t, frames)
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	root := run(t, dir, nil, "env", "LOAMGOROOT")
	for _, c := range []struct {
		env, flag, own string
	}{
		{"LOAMROOT=", "", strings.TrimSpace(root.stdout) + "/loam/"},
		{"LOAMROOT=" + checkout, "", checkout + "/"},
		{"LOAMROOT=", "-trimpath", "$LOAMROOT/"},
	} {
		r := run(t, dir, []string{c.env}, append([]string{"run"}, strings.Fields(c.flag+" .")...)...)
		if r.code != 0 {
			t.Errorf("%+v: %s", c, r.stderr)
			continue
		}
		own := 0
		for line := range strings.Lines(r.stdout) {
			f := strings.Fields(line)
			name, file := f[0][strings.LastIndexByte(f[0], '.')+1:], f[1]
			if f[0] == "runtime.goexit" {
				continue // of assembly
			}
			if rel, ok := strings.CutPrefix(file, c.own); ok {
				own++
				file = filepath.Join(checkout, rel)
			} else if c.flag != "" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%+v: %v", c, err)
				continue
			}
			lines := strings.Split(string(text), "\n")
			at, _ := strconv.Atoi(f[2])
			if strings.HasPrefix(f[0], "main.main.") {
				name = "main"
			}
			if at < 1 || at > len(lines) || !strings.Contains(strings.Join(lines[:at], "\n"), name+"(") {
				t.Errorf("%+v: nothing of %s in line %d of %s", c, name, at, file)
			}
		}
		if own != 2 {
			t.Errorf("%+v: %d frames are of Loam's own files, want sync.(*Pool).Get and runtime.main\n%s", c, own, r.stdout)
		}
	}
}
