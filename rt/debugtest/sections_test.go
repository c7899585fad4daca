package debugtest

import (
	"debug/elf"
	"testing"

	"loam/internal/loamtest"
)

// TestSections: the link moves units, so no table of addresses, which assembly brings along, may be
// left that says where they were: gdb complains of it.
func TestSections(t *testing.T) {
	exe, err := elf.Open(loamtest.Build(t, loamtest.Command(t), "testdata/program.go"))
	if err != nil {
		t.Fatal(err)
	}
	defer exe.Close()
	if exe.Section(".debug_info") == nil || exe.Section(".debug_aranges") != nil {
		t.Errorf("sections %v", exe.Sections)
	}
}
