package crashtest

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"loam/internal/loamtest"
)

// TestStripped: a program knows its functions and lines without symbols, without debug information,
// and without its file.
func TestStripped(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	os.Chmod(dir, 0o755)
	os.Chmod(filepath.Dir(dir), 0o755)
	build := func(name string, flags ...string) string {
		exe := filepath.Join(dir, name)
		loamtest.Do(t, loam, append(append([]string{"build", "-o", exe}, flags...), "testdata/stripped/main.go")...)
		return exe
	}
	addresses := regexp.MustCompile(`0x[0-9a-f]+|\+0x|goroutine \d+`)
	run := func(cmd *exec.Cmd) string {
		t.Helper()
		out, err := cmd.CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
			t.Errorf("%v: %v", cmd.Args, err)
		}
		return addresses.ReplaceAllString(string(out), "*")
	}
	whole := build("whole")
	want := run(exec.Command(whole))
	for _, text := range []string{"main.go:42: line", "main.positions.func", "main.T[...].Where", "strings.Index ", "main.main()\n"} {
		if !strings.Contains(want, text) {
			t.Errorf("%q is missing in\n%s", text, want)
		}
	}
	fatal := run(exec.Command(whole, "fatal"))
	if !strings.Contains(fatal, "fatal error: sync: unlock of unlocked mutex") || !strings.Contains(fatal, "stripped/main.go:") {
		t.Errorf("no fatal error, or none with lines: %s", fatal)
	}
	same := func(what string, cmd *exec.Cmd) {
		t.Helper()
		other := *cmd
		other.Args = append(slices.Clone(cmd.Args), "fatal")
		if got := run(cmd); got != want {
			t.Errorf("%s: %s\nwant %s", what, got, want)
		}
		if len(cmd.Env) == 0 { // otherwise the program is gone
			if got := run(&other); got != fatal {
				t.Errorf("%s: %s\nwant %s", what, got, fatal)
			}
		}
	}
	for _, c := range []struct {
		flags          string
		symbols, debug bool
	}{{"", true, true}, {"-w", true, false}, {"-s", false, false}, {"-s -w", false, false}, {"-s -w=0", false, true},
		{"-s=0 -w=0", true, true}} {
		exe := build("flags", "-ldflags="+c.flags)
		same(c.flags, exec.Command(exe))
		if symbols, debug := sectionsOf(t, exe); symbols != c.symbols || debug != c.debug {
			t.Errorf("%s: symbols %t, debug information %t", c.flags, symbols, debug)
		}
	}
	copied := func(name string) string {
		data, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o755); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, tool := range []string{"strip", "strip -g", "strip --strip-unneeded", "objcopy -S", "llvm-strip-19",
		"llvm-objcopy-19 --strip-all"} {
		words := strings.Fields(tool)
		if _, err := exec.LookPath(words[0]); err != nil {
			continue
		}
		exe := copied("stripped")
		loamtest.Do(t, words[0], append(words[1:], exe)...)
		same(tool, exec.Command(exe))
	}
	for _, how := range []string{"removed", "replaced"} {
		cmd := exec.Command(copied("gone"))
		cmd.Env = append(os.Environ(), "GONE="+how)
		same(how, cmd)
	}
	if os.Getuid() == 0 {
		exe := copied("unreadable")
		if err := os.Chmod(exe, 0o711); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		same("unreadable", cmd)
	}
}

// sectionsOf reports whether a program has symbols and debug information.
func sectionsOf(t *testing.T, exe string) (symbols, debug bool) {
	t.Helper()
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range f.Sections {
		symbols = symbols || s.Type == elf.SHT_SYMTAB
		debug = debug || strings.HasPrefix(s.Name, ".debug_")
	}
	return symbols, debug
}
