package main_test

import "testing"

// TestFleeting holds which programs have symbols and debug information against go's: those that run
// and test run and forget have none, unless the flags say otherwise.
func TestFleeting(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

import (
	"debug/elf"
	"fmt"
	"os"
)

func has() (symbols, debug bool) {
	name, err := os.Executable()
	if err != nil {
		panic(err)
	}
	f, err := elf.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	return f.Section(".symtab") != nil, f.Section(".debug_info") != nil
}

func main() { fmt.Println(has()) }
-- main_test.go --
package main

import "testing"

func TestHas(t *testing.T) { t.Log(has()) }

func BenchmarkHas(b *testing.B) { has() }
`)
	for _, args := range [][]string{
		{"run", "."},
		{"run", "-ldflags=-w=false", "."},
		{"run", "-ldflags=-s=false", "."},
		{"run", "-ldflags=-s=false -w=false", "."},
		{"run", "-ldflags=-w", "."},
		{"test", "-v", "."},
		{"test", "-v", "-ldflags=-s=false -w=false", "."},
		{"test", "-v", "-cpuprofile=out.prof", "."},
		{"test", "-v", "-o=out.test", "."},
	} {
		sameAsGo(t, dir, args)
	}
}
