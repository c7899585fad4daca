package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// heavyPackages writes a module of packages that import nothing and keep clang busy for a moment
// each.
func heavyPackages(t *testing.T, n int) (dir string) {
	var text strings.Builder
	text.WriteString("-- go.mod --\nmodule example.com/heavy\n\ngo 1.26\n")
	for i := range n {
		fmt.Fprintf(&text, "-- p%d/p.go --\npackage p%[1]d\n\n", i)
		for j := range 60 {
			fmt.Fprintf(&text, "func F%d(a, b [64]int) (s int) {\n\tfor i := range a {\n\t\tfor j := range b {\n\t\t\tif a[i] > b[j] {\n"+
				"\t\t\t\ts += a[i] * %d\n\t\t\t} else {\n\t\t\t\ts ^= b[j]\n\t\t\t}\n\t\t}\n\t}\n\treturn\n}\n", j, i+j)
		}
	}
	return module(t, text.String())
}

// temporary lists what is in the cache but for what is kept there.
func temporary(t *testing.T, cache string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		kept := false
		for _, pattern := range []string{"obj", "goroot-*", "locks", "trimmed", "size"} {
			m, _ := filepath.Match(pattern, e.Name())
			kept = kept || m
		}
		if !kept {
			filepath.WalkDir(filepath.Join(cache, e.Name()), func(name string, _ fs.DirEntry, _ error) error {
				list = append(list, name)
				return nil
			})
		}
	}
	return list
}

// working lists the processes whose command lines name the cache.
func working(cache string) (list []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if line, _ := os.ReadFile(name); strings.Contains(string(line), cache) {
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// TestKilledLeavesNothing ends builds by signals, at different moments, while clang runs: clang
// ends with them, and their temporary files are gone, at once or, after SIGKILL, with the next
// build.
func TestKilledLeavesNothing(t *testing.T) {
	dir := heavyPackages(t, 8)
	cache := filepath.Join(t.TempDir(), "cache")
	temps := t.TempDir()
	env := []string{"LOAMCACHE=" + cache, "TMPDIR=" + temps}
	want(t, run(t, dir, env, "build", "./p0"), 0, "", "") // makes the shadow GOROOT
	for i, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL, syscall.SIGTERM} {
		if signal.Ignored(sig) {
			continue // as under nohup: then loam ignores it, too
		}
		os.RemoveAll(filepath.Join(cache, "obj"))
		cmd := exec.Command(loam, "build", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), env...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for last := time.Now().Add(20 * time.Second); len(working(cache)) == 0 && time.Now().Before(last); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i*70) * time.Millisecond)
		cmd.Process.Signal(sig)
		cmd.Wait()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != sig {
			t.Errorf("%v: the build ended with %v", sig, cmd.ProcessState)
		}
		for last := time.Now().Add(10 * time.Second); len(working(cache)) > 0; time.Sleep(time.Millisecond) {
			if sig != syscall.SIGKILL || time.Now().After(last) {
				t.Errorf("%v: %q goes on", sig, working(cache))
				break
			}
		}
		if sig == syscall.SIGKILL {
			want(t, run(t, dir, env, "build", "./p0"), 0, "", "")
		}
		if left := temporary(t, cache); len(left) > 0 {
			t.Errorf("%v left %q", sig, left)
		}
	}
	if left, _ := os.ReadDir(temps); len(left) > 0 {
		t.Errorf("in TMPDIR: %v", left)
	}
}

// TestEachOnce: builds at the same time compile each package once between them.
func TestEachOnce(t *testing.T) {
	dir := heavyPackages(t, 6)
	tools := t.TempDir()
	log := filepath.Join(tools, "log")
	clang := strings.TrimSpace(run(t, dir, nil, "env", "LOAM_CLANG").stdout)
	script(t, filepath.Join(tools, "clang"), fmt.Sprintf("case $1 in --version) ;; *) echo run >>%s ;; esac\nexec %s \"$@\"", log, clang))
	env := []string{"LOAMCACHE=" + filepath.Join(tools, "cache"), "LOAM_CLANG=" + filepath.Join(tools, "clang")}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { want(t, run(t, dir, env, "build", "./..."), 0, "", "") })
	}
	all.Wait()
	if data, _ := os.ReadFile(log); strings.Count(string(data), "run\n") != 6 {
		t.Errorf("clang ran %d times, want 6", strings.Count(string(data), "run\n"))
	}
}

// TestLockOfKilled: a build that waits for another one's object makes it itself if that one is
// killed, and nobody else does so meanwhile.
func TestLockOfKilled(t *testing.T) {
	dir := heavyPackages(t, 1)
	tools := t.TempDir()
	began, log := filepath.Join(tools, "began"), filepath.Join(tools, "log")
	clang := strings.TrimSpace(run(t, dir, nil, "env", "LOAM_CLANG").stdout)
	// The first to compile never ends by itself.
	script(t, filepath.Join(tools, "clang"), fmt.Sprintf("case $1 in --version) exec %s --version;; esac\n"+
		"if mkdir %s 2>/dev/null; then exec tail -f /dev/null; fi\necho run >>%s\nexec %[1]s \"$@\"", clang, began, log))
	cache := filepath.Join(tools, "cache")
	env := []string{"LOAMCACHE=" + cache, "LOAM_CLANG=" + filepath.Join(tools, "clang")}
	first := exec.Command(loam, "build", "./...")
	first.Dir, first.Env = dir, append(os.Environ(), env...)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for last := time.Now().Add(time.Minute); time.Now().Before(last); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(began); err == nil {
			break
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { want(t, run(t, dir, env, "build", "./..."), 0, "", "") })
	}
	time.Sleep(500 * time.Millisecond) // if the others take longer, the test is weaker
	if _, err := os.Stat(log); err == nil {
		t.Error("the object was made while another build makes it")
	}
	first.Process.Kill()
	first.Wait()
	all.Wait()
	if data, _ := os.ReadFile(log); string(data) != "run\n" {
		t.Errorf("clang ran %d times, want once", strings.Count(string(data), "run\n"))
	}
	want(t, run(t, dir, env, "build", "./..."), 0, "", "")
	if left := temporary(t, cache); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// script writes a shell script.
func script(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestReadOnlyCache: a cache that cannot be written to serves builds of what it holds, and says so
// otherwise.
func TestReadOnlyCache(t *testing.T) {
	dir := module(t, program)
	shared := strings.TrimSpace(run(t, dir, nil, "env", "LOAMCACHE").stdout)
	want(t, run(t, dir, nil, "build", "-o", "out", "."), 0, "", "")
	cache := filepath.Join(t.TempDir(), "cache")
	// The cache as others see it: links to the real one in directories without write permission.
	for _, name := range []string{"obj", strings.TrimSpace(filepath.Base(run(t, dir, nil, "env", "LOAMGOROOT").stdout))} {
		if err := os.MkdirAll(cache, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(shared, name), filepath.Join(cache, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(cache, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(cache, 0o777)
	probe := filepath.Join(cache, "probe")
	if os.WriteFile(probe, nil, 0o666) == nil {
		os.Remove(probe)
		mount := exec.Command("unshare", "-m", "mount", "--bind", cache, cache)
		if err := mount.Run(); err != nil {
			t.Skipf("as root, mount: %v", err)
		}
	}
	build := func(out string) result {
		command := exec.Command("unshare", "-m", "sh", "-c",
			`mount --bind "$LOAMCACHE" "$LOAMCACHE" && mount -o remount,ro,bind "$LOAMCACHE" && exec "$0" "$@"`, loam, "build", "-o", out, ".")
		if os.Geteuid() != 0 {
			command = exec.Command(loam, "build", "-o", out, ".")
		}
		command.Dir = dir
		command.Env = append(os.Environ(), "LOAMCACHE="+cache)
		var stderr strings.Builder
		command.Stderr = &stderr
		command.Run()
		return result{"", stderr.String(), command.ProcessState.ExitCode()}
	}
	want(t, build("again"), 0, "", "")
	if out, _ := exec.Command(filepath.Join(dir, "again")).CombinedOutput(); string(out) != "hello\n" {
		t.Errorf("%q", out)
	}
	write(t, dir, "-- lib/lib.go --\npackage lib\n\nfunc Hello(n int) string { return \"other\" }\n")
	want(t, build("other"), 1, "", "loam: cannot write to the cache "+cache+" (LOAMCACHE chooses another): "+
		map[bool]string{true: "read-only file system", false: "permission denied"}[os.Geteuid() == 0]+"\n")
}

// TestInterruptedTest: an interrupt while test binaries are made ends loam test with its compilers,
// without a word about them.
func TestInterruptedTest(t *testing.T) {
	dir := heavyPackages(t, 6)
	for i := range 6 {
		write(t, dir, fmt.Sprintf("-- p%d/p_test.go --\npackage p%[1]d\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F0([64]int{}, [64]int{}) }\n", i))
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		write(t, dir, fmt.Sprintf("-- p0/new.go --\npackage p0\n\nconst Fresh = %q\n", t.TempDir()))
		tools := t.TempDir()
		began := filepath.Join(tools, "began")
		clang := strings.TrimSpace(run(t, dir, nil, "env", "LOAM_CLANG").stdout)
		// This one passes for a clang, and would never end by itself.
		script(t, filepath.Join(tools, "clang"),
			fmt.Sprintf("case $1 in --version) exec %s --version;; esac\necho >%s\nexec tail -f %[2]s", clang, began))
		cmd := exec.Command(loam, "test", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LOAMCACHE="+filepath.Join(tools, "cache"), "LOAM_CLANG="+filepath.Join(tools, "clang"))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.WaitDelay = 10 * time.Second // for compilers that go on and keep the pipe
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for last := time.Now().Add(60 * time.Second); time.Now().Before(last); time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(began); err == nil {
				break
			}
		}
		cmd.Process.Signal(sig)
		cmd.Wait()
		want := map[syscall.Signal]string{syscall.SIGINT: "FAIL\n"}[sig]
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if out.String() != want || sig == syscall.SIGINT && status.ExitStatus() != 1 || sig != syscall.SIGINT && status.Signal() != sig {
			t.Errorf("%v: %v, %q, want %q", sig, cmd.ProcessState, out.String(), want)
		}
		if left := working(tools); len(left) > 0 {
			t.Errorf("%v: %q goes on", sig, left)
		}
	}
}
