package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// varied is a module with what the order of compiling could show in: types that several packages
// need the same things of, instances of generic functions, inlined bodies, closures, initialisers,
// maps, assembly, embedded files.
const varied = `
-- go.mod --
module example.com/varied

go 1.26
-- main.go --
package main

import (
	_ "embed"
	"fmt"

	"example.com/varied/a"
	"example.com/varied/b"
	"example.com/varied/c"
)

//go:embed text.txt
var text string

var all = map[string]func() string{"a": a.Name, "b": b.Name, "c": func() string { return fmt.Sprint(c.Sum(1, 2)) }}

func main() {
	for _, k := range []string{"a", "b", "c"} {
		fmt.Println(k, all[k](), text)
	}
}
-- text.txt --
embedded
-- a/a.go --
package a

import "example.com/varied/g"

type T struct{ A, B string }

func (t T) String() string { return t.A + t.B }

var order = func() string { return g.Join([]T{{"x", "y"}, {"z", ""}}) }()

func Name() string { return order + g.Join([]g.Pair[int, string]{{1, "one"}}) }
-- b/b.go --
package b

import (
	"example.com/varied/a"
	"example.com/varied/g"
)

var m = map[a.T]struct{ n int }{{"p", "q"}: {7}}

func Name() string {
	defer func() { recover() }()
	return g.Join([]a.T{{"b", "b"}}) + g.Join([]g.Pair[int, string]{{m[a.T{"p", "q"}].n, "two"}})
}
-- g/g.go --
package g

import "fmt"

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

func (p Pair[K, V]) String() string { return fmt.Sprint(p.Key, "=", p.Value) }

func Join[S fmt.Stringer](list []S) (s string) {
	for _, x := range list {
		s += x.String()
	}
	return s
}
-- c/c.go --
package c

// Sum adds.
func Sum(x, y int64) int64
-- c/c_amd64.s --
#include "textflag.h"

TEXT ·Sum(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), AX
	ADDQ y+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET
`

// TestReproducible builds a program with 1 and 8 processors and compilers at a time, with empty,
// half full and full caches, after an edit that was taken back, and from a pack: always the same
// bytes.
func TestReproducible(t *testing.T) {
	dir := module(t, varied)
	pack := "LOAMPACK=" + fmtPack(t)
	cache := t.TempDir()
	empty := func() { os.RemoveAll(filepath.Join(cache, "obj")) }
	var first []byte
	build := func(dir, how string, env ...string) {
		t.Helper()
		os.Remove(filepath.Join(dir, "out")) // which would be left as it is
		env = append([]string{pack, "LOAMCACHE=" + cache}, env...)
		args := append([]string{"build", "-o", "out"}, strings.Fields(how)...)
		want(t, run(t, dir, env, append(args, ".")...), 0, "", "")
		made := content(t, dir, "out")
		if first == nil {
			first = made
		}
		if !bytes.Equal(made, first) {
			t.Errorf("%s %v: other bytes, from byte %d of %d", how, env, firstByte(made, first), len(first))
		}
	}
	build(dir, "-p=1", "GOMAXPROCS=1")
	build(dir, "-p=8")
	empty()
	build(dir, "-p=8", "GOMAXPROCS=8")
	// Packages that were compiled alone, in another order.
	empty()
	for _, path := range []string{"./c", "./b", "./a"} {
		want(t, run(t, dir, []string{pack, "LOAMCACHE=" + cache}, "build", path), 0, "", "")
	}
	build(dir, "")
	write(t, dir, strings.Replace(varied, `"="`, `" is "`, 1))
	want(t, run(t, dir, []string{pack, "LOAMCACHE=" + cache}, "build", "-o", "other", "."), 0, "", "")
	if bytes.Equal(content(t, dir, "other"), first) {
		t.Error("after an edit, the same program")
	}
	write(t, dir, varied)
	build(dir, "")
	packs := map[string]bool{}
	for i := range 2 {
		name := filepath.Join(t.TempDir(), fmt.Sprint(i)+".pack")
		if r := run(t, dir, []string{pack, "LOAMCACHE=" + cache, fmt.Sprintf("GOMAXPROCS=%d", 8*i+1)}, "pack", "-o", name, "."); r.code != 0 {
			t.Fatal(r.stderr)
		}
		packs[string(content(t, name))] = true
		empty()
		build(dir, "", "LOAMPACK="+name)
		empty()
	}
	if len(packs) != 1 {
		t.Error("the same packages make several packs")
	}
}

// TestTrimmed builds a program in two directories, with two module caches: with -trimpath the same
// bytes.
func TestTrimmed(t *testing.T) {
	var programs [2][]byte
	for i := range programs {
		dir := module(t, varied)
		env := []string{"GOMODCACHE=" + filepath.Join(t.TempDir(), "mod"), "GOFLAGS=-modcacherw"}
		want(t, run(t, dir, env, "build", "-trimpath", "-o", "out", "."), 0, "", "")
		programs[i] = content(t, dir, "out")
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Errorf("other bytes, from byte %d of %d", firstByte(programs[0], programs[1]), len(programs[0]))
	}
}

// firstByte is where two contents differ first.
func firstByte(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
