package x86

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/machine/object"
)

// disassemble returns the instructions that a disassembler finds in code.
func disassemble(t *testing.T, tool string, b []byte) (list []string) {
	var f object.File
	f.Add(object.Section{Name: ".text", Type: object.Progbits, Flags: object.Alloc | object.Exec, Align: 16, Data: b, Group: -1})
	name := filepath.Join(t.TempDir(), "x.o")
	if err := os.WriteFile(name, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-d", "--no-show-raw-insn", "--no-leading-addr", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(out), "<.text>:\n")
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = normal(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
