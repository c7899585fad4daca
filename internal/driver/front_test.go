package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam"
	"loam/internal/load"
	"loam/internal/lower"
)

// frontOnly returns a graph of packages whose front halves are done in an empty cache. What stands
// for clang and the linker writes files without content. LOAM_TEST_PACKAGES names other packages.
func frontOnly(t *testing.T, patterns ...string) (g *Graph, named []string) {
	t.Helper()
	if list := os.Getenv("LOAM_TEST_PACKAGES"); list != "" {
		patterns = strings.Fields(list)
	}
	tool := filepath.Join(t.TempDir(), "tool")
	script := `#!/bin/sh
if [ "$1" = --version ]; then echo 'clang version 19.1.7'; exit; fi
while [ $# -gt 1 ]; do if [ "$1" = -o ]; then printf '\177ELF' >"$2"; fi; shift; done
`
	if err := os.WriteFile(tool, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LOAM_CLANG", tool)
	t.Setenv("LOAM_LLD", tool)
	var c load.Config
	var err error
	if c.SDK, err = load.FindSDK(""); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	if c.Shadow, err = load.MakeShadow(cache, c.SDK, loam.RuntimeSources()); err != nil {
		t.Fatal(err)
	}
	c.Dir = filepath.Join(c.Shadow.Dir, "src")
	if dir := os.Getenv("LOAM_TEST_DIR"); dir != "" {
		c.Dir = dir
	}
	pkgs, err := load.List(&c, append(patterns, "runtime")...)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Options{Load: c, GoVersion: c.Version, CompilerID: "test",
		Flags: func(*load.Package) lower.Flags { return lower.Flags{} }}, cache)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = b.NewGraph(pkgs, ""); err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		if !p.DepOnly {
			named = append(named, p.ImportPath)
		}
	}
	if err := g.Compile(Wanted{Packages: named}); err != nil {
		t.Fatal(err)
	}
	return g, named
}
