package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoCgo has packages that need cgo, where it is off, or a shared library without it. What the
// go command leaves out is named where it is missed. A package that has other files is built from
// those, and runtime/cgo's Handle works.
func TestNoCgo(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/c

go 1.26
-- only/c.go --
package only

import "C"

func F() int { return int(C.f()) }
-- uses/main.go --
package main

import "example.com/c/only"

func main() { println(only.F()) }
-- nomain/c.go --
package main

// int f(void) { return 1; }
import "C"

func main() { println(C.f()) }
-- nomain/other.go --
package main

func other() {}
-- name/c.go --
package main

import (
	"C"
)

func f() {}
-- name/main.go --
package main

func main() { f() }
-- shared/main.go --
package main

//go:cgo_import_dynamic dl_open dlopen "libdl.so.2"
//go:cgo_import_dynamic _ _ "libdl.so.2"

func main() {}
-- some/c.go --
package main

import "C"

func f() int { return 1 }
-- some/pure.go --
//go:build !cgo

package main

import (
	"net"
	"os/user"
	"runtime/cgo"
)

func f() int { return 2 }

func main() {
	h := cgo.NewHandle("handle")
	_, err := user.Current()
	println(f(), h.Value().(string), err == nil, net.IPv4len)
	h.Delete()
}
`)
	off := []string{"CGO_ENABLED=0"}
	const left = `: import "C": this file is left out, because cgo is off (CGO_ENABLED)`
	for _, c := range []struct{ pkg, want string }{
		{"./only", "package example.com/c/only: build constraints exclude all Go files in " + filepath.Join(dir, "only") +
			"\n\tonly/c.go:3:8" + left + "\n"},
		{"./uses", "package example.com/c/uses\n\timports example.com/c/only: build constraints exclude all Go files in " +
			filepath.Join(dir, "only") +
			"\n\tonly/c.go:3:8" + left + "\n"},
		{"./nomain", "# example.com/c/nomain\nruntime.main_main·f: function main is undeclared in the main package\nnomain/c.go:4:8" + left + "\n"},
		{"nomain/other.go", "# command-line-arguments\nruntime.main_main·f: function main is undeclared in the main package\n"},
		{"name/main.go", "# command-line-arguments\nname/main.go:3:15: undefined: f\n"},
		{"./name", "# example.com/c/name\nname/main.go:3:15: undefined: f\nname/c.go:4:2" + left + "\n"},
		{"./shared", "# example.com/c/shared\nshared/main.go:3:3: //go:cgo_import_dynamic: the shared library libdl.so.2 cannot be had, because Loam's programs are static\n"},
	} {
		r := run(t, dir, off, "build", "-o", filepath.Join(t.TempDir(), "x"), c.pkg)
		if r.stderr != c.want || r.code != 1 {
			t.Errorf("%s: exit code %d, stderr\n%s--- want\n%s", c.pkg, r.code, r.stderr, c.want)
		}
	}
	if r := run(t, dir, off, "run", "./some"); !strings.HasPrefix(r.stderr, "2 handle true 4\n") || r.code != 0 {
		t.Errorf("exit code %d, stderr %s", r.code, r.stderr)
	}
}
