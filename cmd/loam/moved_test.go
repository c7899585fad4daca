package main_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// moved is a program that is in the SDK, in a module and in its own package when it panics.
const moved = `
-- go.mod --
module example.com/p

go 1.26

require example.com/tool v1.2.3
-- main.go --
package main

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"

	"example.com/tool/lib"
)

func main() {
	fmt.Println(runtime.GOROOT())
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		lib.Call(func() {
			strings.Map(func(rune) rune { where(); panic("here") }, "a")
		})
	})
	r, _ := http.NewRequest("GET", "/", nil)
	mux.ServeHTTP(nil, r)
}

func where() {
	pcs := make([]uintptr, 20)
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)]); ; {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Println(f.Function, f.File, f.Line)
		}
		if !more {
			break
		}
	}
}
`

// TestPackMoved: a pack serves an SDK and a module cache that are elsewhere, and what is linked of
// it names the files where they are, in tracebacks and to debuggers, as gc's programs do.
func TestPackMoved(t *testing.T) {
	dir := module(t, moved)
	env := []string{"GOPROXY=file://" + proxy(t, "example.com/tool", "v1.2.3", map[string]string{
		"go.mod":     "module example.com/tool\n\ngo 1.26\n",
		"lib/lib.go": "package lib\n\n// Call calls f.\nfunc Call(f func()) { defer println(\"called\"); f() }\n",
	}), "GOFLAGS=-modcacherw -mod=mod", "GONOSUMDB=*", "GOSUMDB=off", "CGO_ENABLED=0", "GOROOT="}
	name := filepath.Join(t.TempDir(), "p.pack")
	if r := run(t, dir, append(env, "GOMODCACHE="+t.TempDir()), "pack", "-o", name, "./..."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	sdk := copySDK(t, goEnv(t, dir, nil, "GOROOT"))
	env = append(env, "GOMODCACHE="+t.TempDir(), "LOAM_GO="+sdk+"/bin/go", "PATH="+sdk+"/bin:"+os.Getenv("PATH"))
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		return cmd
	}
	if out, err := command(sdk+"/bin/go", "build", "-o", "gc", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want(t, run(t, dir, append(env, "LOAMCACHE="+t.TempDir(), "LOAMPACK="+name), "build", "-v", "-o", "ours", "."), 0, "", "")
	said := func(program string) (stdout, files string) {
		cmd := command(filepath.Join(dir, program))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 2 {
			t.Fatalf("%s: %v: %s", program, err, stderr.String())
		}
		for _, m := range regexp.MustCompile(`(?m)^\t(/.*:\d+)`).FindAllStringSubmatch(stderr.String(), -1) {
			if !strings.Contains(m[1], "/src/runtime/") {
				files += m[1] + "\n"
			}
		}
		return string(out), files
	}
	stdout, files := said("ours")
	wantStdout, wantFiles := said("gc")
	if stdout != wantStdout || files != wantFiles {
		t.Errorf("%s%s--- want\n%s%s", stdout, files, wantStdout, wantFiles)
	}
	for _, place := range []string{sdk + "/src/net/http/server.go:", "/example.com/tool@v1.2.3/lib/lib.go:", dir + "/main.go:"} {
		if !strings.Contains(files, place) {
			t.Errorf("no %s in\n%s", place, files)
		}
	}
	if _, err := exec.LookPath("gdb"); err == nil {
		out, _ := command("gdb", "-nx", "-batch", "-ex", "list strings.Map", "-ex", "info source", "ours").Output()
		if !strings.Contains(string(out), "Located in "+sdk+"/src/strings/strings.go\n") {
			t.Errorf("gdb: %s", out)
		}
	}
}

// copySDK copies what builds need of an SDK, by links where the file system allows.
func copySDK(t *testing.T, goroot string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "elsewhere", "go")
	for _, part := range []string{"VERSION", "go.env", "bin", "pkg/tool", "pkg/include", "src", "lib"} {
		err := filepath.WalkDir(filepath.Join(goroot, part), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			target := filepath.Join(to, strings.TrimPrefix(name, goroot))
			if d.IsDir() {
				return os.MkdirAll(target, 0o777)
			}
			if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
				return err
			}
			if os.Link(name, target) == nil {
				return nil
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(target, data, 0o777)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}
