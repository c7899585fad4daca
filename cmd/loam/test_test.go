package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// varying is what differs from run to run in the output of tests.
var varying = regexp.MustCompile(`\d+\.\d+s|\(cached\)|"Time":"[^"]*"|"Elapsed":[0-9.e-]+|/\S+/t\.test`)

// sameAsGo holds loam against go with the same arguments: output, but for what varies, errors
// of the compiler, exit code.
func sameAsGo(t *testing.T, dir string, args []string) {
	t.Helper()
	gc := exec.Command("go", args...)
	gc.Dir = dir
	gc.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	gc.Stdout, gc.Stderr = &stdout, &stderr
	gc.Run()
	r := run(t, dir, nil, args...)
	plain := func(s string) string { return varying.ReplaceAllString(s, "T") }
	if got, want := plain(r.stdout), plain(stdout.String()); got != want || r.code != gc.ProcessState.ExitCode() {
		t.Errorf("%v: exit code %d, want %d, stderr %s, stdout\n%s--- want\n%s", args, r.code, gc.ProcessState.ExitCode(), r.stderr, got, want)
	}
	if got, want := plain(r.stderr), plain(stderr.String()); got != want {
		t.Errorf("%v: stderr\n%s--- want\n%s", args, got, want)
	}
}

// TestTest holds loam test against go test, but for the times.
func TestTest(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/t

go 1.26
-- t.go --
package t

func Add(a, b int) int { return a + b }
-- t_test.go --
package t

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

var extra = flag.Bool("extra", false, "")

func TestMain(m *testing.M) {
	_, file, line, _ := runtime.Caller(1)
	fmt.Println("setup", file, line)
	code := m.Run()
	os.Exit(code)
}

func TestAdd(t *testing.T) {
	t.Run("sub", func(t *testing.T) { t.Log("logged") })
	if Add(1, 2) != 3 {
		t.Error("wrong")
	}
	if _, err := os.ReadFile("testdata/x"); err != nil {
		t.Error(err)
	}
}

func TestSkip(t *testing.T) { t.Skip("not now") }

func TestExtra(t *testing.T) {
	if *extra {
		t.Fatal("extra")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) { Add(a, b) })
}

var Exported = 5
-- x_test.go --
package t_test

import (
	"fmt"
	"testing"

	"example.com/t"
	"example.com/t/user"
)

func TestExternal(tt *testing.T) {
	if t.Exported != 5 || user.Twice(2) != 4 {
		tt.Fail()
	}
}

func ExampleAdd() {
	fmt.Println(t.Add(1, 2))
	// Output: 3
}
-- testdata/x --
-- user/user.go --
package user

import "example.com/t"

func Twice(n int) int { return t.Add(n, n) }
-- broken/b.go --
package broken
-- broken/b_test.go --
package broken

import "testing"

func TestFail(t *testing.T) { t.Error("on purpose") }
-- types/t.go --
package types

func F() int { return "x" }
-- types/t_test.go --
package types

import "testing"

func TestF(t *testing.T) { F() }
-- missing/m.go --
package missing

import _ "no/such/package"
-- missing/m_test.go --
package missing

import "testing"

func TestM(t *testing.T) {}
-- quiet/q_test.go --
package quiet

import (
	"os"
	"strconv"
	"testing"
)

// TestMain prints what it is told to, and exits with a status.
func TestMain(m *testing.M) {
	os.Stdout.WriteString(os.Getenv("PRINTED"))
	status, _ := strconv.Atoi(os.Getenv("STATUS"))
	os.Exit(status)
}

func TestNever(t *testing.T) {}
`)
	for _, args := range [][]string{
		{"./..."}, {"-v"}, {"-v", "."}, {"-run=Nothing", "."}, {".", "-args", "-extra"}, {"-list", ".", "."}, {"-json", "-run=Add", "."},
		{"./user", "./broken", "."}, {"-v", "-shuffle=3", "-skip=Skip", ".", "-extra"}, {"-json", "./types"},
		{`-exec='/bin/echo' "two words"`, "-run=Add", "."},
		{"-exec=echo", "-parallel=2", "-cpu=1,2", ".", "-unknown", "value", "-count=1", "rest", "-v"},
	} {
		sameAsGo(t, dir, append([]string{"test"}, args...))
	}
	for _, printed := range []string{"", "x", "PASS\n", "FAIL\n", "--- FAIL: TestX (0.00s)\nFAIL\n",
		"--- SKIP: TestX (0.00s)\nPASS\n", "PASS\nx\n", "?   \tpkg\t[no test files]\n"} {
		for _, status := range []string{"0", "1", "2"} {
			t.Setenv("PRINTED", printed)
			t.Setenv("STATUS", status)
			sameAsGo(t, dir, []string{"test", "-json", "-count=1", "./quiet"})
		}
	}
	want(t, run(t, dir, nil, "test", "-c", "-o", "t.exe", "."), 0, "", "")
	if out, err := exec.Command(filepath.Join(dir, "t.exe"), "-test.run=External").CombinedOutput(); err != nil {
		t.Errorf("t.exe: %v\n%s", err, out)
	}
}

// TestResultCache checks when a test runs again: if what it read has changed, or if asked to.
func TestResultCache(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/c

go 1.26
-- c_test.go --
package c

import (
	"os"
	"testing"
)

func TestReads(t *testing.T) {
	data, _ := os.ReadFile("testdata/x")
	t.Logf("%s %s", data, os.Getenv("LOAM_TEST_VAR"))
	if string(data) == "bad" {
		t.Fatal("bad")
	}
}
-- testdata/x --
one
`)
	file := filepath.Join(dir, "testdata", "x")
	age := func(hours time.Duration) {
		when := time.Now().Add(-hours * time.Hour)
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	age(1)
	step := func(cached bool, env []string, args ...string) {
		t.Helper()
		r := run(t, dir, env, append([]string{"test"}, args...)...)
		if r.code != 0 || strings.HasSuffix(r.stdout, "\t(cached)\n") != cached {
			t.Errorf("%v %v: exit code %d, cached should be %v\n%s%s", env, args, r.code, cached, r.stdout, r.stderr)
		}
	}
	step(false, nil, ".")
	step(true, nil, ".")
	step(false, nil)
	step(false, nil, "-count=1", ".")
	step(false, nil, "-run=Reads", ".")
	step(true, nil, "-run=Reads", ".")
	step(true, []string{"LOAM_OTHER=1"}, ".")
	step(false, []string{"LOAM_TEST_VAR=1"}, ".")
	step(true, []string{"LOAM_TEST_VAR=1"}, ".")
	step(false, nil, ".", "-args", "x")
	binary := filepath.Join(t.TempDir(), "kept")
	step(false, nil, "-o", binary, ".") // it has symbols, so it is another program
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	step(true, nil, "-o", binary, ".") // is wanted though nothing runs
	if st, err := os.Stat(binary); err != nil || st.Mode()&0o111 == 0 {
		t.Errorf("test -o: %v, %v", st, err)
	}
	age(2)
	step(false, nil, ".")
	step(true, nil, ".")
	want(t, run(t, dir, nil, "clean", "-testcache"), 0, "", "")
	step(false, nil, ".")
	if err := os.WriteFile(file, []byte("bad"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // failures are not kept
		if r := run(t, dir, nil, "test", "."); r.code != 1 {
			t.Errorf("exit code %d, %s", r.code, r.stdout)
		}
	}
}

// TestSetup: why packages cannot be put together, with the way to the one at fault.
func TestSetup(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.com/e

go 1.26
-- e.go --
package e

import _ "example.com/e/x"
-- x/x.go --
package x

import _ "example.com/e/y"
-- y/y.go --
package y

import _ "example.com/e/x"
-- z/z_windows.go --
package z
`)
	const way = "package example.com/e\n\timports example.com/e/x from e.go\n\timports example.com/e/y from x.go\n" +
		"\timports example.com/e/x from y.go: import cycle not allowed\n"
	want(t, run(t, dir, nil, "test", "."), 1, "FAIL\texample.com/e [setup failed]\nFAIL\n", "# example.com/e\n"+way)
	want(t, run(t, dir, nil, "test", "./z"), 1, "FAIL\texample.com/e/z [setup failed]\nFAIL\n",
		"# example.com/e/z\npackage example.com/e/z: build constraints exclude all Go files in "+filepath.Join(dir, "z")+"\n")
}

// TestTimeLimit checks that a test that hangs is stopped, with all goroutines shown.
func TestTimeLimit(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/h

go 1.26
-- h_test.go --
package h

import "testing"

func TestHang(t *testing.T) { hang() }

func hang() { select {} }
`)
	r := run(t, dir, nil, "test", "-timeout=200ms", ".")
	for _, part := range []string{"panic: test timed out after 200ms\n\trunning tests:\n\t\tTestHang (0s)\n",
		"example.com/h.hang(", "\nFAIL\texample.com/h\t0.", "s\nFAIL\n"} {
		if r.code != 1 || !strings.Contains(r.stdout, part) {
			t.Errorf("exit code %d, %q is missing in\n%s", r.code, part, r.stdout)
		}
	}
}

// TestFuzz checks that fuzzing is guided by what inputs reach: nobody guesses four letters.
func TestFuzz(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- f.go --
package f

func Magic(s string) {
	if len(s) > 3 && s[0] == 'm' {
		if s[1] == 'a' {
			if s[2] == 'g' && s[3] == 'i' {
				panic("found")
			}
		}
	}
}
-- f_test.go --
package f

import "testing"

func FuzzMagic(f *testing.F) {
	f.Add("hello")
	f.Fuzz(func(t *testing.T, s string) { Magic(s) })
}
`)
	r := run(t, dir, nil, "test", "-fuzz=Magic", "-fuzztime=60s", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "panic: found") || !strings.HasSuffix(r.stdout, "s\n") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	found, _ := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", "FuzzMagic", "*"))
	if len(found) != 1 {
		t.Fatalf("inputs: %v", found)
	}
	r = run(t, dir, nil, "test", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "--- FAIL: FuzzMagic/"+filepath.Base(found[0])) {
		t.Errorf("the input that was found does not fail again: exit code %d\n%s", r.code, r.stdout)
	}
}

// A module may have a path that begins like the names of what Loam adds to programs: its functions
// are seen in stacks as others are.
func TestPathLikeOwn(t *testing.T) {
	dir := module(t, `
-- go.mod --
module loam.example/m

go 1.26
-- m_test.go --
package m

import "testing"

func TestHere(t *testing.T) {
	t.Error("is here")
}
`)
	if r := run(t, dir, nil, "test", "."); !strings.Contains(r.stdout, "m_test.go:6: is here\n") {
		t.Errorf("no place of the error in\n%s%s", r.stdout, r.stderr)
	}
}
