package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"loam/internal/load"
)

// TestRoots: what assembly mentions is found, however it is quoted.
func TestRoots(t *testing.T) {
	gas := filepath.Join(t.TempDir(), "a.gas")
	if err := os.WriteFile(gas, []byte("FUNC(p.f)\n\tjmp\t\"p.T[int].m\"\n\tcall\truntime.throw # p.not\n.Llocal:\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := &unit{pkg: &load.Package{GasFiles: []string{gas}}}
	got := new(Builder).roots(n, []byte("\t.quad \"example.com/p%2eq.F·abi0\"\n\t.reloc \"x\"+8, R_X86_64_64, \"example.com/p.G\"+0\n"))
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
	text := writeNeeds(units, linked)
	read := map[*unit][]bool{}
	if !readNeeds(text, units, read) || !slices.Equal(read[units[0]], linked[units[0]]) || !slices.Equal(read[units[2]], linked[units[2]]) {
		t.Errorf("%q is read as %v", text, read)
	}
	units[0].rec.Objects = []string{"a", "b", "c", "asm"}
	if keys := units[0].objects(read); !slices.Equal(keys, []string{"a", "c", "asm"}) {
		t.Errorf("objects %q", keys)
	}
	if readNeeds(text, units[:2], read) || readNeeds("1\n\n1\n", units, read) {
		t.Error("what does not fit is read")
	}
}
