package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A program that would be made again is left as it is, with a new time; one that differs from what
// would be made, or that says nothing of itself, is linked again.
func TestUnchangedProgram(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- go.mod --\nmodule example.com/same\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() { println(1) }\n")
	program := filepath.Join(dir, "same")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	// build tells whether it linked the program.
	build := func(args ...string) bool {
		t.Helper()
		before, _ := os.Stat(program)
		if before != nil {
			if err := os.Chtimes(program, old, old); err != nil {
				t.Fatal(err)
			}
		}
		want(t, run(t, dir, nil, append([]string{"build", "-O=instant", "-o", program}, args...)...), 0, "", "")
		after, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		if !after.ModTime().After(old) {
			t.Errorf("build %v left the time of the program", args)
		}
		return before == nil || !os.SameFile(before, after)
	}
	if !build() {
		t.Fatal("the first build linked nothing")
	}
	first, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if build() {
		t.Error("a build without a change linked the program again")
	}
	if !build("-a") {
		t.Error("build -a did not link")
	}
	if !build("-ldflags=-X=main.unknown=x") {
		t.Error("another -X did not link")
	}
	if !build() {
		t.Error("the program without -X was taken for the one with it")
	}
	// Without its note, the program has no id.
	if err := os.WriteFile(program, bytes.Replace(first, []byte("Go\x00\x00"), []byte("No\x00\x00"), 1), 0o777); err != nil {
		t.Fatal(err)
	}
	if !build() {
		t.Error("a program without an id was left")
	}
	if err := os.Chmod(program, 0o644); err != nil {
		t.Fatal(err)
	}
	if !build() {
		t.Error("a file that cannot be executed was left")
	}
	write(t, dir, "-- main.go --\npackage main\n\nfunc main() { println(2) }\n")
	if !build() {
		t.Error("a changed program was not linked")
	}

	id, err := exec.Command("go", "tool", "buildid", program).CombinedOutput()
	if text := strings.TrimSpace(string(id)); err != nil || len(text) != 64 {
		t.Errorf("go tool buildid: %v, %q", err, text)
	}
}
