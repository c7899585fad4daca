package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLentEdited edits a small function: what has its code, at any depth, is compiled anew, what
// only leads to it is not.
func TestLentEdited(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/l

go 1.26
-- has/main.go --
package main

import "example.com/l/small"

func main() { println(small.Four()) }
-- not/main.go --
package main

import "example.com/l/big"

func main() { println(big.Four()) }
-- small/small.go --
package small

import "example.com/l/edited"

func Four() int { return edited.Double(2) }
-- big/big.go --
package big

import "example.com/l/edited"

//go:noinline
func Four() int { return edited.Double(2) }
-- edited/edited.go --
package edited

func Double(x int) int { return 2 * x }
`)
	out := t.TempDir()
	build := func() string {
		r := run(t, dir, nil, "build", "-v", "-o", out, "./has", "./not")
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return r.stderr
	}
	build()
	source := filepath.Join(dir, "edited/edited.go")
	if err := os.WriteFile(source, []byte("package edited\n\nfunc Double(x int) int { return 3 * x }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	compiled := map[string]bool{}
	for _, name := range strings.Fields(build()) {
		compiled[name] = true
	}
	for name, want := range map[string]bool{"edited": true, "small": true, "big": true, "has": true, "not": false} {
		if got := compiled["example.com/l/"+name]; got != want {
			t.Errorf("%s: compiled %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"has", "not"} {
		said, err := exec.Command(filepath.Join(out, name)).CombinedOutput()
		if err != nil || string(said) != "6\n" {
			t.Errorf("%s: %s %v", name, said, err)
		}
	}
}
