package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEnvSettings: settings of loam's own variables are kept in a file of its own, those of others
// in the go command's.
func TestEnvSettings(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	ours, theirs := filepath.Join(dir, "sub", "loam.env"), filepath.Join(dir, "go.env")
	env := []string{"LOAMCACHE=", "LOAMENV=" + ours, "GOENV=" + theirs, "GOFLAGS=", "GOPROXY="}
	want(t, run(t, dir, env, "env", "-changed", "LOAMCACHE", "GOPROXY"), 0, "", "")
	want(t, run(t, dir, env, "env", "-w", "LOAMCACHE="+cache, "GOPROXY=off"), 0, "", "")
	read := func(name string) string {
		data, _ := os.ReadFile(name)
		return string(data)
	}
	if got, want := read(ours), "LOAMCACHE="+cache+"\n"; got != want {
		t.Errorf("LOAMENV has %q, want %q", got, want)
	}
	if got, want := read(theirs), "GOPROXY=off\n"; got != want {
		t.Errorf("GOENV has %q, want %q", got, want)
	}
	want(t, run(t, dir, env, "env", "LOAMCACHE", "GOPROXY"), 0, cache+"\noff\n", "")
	want(t, run(t, dir, env, "env", "-changed", "LOAMCACHE", "LOAMESCAPE", "GOPROXY"), 0, "LOAMCACHE='"+cache+"'\nGOPROXY='off'\n", "")
	want(t, run(t, dir, env, "env", "-json", "LOAMCACHE", "GOPROXY"), 0, "{\n\t\"GOPROXY\": \"off\",\n\t\"LOAMCACHE\": \""+cache+"\"\n}\n", "")
	other := filepath.Join(dir, "other")
	want(t, run(t, dir, append(env, "LOAMCACHE="+other), "env", "LOAMCACHE"), 0, other+"\n", "")
	want(t, run(t, dir, append(env, "LOAMCACHE="+other), "env", "-w", "LOAMCACHE="+cache), 0, "",
		"warning: loam env -w LOAMCACHE=... does not override conflicting OS environment variable\n")
	want(t, run(t, dir, env, "env", "LOAMCACHESIZE"), 0, "10GB\n", "")
	want(t, run(t, dir, append(env, "LOAMCACHESIZE=1.5GB"), "env", "LOAMCACHESIZE"), 0, "1.5GB\n", "")
	// repairs what does not work
	want(t, run(t, dir, append(env, "LOAM_GO=/no/go"), "env", "-w", "LOAM_CLANG=/no/clang"), 0, "", "")
	if r := run(t, module(t, program), env, "build", "."); r.code != 1 || !strings.Contains(r.stderr, "LOAM_CLANG=/no/clang") {
		t.Errorf("the setting of LOAM_CLANG has no effect: %s", r.stderr)
	}
	want(t, run(t, dir, env, "env", "-u", "LOAMCACHE", "LOAM_CLANG", "GOPROXY"), 0, "", "")
	if read(ours)+read(theirs) != "" {
		t.Errorf("%q, %q after -u", read(ours), read(theirs))
	}
	for _, c := range [][2]string{{"LOAMENV=x", "LOAMENV can only be set using the OS environment"},
		{"LOAMTAGS=x", "LOAMTAGS cannot be modified"},
		{"LOAMFOO=x", "unknown loam command variable LOAMFOO"},
		{"LOAMCACHESIZE=big", "LOAMCACHESIZE=big: want a size such as 500MB or 10GB, or off"},
		{"LOAMESCAPE=on", `LOAMESCAPE=on: only "off" has a meaning`}, {"LOAMSDK=x", `LOAMSDK=x: only "any" has a meaning`},
		{"LOAMCACHE=x", "LOAMCACHE=x is not an absolute path"}} {
		want(t, run(t, dir, env, "env", "-w", c[0]), 1, "", "loam: "+c[1]+"\n")
	}
}

// TestMalformedSettings: a variable that a build cannot make sense of is an error that names it and
// its value.
func TestMalformedSettings(t *testing.T) {
	dir := module(t, program)
	for setting, message := range map[string]string{
		"LOAMESCAPE=on":      `loam: LOAMESCAPE=on: only "off" has a meaning`,
		"LOAMOPT=fast":       "loam: LOAMOPT=fast: want instant or full",
		"LOAMSDK=all":        `loam: LOAMSDK=all: only "any" has a meaning`,
		"LOAMCACHESIZE=10":   "loam: LOAMCACHESIZE=10: want a size such as 500MB or 10GB, or off",
		"LOAMCACHESIZE=-1GB": "loam: LOAMCACHESIZE=-1GB: want a size such as 500MB or 10GB, or off",
		"LOAMCACHE=rel":      "loam: LOAMCACHE=rel is not an absolute path",
		"LOAMROOT=/no/such":  "loam: LOAMROOT=/no/such is no checkout of Loam: it has no rt/sched",
		"LOAMPACK=/no/such":  "loam: LOAMPACK: stat /no/such: no such file or directory",
		"LOAM_CLANG=/no/cc":  "loam: LOAM_CLANG=/no/cc: stat /no/cc: no such file or directory",
		"LOAM_LLD=/no/ld":    "loam: LOAM_LLD=/no/ld: stat /no/ld: no such file or directory",
		"GOCACHEPROG=/no/gc": `loam: error starting GOCACHEPROG program "/no/gc": fork/exec /no/gc: no such`,
	} {
		r := run(t, dir, []string{setting}, "build", ".")
		if r.code != 1 || !strings.HasPrefix(r.stderr, message) {
			t.Errorf("%s: exit code %d\n%swant %s", setting, r.code, r.stderr, message)
		}
	}
}

// TestEnvAll: loam env has all that go env has, and its own.
func TestEnvAll(t *testing.T) {
	dir := t.TempDir()
	env := append(os.Environ(), "CGO_ENABLED=0", "PWD="+dir)
	cmd := exec.Command("go", "env", "-json")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs, ours map[string]string
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(run(t, dir, []string{"CGO_ENABLED=0"}, "env", "-json").stdout), &ours); err != nil {
		t.Fatal(err)
	}
	for name, value := range theirs {
		if got, ok := ours[name]; !ok || got != value && name != "GOGCCFLAGS" && name != "GOFLAGS" && name != "GOWORK" {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	var names []string
	for _, line := range strings.Split(strings.TrimSuffix(run(t, dir, nil, "env").stdout, "\n"), "\n") {
		name, _, _ := strings.Cut(line, "='")
		names = append(names, name)
	}
	if len(names) != len(ours) || !slices.IsSorted(names) {
		t.Errorf("%d names, want %d in order: %v", len(names), len(ours), names)
	}
}

// TestGoVerbs: the go command's verbs see the files that loam build sees, and generators find loam.
func TestGoVerbs(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.26
-- v.go --
package v

//go:generate loam env LOAMTAGS
-- loam.go --
//go:build loam && extra

package v

import "fmt"

func f() { fmt.Printf("%d\n", "x") }
-- gc.go --
//go:build !loam

package v

import "fmt"

func g() { fmt.Printf("%s\n", 1) }
`)
	for _, list := range [][]string{{"-tags=extra"}, {"-tags", "extra"}, {"--tags=other", "-tags=extra,more"}} {
		r := run(t, dir, nil, append(append([]string{"list"}, list...), "-f={{.GoFiles}}")...)
		want(t, r, 0, "[loam.go v.go]\n", "")
	}
	want(t, run(t, dir, []string{"GOFLAGS=-tags=extra"}, "list", "-f={{.GoFiles}}"), 0, "[loam.go v.go]\n", "")
	want(t, run(t, dir, nil, "list", "-f={{.GoFiles}} {{.IgnoredGoFiles}}", "-export"), 0, "[v.go] [gc.go loam.go]\n", "")
	root := strings.TrimSpace(run(t, dir, nil, "env", "LOAMGOROOT").stdout)
	want(t, run(t, dir, nil, "list", "-f={{.Dir}}", "runtime"), 0, filepath.Join(root, "src", "runtime")+"\n", "")
	gc := func(args ...string) result {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "PWD="+dir)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run()
		return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	}
	vet := gc("vet", "-tags=loam,extra")
	if !strings.Contains(vet.stderr, "format %d has arg") {
		t.Errorf("go vet: %s", vet.stderr)
	}
	want(t, run(t, dir, nil, "vet", "-tags=extra"), vet.code, vet.stdout, vet.stderr)
	want(t, run(t, dir, nil, "version", "-m", loam), 0, gc("version", "-m", loam).stdout, "")
	want(t, run(t, dir, nil, "help", "buildjson"), 0, gc("help", "buildjson").stdout, "")
	want(t, run(t, dir, nil, "generate"), 0, "loam\n", "")
	want(t, run(t, dir, nil, "clean"), 0, "", "")
	write(t, dir, "-- v.test --\n")
	want(t, run(t, dir, nil, "clean", "-n"), 0, gc("clean", "-n", "-tags=loam").stdout, "")
	want(t, run(t, dir, nil, "clean"), 0, "", "")
	if _, err := os.Stat(filepath.Join(dir, "v.test")); err == nil {
		t.Error("loam clean leaves v.test")
	}
	for _, name := range []string{"cache", "testcache", "fuzzcache"} {
		cache := filepath.Join(dir, "none")
		want(t, run(t, dir, []string{"LOAMCACHE=" + cache}, "clean", "-n", "-"+name), 0,
			map[string]string{"cache": "rm -rf " + cache + "\n", "fuzzcache": "rm -rf " + cache + "/fuzz\n"}[name], "")
	}
	used := t.TempDir()
	write(t, used, "-- obj/aa/aa.o --\nobject\n-- obj/bb/b.test --\nok\n")
	want(t, run(t, dir, []string{"LOAMCACHE=" + used}, "clean", "-n", "-cache"), 0,
		"rm -rf "+used+"\n# compiled packages: 0.0 MB in 1 files\n# results of tests: 0.0 MB in 1 files\n# in all: 0.0 MB in 2 files\n", "")
	want(t, run(t, dir, []string{"LOAMCACHE=" + used}, "clean", "-x", "-cache"), 0, "rm -rf "+used+"\n", "")
	if entries, _ := os.ReadDir(used); len(entries) > 0 {
		t.Errorf("left %v", entries)
	}
}

// TestCommands: -n shows the commands that -x shows while they run, and does nothing.
func TestCommands(t *testing.T) {
	dir := module(t, strings.Replace(program, "hello you", "nobody wrote this before "+t.TempDir(), 1))
	temp := regexp.MustCompile(`\$WORK/[0-9]+`)
	commands := func(flags ...string) string {
		r := run(t, dir, nil, append(append([]string{"build"}, flags...), "-p=1", "-o=out", ".")...)
		if r.code != 0 || r.stdout != "" {
			t.Errorf("%v: exit code %d, %s%s", flags, r.code, r.stdout, r.stderr)
		}
		lines := strings.Split(temp.ReplaceAllString(r.stderr, "$$WORK/file"), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "WORK=") }), "\n")
	}
	dry := commands("-n")
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("-n made the program")
	}
	for _, part := range []string{"\n#\n# example.com/p/lib\n#\n\n", "clang", "ld.lld", "\nmv $WORK/file out\n"} {
		if !strings.Contains(dry, part) {
			t.Errorf("-n says nothing of %q:\n%s", part, dry)
		}
	}
	if wet := commands("-x"); wet != dry {
		t.Errorf("-x:\n%s\n-n:\n%s", wet, dry)
	}
	if again := commands("-n"); strings.Contains(again, " -c ") {
		t.Errorf("-n when all is compiled:\n%s", again)
	}
	r := run(t, dir, nil, "run", "-n", ".")
	if !strings.Contains(r.stderr, "$WORK/") || strings.Contains(r.stderr, "hello") || r.code != 0 {
		t.Errorf("run -n: %s", r.stderr)
	}
}

// TestAssemblerFlags: -asmflags are for the packages named, or those that match a pattern, as with
// the go command.
func TestAssemblerFlags(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

import "example.com/f/sub"

func Value() int64

func main() { println(Value(), sub.Value()) }
-- f.s --
#include "textflag.h"
#ifndef VALUE
#define VALUE 1
#endif
TEXT ·Value(SB),NOSPLIT,$0-8
	MOVQ $VALUE, ret+0(FP)
	RET
-- sub/sub.go --
package sub

func Value() int64
-- sub/f.s --
#include "textflag.h"
#ifndef VALUE
#define VALUE 1
#endif
TEXT ·Value(SB),NOSPLIT,$0-8
	MOVQ $VALUE, ret+0(FP)
	RET
`)
	for _, flags := range [][]string{nil, {"-asmflags=-D VALUE=2"}, {"-asmflags=all=-D=VALUE=3"},
		{"-asmflags=./...=-D VALUE=4"}, {"-asmflags=example.com/f/sub=-D VALUE=5"},
		{"-asmflags=all=-D VALUE=6", "-asmflags=-D VALUE=7"}, {"-asmflags=./sub=-D VALUE=8", "-asmflags=."}, {"-asmflags=-D"}} {
		cmd := exec.Command("go", append(append([]string{"run"}, flags...), ".")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0")
		var gc bytes.Buffer
		cmd.Stderr = &gc
		cmd.Run()
		r := run(t, dir, nil, append(append([]string{"run"}, flags...), ".")...)
		if strings.Contains(gc.String(), "usage") || cmd.ProcessState.ExitCode() != 0 {
			if r.code == 0 {
				t.Errorf("%q: %s; gc: %s", flags, r.stderr, gc.String())
			}
			continue
		}
		want(t, r, 0, "", gc.String())
	}
	if r := run(t, dir, nil, "build", "-x", "-asmflags=-D VALUE="+fmt.Sprint(time.Now().UnixNano()),
		"."); !strings.Contains(r.stderr, "/asm -p main ") && !strings.Contains(r.stderr, "/asm -p example.com/f ") ||
		!strings.Contains(r.stderr, " -D VALUE=") {
		t.Errorf("-x does not show the assembler: %s", r.stderr)
	}
	if r := run(t, dir, nil, "build", "-asmflags=-gensymabis", "."); r.code != 2 ||
		!strings.Contains(r.stderr, "loam passes no -gensymabis to the assembler") {
		t.Errorf("%s", r.stderr)
	}
}
