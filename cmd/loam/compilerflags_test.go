package main_test

import (
	"debug/elf"
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCompilerFlags: -gcflags are for the packages named, or those that match a pattern, as with
// the go command, and nothing else is compiled again for them.
func TestCompilerFlags(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

import (
	"example.com/f/sub"
	"strings"
)

func main() { println(sub.F(strings.Repeat("x", 3))) }
-- sub/sub.go --
package sub

import "example.com/f/sub/below"

func F(s string) int { return below.F(s) }
-- sub/below/below.go --
package below

func F(s string) int { return len(s) }
`)
	explained := func(tool string, flags []string) (list []string) {
		cmd := exec.Command(tool, slices.Concat([]string{"build", "-o", filepath.Join(t.TempDir(), "x")}, flags, []string{"."})...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %v: %v\n%s", tool, flags, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "# ") {
				list = append(list, strings.TrimSpace(line))
			}
		}
		slices.Sort(list)
		return list
	}
	for _, flags := range [][]string{nil, {"-gcflags=-m"}, {"-gcflags=./sub=-m"}, {"-gcflags=example.com/f/sub/...=-m"}, {"-gcflags=./...=-m"},
		{"-gcflags=./...=-m", "-gcflags=./sub="}, {"-gcflags=./sub=-m", "-gcflags=-l -m"}} {
		if got, want := explained(loam, flags), explained("go", flags); !slices.Equal(got, want) {
			t.Errorf("%v: explained %q, with gc %q", flags, got, want)
		}
	}
	if r := run(t, dir, nil, "build", "-v", "-gcflags=-N -l", "-o", filepath.Join(t.TempDir(), "x"), "."); r.code != 0 ||
		r.stderr != "example.com/f\n" {
		t.Errorf("for the flags of one package these are compiled: %s", r.stderr)
	}
	if r := run(t, dir, nil, "build", "-gcflags=-S", "."); r.code != 2 || !strings.Contains(r.stderr, "loam's compiler has no flag -S") {
		t.Errorf("exit code %d, stderr %s", r.code, r.stderr)
	}
}

// TestToolFlags: flags of gc's compiler, assembler and linker that build scripts pass mean the same
// here.
func TestToolFlags(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

import (
	"os"
	"runtime"

	"example.com/f/sub"
)

func main() {
	_, file, _, _ := runtime.Caller(0)
	println(file)
	println(sub.File())
	defer func() {
		pcs := make([]uintptr, 10)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
		for more := true; more; {
			var f runtime.Frame
			if f, more = frames.Next(); f.Function == "example.com/f/sub.Fault" {
				println(f.File)
			}
		}
		recover()
		defer func() { println(recover() != nil) }()
		s := []int{1, 2, 3, 4}[:2]
		println(s[len(os.Args)+1], len(s[:len(s)][1:]))
	}()
	sub.Fault()
}
-- sub/sub.go --
package sub

import "runtime"

func File() string {
	_, file, _, _ := runtime.Caller(0)
	return file
}

func Fault()
-- sub/sub.s --
TEXT ·Fault(SB), 0, $0-0
	MOVQ $0, AX
	MOVQ (AX), AX
	RET
`)
	for _, flags := range [][]string{
		{"-gcflags=-trimpath=" + dir},
		{"-gcflags=all=-trimpath=" + dir + "=>new", "-asmflags=all=-trimpath=" + dir},
		{"-gcflags=all=-trimpath " + dir + "/", "-asmflags=all=-trimpath=/none;" + dir + "/sub=>s;" + dir},
		{"-gcflags=-B -l=4 -c=4 -dwarf=false -d=checkptr=0"},
		{"-gcflags=all=-N -l -pack", "-ldflags=-s -w -buildid= -compressdwarf=false -linkmode=auto"},
	} {
		got := run(t, dir, nil, slices.Concat([]string{"run"}, flags, []string{"."})...)
		cmd := exec.Command("go", slices.Concat([]string{"run"}, flags, []string{"."})...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go run %q: %v\n%s", flags, err, out)
		}
		want(t, got, 0, "", string(out))
	}
	listing := func(tool string) string {
		cmd := exec.Command(tool, "build", "-asmflags=all=-S -trimpath="+dir, "-o", filepath.Join(t.TempDir(), "x"), "./sub")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		_, rest, _ := strings.Cut(string(out), "# example.com/f/sub\n")
		rest, _, _ = strings.Cut(rest, "\tRET")
		return regexp.MustCompile(`\([^ ]*sub.s:`).ReplaceAllString(rest, "(sub.s:")
	}
	if got, want := listing(loam), listing("go"); got == "" || got != want {
		t.Errorf("assembly:\n%s\nwith gc:\n%s", got, want)
	}
}

// TestProgramIDs: -ldflags=-buildid and -B set the ids that other tools read of a program.
func TestProgramIDs(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

func main() {}
`)
	notes := func(flags string) (gnu, id string) {
		out := filepath.Join(t.TempDir(), "x")
		if r := run(t, dir, nil, "build", "-ldflags="+flags, "-o", out, "."); r.code != 0 {
			t.Fatalf("-ldflags=%s: %s", flags, r.stderr)
		}
		f, err := elf.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		description := func(section string) string {
			s := f.Section(section)
			if s == nil {
				return "none"
			}
			data, err := s.Data()
			if err != nil || len(data) < 16 {
				t.Fatalf("%s: %q, %v", section, data, err)
			}
			return string(data[16:][:binary.LittleEndian.Uint32(data[4:])])
		}
		return description(".note.gnu.build-id"), description(".note.go.buildid")
	}
	gnu, id := notes("")
	if len(gnu) != 20 || len(id) != 64 {
		t.Errorf("ids %q and %q", gnu, id)
	}
	for _, c := range []struct{ flags, gnu, id string }{{"-buildid=", "", "none"}, {"-B gobuildid -buildid a/bc", "", "a/bc"},
		{"-B 0x0123456789abcdef", "\x01\x23\x45\x67\x89\xab\xcd\xef", id}, {"-B=none -buildid=x", "none", "x"}} {
		gnu, got := notes(c.flags)
		if c.gnu != "" && gnu != c.gnu || got != c.id && len(c.id) != 64 || len(got) != len(c.id) {
			t.Errorf("%s: ids %q and %q, want %q and %q", c.flags, gnu, got, c.gnu, c.id)
		}
	}
	for flags, text := range map[string]string{"-B 1": "must start with 0x",
		"-B 0x123": "even number of hexadecimal digits", "-buildmode=pie": "the flag -buildmode of build says"} {
		if r := run(t, dir, nil, "build", "-ldflags="+flags, "."); r.code != 2 || !strings.Contains(r.stderr, text) {
			t.Errorf("-ldflags=%s: exit code %d, stderr %s", flags, r.code, r.stderr)
		}
	}
}
