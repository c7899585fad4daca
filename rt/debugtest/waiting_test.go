package debugtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"loam/internal/loamtest"
)

// waitingProgram is testdata/waiting.go, not optimised.
func waitingProgram(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", exe, "testdata/waiting.go")
	return exe
}

// goroutineOf is the number of the goroutine whose line in a list the pattern matches.
func goroutineOf(t *testing.T, list, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^ +Goroutine (\d+) - User: ` + pattern).FindStringSubmatch(list)
	if m == nil {
		t.Fatalf("no goroutine is %s in\n%s", pattern, loamtest.Clip(list))
	}
	return m[1]
}

// checkWaiting looks at a list of the goroutines of testdata/waiting.go.
func checkWaiting(t *testing.T, list string) {
	t.Helper()
	if n := strings.Count(list, "main.waiter ("); n != 101 {
		t.Errorf("%d goroutines wait in waiter, want 101", n)
	}
	expect(t, list,
		`(?m)^  Goroutine \d+ - User: \S*waiting\.go:14 main\.waiter \(0x[0-9a-f]+\) \[chan receive\]$`,
		`sync\.\(\*Mutex\)\.\w+ \(0x[0-9a-f]+\) \[sync\.Mutex\.Lock\]`,
		`\[select \(no cases\)\]`, `\[sleep\]`)
	for _, bad := range []string{"unreadable", "Unreadable", "Goroutine 0", "error"} {
		if strings.Contains(list, bad) {
			t.Errorf("%q in\n%s", bad, loamtest.Clip(list))
		}
	}
}

// TestDelveGoroutines: goroutines that wait have reasons, stacks over hops, and variables; those
// that have ended are not shown. A panic that nobody recovers stops the program where it is.
func TestDelveGoroutines(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // goroutines have the same numbers in all sessions
	exe := waitingProgram(t)
	list := session(t, []string{"exec", exe}, "break main.stop", "continue", "goroutines")
	checkWaiting(t, list)
	expect(t, session(t, []string{"exec", exe}, "continue", "stack"),
		`> \[unrecovered-panic\] runtime\.fatalpanic\(\)`, ` in runtime\.gopanic\n`, ` in main\.stop\n.*waiting\.go:60\n`, ` in main\.main\n`)
	waiter, locker := goroutineOf(t, list, `\S*waiting\.go:14 main\.waiter`), goroutineOf(t, list, `.*\[sync\.Mutex\.Lock\]`)
	out := session(t, []string{"exec", exe}, "break main.stop", "continue",
		"goroutine "+waiter, "stack 60", "goroutine "+waiter+" frame 8 print i + local", "goroutine "+locker, "stack",
		"goroutines -with userloc waiting.go:14 -exec stack 100")
	expect(t, out,
		`Switched from 1 to `+waiter, ` in runtime\.gopark\n`, ` 8 .* in main\.waiter\n.*waiting\.go:14\n`, ` in runtime\.goexit\n`,
		`Switched from `+waiter+` to `+locker, ` in sync\.\(\*Mutex\)\.\w+\n`, ` in main\.locker\n.*waiting\.go:19\n`)
	if n := strings.Count(out, " in main.deep\n"); n != 61 {
		t.Errorf("the deep stack has %d frames of deep, want 61", n)
	}
	if !strings.Contains(out, "in runtime.stackhop\n") {
		t.Error("the deep stack does not hop")
	}
}

// TestDelveCore: a core file shows the same.
func TestDelveCore(t *testing.T) {
	exe := waitingProgram(t)
	if text, err := os.ReadFile("/proc/sys/kernel/core_pattern"); err != nil || strings.TrimSpace(string(text)) != "core" {
		t.Skip("core files are written elsewhere")
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", "ulimit -c unlimited && exec "+exe)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOTRACEBACK=crash")
	cmd.Run()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.CoreDump() {
		t.Skip("no core file is written here")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "core*"))
	if len(files) != 1 {
		t.Skipf("core files: %v", files)
	}
	out := session(t, []string{"core", exe, files[0]}, "goroutines", "goroutine 1", "stack")
	checkWaiting(t, out)
	expect(t, out, ` in runtime\.gopanic\n`, ` in main\.stop\n.*waiting\.go:60\n`, ` in main\.main\n`)
}

// TestDelveBuilds: delve builds with loam, and traces what it has built.
func TestDelveBuilds(t *testing.T) {
	dlv := delve(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"m.go":      "package main\n\nfunc twice(n int) int { return 2 * n }\n\nfunc main() { println(twice(4)) }\n",
		"m_test.go": "package main\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tgot := twice(21)\n\tt.Log(got)\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args []string, commands string) string {
		file := filepath.Join(dir, "commands")
		if err := os.WriteFile(file, []byte(commands), 0o666); err != nil {
			t.Fatal(err)
		}
		if commands != "" {
			args = append(args, "--init", file, "--allow-non-terminal-interactive=true")
		}
		cmd := exec.Command(loamtest.Command(t), append([]string{"dlv"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(dlv)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
		return colours.ReplaceAllString(string(out), "")
	}
	expect(t, run([]string{"debug"}, "break main.twice\ncontinue\nargs\nstack\nexit\n"),
		`> \[Breakpoint 1\] main\.twice\(\) \./m\.go:3 `, `n = 4`, ` in main\.main\n`)
	expect(t, run([]string{"test"}, "break TestTwice\ncontinue\nnext\nnext\nprint got\nstack\nexit\n"),
		`> \[Breakpoint 1\] m\.TestTwice\(\) \./m_test\.go:6 `, `(?m)^42$`, ` in testing\.tRunner\n`)
	expect(t, run([]string{"trace", "twice"}, ""), `> goroutine\(1\): main\.twice\(4\)`)
	if files, _ := filepath.Glob(filepath.Join(dir, "__debug*")); len(files) > 0 {
		t.Errorf("files are left: %v", files)
	}
}
