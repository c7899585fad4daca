package driver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"loam/internal/load"
	"loam/internal/pool"
)

// TestRoots: what assembly mentions is found, however it is quoted.
func TestRoots(t *testing.T) {
	gas := filepath.Join(t.TempDir(), "a.gas")
	if err := os.WriteFile(gas, []byte("FUNC(p.f)\n\tjmp\t\"p.T[int].m\"\n\tcall\truntime.throw # p.not\n.Llocal:\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := &unit{pkg: &load.Package{Files: load.Files{GasFiles: []string{gas}}}}
	got := roots(n, []byte("\t.quad \"example.com/p%2eq.F·abi0\"\n\t.reloc \"x\"+8, R_X86_64_64, \"example.com/p.G\"+0\n"))
	for _, name := range []string{"p.f", "p.T[int].m", "runtime.throw", "example.com/p%2eq.F·abi0", "example.com/p.G"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is not among %q", name, got)
		}
	}
	if slices.Contains(got, ".Llocal") {
		t.Errorf("a label of the file is among %q", got)
	}
}

// TestNeeds: what is kept of a program's needs is read again, for the same packages only.
func TestNeeds(t *testing.T) {
	units := []*unit{{rec: &record{Chunks: 3}}, {rec: &record{}}, {rec: &record{Chunks: 1}}}
	linked := map[*unit][]bool{units[0]: {true, false, true}, units[2]: {true}}
	methods := []string{"method:Read:1:p.T.Read", "method:p.q:2:p.T.q"}
	text := writeNeeds(units, linked, methods)
	read := map[*unit][]bool{}
	got, ok := readNeeds(text, units, read)
	if !ok || !slices.Equal(got, methods) || !slices.Equal(read[units[0]], linked[units[0]]) ||
		!slices.Equal(read[units[2]], linked[units[2]]) {
		t.Errorf("%q is read as %v", text, read)
	}
	units[0].rec.Objects = []string{"a", "b", "c", "asm"}
	if keys := units[0].objects(read); !slices.Equal(keys, []string{"a", "c", "asm"}) {
		t.Errorf("objects %q", keys)
	}
	for _, c := range []struct {
		text  string
		units []*unit
	}{{text[1:], units}, {"1\n\n1\n", units}, {"101\n\n", units}} {
		if _, ok := readNeeds(c.text, c.units, read); ok {
			t.Errorf("%q does not fit, and is read", c.text)
		}
	}
}

// TestWhole: what a package asked for itself needs is found once, and then the cache has it.
func TestWhole(t *testing.T) {
	g, named := frontOnly(t, "errors", "sort")
	var roots []*unit
	for _, id := range named {
		roots = append(roots, g.byID[id])
	}
	units := g.closure(roots...)
	ask := func(packages ...string) *demand {
		back := pool.New(1)
		defer back.Wait()
		d := g.newDemand(&Wanted{Packages: packages}, back)
		for _, n := range units {
			if err := d.add(n); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.wholePackages(); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := ask(named...); len(d.walked) != 0 {
		t.Errorf("what is known is walked through again")
	}
	if d := ask("sort"); len(d.walked) != len(units) {
		t.Errorf("of %d packages %d were walked through for another package", len(units), len(d.walked))
	}
	sort, chunk := g.byID["sort"], 0
	if err := os.Remove(g.b.cache.Path(sort.rec.Objects[chunk], "o")); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := g.b.keep(&piece{object: sort.rec.Objects[chunk], file: text}); err != nil {
		t.Fatal(err)
	}
	sort.rec.missing = []int{chunk}
	if d := ask("sort"); len(d.walked) != 0 || len(sort.rec.missing) != 0 {
		t.Errorf("a chunk that is needed and missing is not compiled")
	}
}
