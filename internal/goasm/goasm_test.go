package goasm

import (
	"go/importer"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// loam runs the loam command, which the environment may name, in a directory of testdata.
func loam(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(loamtest.Command(t), args...)
	cmd.Dir = filepath.Join("testdata", dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestModules runs modules with assembly of their own under both compilers.
func TestModules(t *testing.T) {
	for _, dir := range []string{"calls", "content", "faults", "goid", "registers", "sched"} {
		t.Run(dir, func(t *testing.T) {
			if dir == "registers" {
				loamtest.UseRelease(t, "go1.26") // gc's linker refuses runtime.asmcgocall since
			}
			cmd := exec.Command("go", "run", ".")
			cmd.Dir = filepath.Join("testdata", dir)
			want, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("gc: %v\n%s", err, want)
			}
			got, err := loam(t, dir, "run", ".")
			if err != nil || got != string(want) {
				t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// TestErrors wants files, lines and names in messages.
func TestErrors(t *testing.T) {
	for dir, wants := range map[string][]string{
		"refused": {"f_amd64.s:4: runtime.mallocgc", "f_amd64.s:5: runtime.gcController", "-tags purego"},
		"setg":    {"main.set: it does something else with gc's g"},
		"wrong":   {"\n./f_amd64.s:2: illegal or missing addressing mode", `./f_amd64.s:3: unrecognized instruction "FROB"`},
	} {
		out, err := loam(t, dir, "build", "-o", filepath.Join(t.TempDir(), "x"), ".")
		if err == nil {
			t.Errorf("%s was built", dir)
		}
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", dir, want, out)
			}
		}
	}
}

// TestStd assembles what std has in assembly outside of the run-time system.
func TestStd(t *testing.T) {
	goroot := runtime.GOROOT()
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, path := range []string{"crypto/internal/fips140/aes", "crypto/internal/fips140/aes/gcm", "crypto/internal/fips140/bigmod",
		"crypto/internal/fips140/edwards25519/field", "crypto/internal/fips140/nistec", "crypto/internal/fips140/sha256",
		"crypto/internal/fips140/sha3", "crypto/internal/fips140/sha512", "crypto/internal/fips140/subtle", "crypto/md5",
		"crypto/sha1", "hash/crc32", "math", "math/big", "vendor/golang.org/x/crypto/chacha20poly1305",
		"vendor/golang.org/x/crypto/internal/poly1305"} {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(goroot, "src", path)
		files, _ := filepath.Glob(filepath.Join(dir, "*_amd64.s"))
		o, err := Assemble(&Package{Types: pkg, Sizes: types.SizesFor("gc", "amd64"), Path: path, Dir: dir, Files: files,
			GOROOT: goroot, Level: "v1", Temp: t.TempDir()})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(o.Functions) == 0 || !strings.Contains(string(o.Text), ".byte") {
			t.Errorf("%s: nothing assembled", path)
		}
		for _, f := range o.functions {
			if f.file == 0 || f.line == 0 {
				t.Errorf("%s: %s is at line %d of file %d", path, f.name, f.line, f.file)
			}
		}
		t.Logf("%s: %v, variables %v, calls %v", path, o.Functions, o.Variables, o.Calls)
	}
}
