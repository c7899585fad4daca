package main_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFIPS: a program finds its cryptographic module as it was linked, and notices a changed byte
// in compiled code and in assembly of it.
func TestFIPS(t *testing.T) {
	if testing.Short() {
		t.Skip("builds crypto/aes")
	}
	dir := module(t, `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import (
	"crypto/aes"
	"crypto/fips140"
	"fmt"
	"os"
)

func main() {
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	text := make([]byte, 16)
	if len(os.Args) > 1 { // so that the code is there
		block.Encrypt(text, text)
	}
	fmt.Println(fips140.Enabled())
}
`)
	program := filepath.Join(dir, "p")
	want(t, run(t, dir, nil, "build", "-o", program, "."), 0, "", "")
	if out, _ := withFIPS(program, "off"); out != "false\n" {
		t.Errorf("fips140=off: %s", out)
	}
	if out, err := withFIPS(program, "debug"); err != nil || !strings.Contains(out, "fips140: verified code+data\n") ||
		!strings.HasSuffix(out, "\ntrue\n") {
		t.Fatalf("fips140=debug: %v\n%s", err, out)
	}
	image, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	symbols, err := image.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]bool{}
	for _, s := range symbols {
		if int(s.Section) >= len(image.Sections) || elf.ST_TYPE(s.Info) != elf.STT_FUNC ||
			!strings.HasPrefix(s.Name, "crypto/internal/fips140/aes.") {
			continue
		}
		section := image.Sections[s.Section]
		if changed[section.Name] {
			continue
		}
		changed[section.Name] = true
		at := s.Value - section.Addr + section.Offset
		text[at] ^= 1
		if err := os.WriteFile(program, text, 0o777); err != nil {
			t.Fatal(err)
		}
		if out, err := withFIPS(program, "on"); err == nil || !strings.Contains(out, "fips140: verification mismatch") {
			t.Errorf("changed %s in %s: %v\n%s", s.Name, section.Name, err, out)
		}
		text[at] ^= 1
	}
	if !changed[".text"] || !changed["loam_rt_text"] {
		t.Errorf("changed code in %v", changed)
	}
}

// withFIPS runs a program with GODEBUG=fips140=mode and returns all it prints.
func withFIPS(program, mode string) (string, error) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "GODEBUG=fips140="+mode)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
