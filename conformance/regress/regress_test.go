package regress

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"loam/internal/loamtest"
)

// TestPrograms runs the programs in testdata.
func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		dir, err := filepath.Abs("testdata")
		if err != nil {
			t.Fatal(err)
		}
		compare(t, loam, loamtest.Toolchain(t, fileRelease(t, file)), dir, filepath.Base(file))
	})
}

// TestModules runs the modules in testdata.
func TestModules(t *testing.T) {
	loam := loamtest.Command(t)
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no modules", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			dir, release := unpack(t, file)
			compare(t, loam, loamtest.Toolchain(t, release), dir, ".")
		})
	}
}

// TestErrors holds what Loam says about the programs in testdata/errors against what gc says.
func TestErrors(t *testing.T) {
	loam := loamtest.Command(t)
	files, err := filepath.Glob("testdata/errors/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			toolchain := loamtest.Toolchain(t, fileRelease(t, file))
			want, failed := build(t, "go", toolchain, "testdata/errors", filepath.Base(file), os.DevNull)
			if failed == nil {
				t.Fatal("gc compiles it")
			}
			got, failed := build(t, loam, toolchain, "testdata/errors", filepath.Base(file), os.DevNull)
			if failed == nil {
				t.Errorf("loam compiles it")
			}
			if !bytes.Equal(got, want) {
				t.Errorf("messages:\n%s\ngc's:\n%s", got, want)
			}
		})
	}
}

// fileRelease is the release of Go that a file's build constraint asks for, "" if it asks for none.
func fileRelease(t *testing.T, file string) string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f.GoVersion
}

// unpack writes a module to a directory, and returns that and the release of Go that the module is
// written in.
func unpack(t *testing.T, file string) (dir, release string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		if f.Name == "go.mod" {
			mod, err := modfile.Parse(file, f.Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			release = "go" + mod.Go.Version
		}
	}
	return dir, release
}

// compare runs what is in dir when gc and when loam has compiled it.
func compare(t *testing.T, loam, toolchain, dir, what string) {
	want, wantStatus := program(t, "go", toolchain, dir, what)
	got, status := program(t, loam, toolchain, dir, what)
	if status != wantStatus {
		t.Errorf("exit status %d, gc's program has %d", status, wantStatus)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("output:\n%s\ngc's program:\n%s", got, want)
	}
}

// program builds and runs a file or package, and returns what it prints to standard output and its
// status.
func program(t *testing.T, tool, toolchain, dir, what string) ([]byte, int) {
	exe := filepath.Join(t.TempDir(), "program")
	if out, err := build(t, tool, toolchain, dir, what, exe); err != nil {
		t.Fatalf("%s build %s: %v\n%s", tool, what, err, out)
	}
	run := exec.Command(exe)
	out, err := run.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, run.ProcessState.ExitCode()
}

// build compiles a file or package and returns what the compiler prints.
func build(t *testing.T, tool, toolchain, dir, what, exe string) ([]byte, error) {
	cmd := exec.Command(tool, "build", "-o", exe, what)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOTOOLCHAIN="+toolchain)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, err
}

// TestWithoutInlining holds the order of evaluation that gc has without inlining, in which more
// variables have addresses, against Loam's: without optimisation gc does not inline either.
func TestWithoutInlining(t *testing.T) {
	loam := loamtest.Command(t)
	inlined, _ := program(t, "go", loamtest.Toolchain(t, ""), "testdata", "orderinlined.go")
	for _, flag := range []string{"-l", "-N"} {
		t.Setenv("GOFLAGS", "-gcflags="+flag)
		want, _ := program(t, "go", loamtest.Toolchain(t, ""), "testdata", "orderinlined.go")
		if got, _ := program(t, loam, loamtest.Toolchain(t, ""), "testdata", "orderinlined.go"); string(got) != string(want) {
			t.Errorf("%s: output:\n%s\ngc's:\n%s", flag, got, want)
		}
		if string(inlined) == string(want) {
			t.Errorf("%s makes no difference to gc", flag)
		}
	}
}
