package link

import (
	"strings"
	"testing"

	"loam/internal/load"
	"loam/internal/toolchain"
)

// TestInitOrder: sorted by path, always the first package whose imports are done; the
// runtime's come first; packages with nothing to initialise do not count.
func TestInitOrder(t *testing.T) {
	var packages []*Package
	byPath := map[string]*Package{}
	add := func(path string, hasInit bool, deps ...string) {
		n := &Package{Package: &load.Package{ImportPath: path}, HasInit: hasInit}
		for _, d := range deps {
			n.Deps = append(n.Deps, byPath[d])
		}
		packages = append(packages, n)
		byPath[path] = n
	}
	add("zz/quiet", false)
	add("internal/z", true)
	add("runtime", true, "internal/z")
	add("b", true, "runtime")
	add("y", true, "zz/quiet")
	add("a", true, "y")
	add("c", false, "b")
	add("d", true, "zz/quiet")
	add("main", true, "c", "a", "d", "runtime")
	var got []string
	for _, n := range initOrder(&Program{Main: byPath["main"], Runtime: byPath["runtime"], Packages: packages}) {
		got = append(got, n.ImportPath)
	}
	if want := "internal/z runtime b d y a main"; strings.Join(got, " ") != want {
		t.Errorf("order %v, want %s", got, want)
	}
}

// TestSplitFIPS: the module's packages are linked together, those that are compiled anew for a test
// too.
func TestSplitFIPS(t *testing.T) {
	var packages []*Package
	for _, path := range []string{"runtime", "crypto/internal/fips140/aes [internal/abi.test]", "fmt",
		"crypto/internal/fips140/check [internal/abi.test]"} {
		packages = append(packages, &Package{Package: &load.Package{ImportPath: path}})
	}
	if module, others := splitFIPS(packages); len(module) != 2 || module[0] != packages[1] || module[1] != packages[3] || len(others) != 2 {
		t.Errorf("module %v, others %v", module, others)
	}
	if module, others := splitFIPS(packages[:3]); module != nil || len(others) != 3 {
		t.Errorf("without the check: module %v, others %v", module, others)
	}
}

func TestLinkError(t *testing.T) {
	main := &Package{Package: &load.Package{ImportPath: "p"}}
	err := linkError(main, &toolchain.Error{Tool: "ld.lld-19", Output: `ld.lld-19: error: undefined symbol: p.(*T).Asm
>>> referenced by x.go:3 (/src/x.go:3)
>>>               /cache/obj/ab/abcd.o:(p.caller)

ld.lld-19: error: undefined symbol: q.F
>>> referenced by y.go:7
>>>               /cache/obj/ab/abcd.o:(p.user)
>>> referenced 2 more times

ld.lld-19: error: undefined symbol: main.main
>>> referenced by proc.go:9
>>>               /cache/obj/ab/abcd.o:(runtime.main)`})
	want := "# p\nmissing function body: p.(*T).Asm (used by p.caller)\nmissing function body: q.F (used by p.user)\n" +
		"runtime.main_main·f: function main is undeclared in the main package"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}
