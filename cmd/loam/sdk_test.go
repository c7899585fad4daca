package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// TestReleases builds and runs programs with an SDK of each release, as the go command does.
func TestReleases(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

type big [40]int64

// fill reports whether a map finds what was put into it: by the forms for words and strings, by the
// general one, and by reflection.
func fill[K comparable, V comparable](key func(int) K, value func(int) V) string {
	m := map[K]V{}
	other := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[K](), reflect.TypeFor[V]()))
	for i := range 1000 {
		m[key(i)] = value(i)
		other.SetMapIndex(reflect.ValueOf(key(i)), reflect.ValueOf(value(i)))
		reflect.ValueOf(m).SetMapIndex(reflect.ValueOf(key(i+5000)), reflect.ValueOf(value(i)))
		reflect.ValueOf(m).SetMapIndex(reflect.ValueOf(key(i+5000)), reflect.Value{})
	}
	for i := 0; i < 1000; i += 3 {
		delete(m, key(i))
		delete(other.Interface().(map[K]V), key(i))
	}
	found := 0
	for i := range 1000 {
		v, ok := m[key(i)]
		if ok != (i%3 != 0) || ok && (v != value(i) || other.MapIndex(reflect.ValueOf(key(i))).Interface() != any(value(i))) {
			return fmt.Sprintf("%T: wrong at %d", m, i)
		}
		if ok {
			found++
		}
	}
	return fmt.Sprintf("%T: %d of %d, %d, %v", m, found, len(m), other.Len(), maps.Equal(m, maps.Clone(m)))
}

func self(i int) int { return i }

func main() {
	fmt.Println(runtime.Version(), strings.Repeat("x", 3))
	type pair struct{ a, b string }
	fmt.Println(fill(self, self))
	fmt.Println(fill(func(i int) uint32 { return uint32(i) }, func(i int) byte { return byte(i) }))
	fmt.Println(fill(func(i int) string { return fmt.Sprint(i, strings.Repeat("-", i%60)) }, self))
	fmt.Println(fill(func(i int) pair { return pair{fmt.Sprint(i), "b"} }, func(i int) big { return big{int64(i)} }))
	fmt.Println(fill(func(i int) any { return i }, func(i int) float64 { return float64(i) }))
	fmt.Println(fill(func(i int) [2]uint16 { return [2]uint16{uint16(i), 7} }, func(i int) struct{} { return struct{}{} }))
	fmt.Println(fill(func(i int) big { return big{2: int64(i)} }, func(i int) string { return fmt.Sprint(i) }))
	fmt.Println(fill(func(i int) float64 { return float64(i) / 2 }, func(i int) bool { return i%2 == 0 }))
	seed := maphash.MakeSeed()
	fmt.Println(maphash.Comparable(seed, 1) == maphash.Comparable(seed, 1))

	var wg sync.WaitGroup
	results := make(chan int)
	for i := range 100 {
		wg.Go(func() { time.Sleep(time.Microsecond); results <- i })
	}
	go func() { wg.Wait(); close(results) }()
	all := []int{}
	for r := range results {
		all = append(all, r)
	}
	slices.Sort(all)
	fmt.Println(len(all), all[99], reflect.TypeOf(struct{ X []map[string]chan int }{}), reflect.SliceOf(reflect.TypeOf(all)) == reflect.TypeOf([][]int{}))
	defer func() { fmt.Println(recover()); os.Exit(3) }()
	_ = all[len(os.Args)+1000]
}
`)
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		sameAsGo(t, dir, []string{"run", "."})
	})
}

// TestSDKChosen: loam takes the SDK that the go command takes in the directory, and fails with its
// words if it cannot have it.
func TestSDKChosen(t *testing.T) {
	loamtest.UseRelease(t, "go1.27")
	newest := goEnv(t, ".", nil, "GOVERSION")
	command := filepath.Join(goEnv(t, ".", nil, "GOROOT"), "bin", "go")
	loamtest.UseRelease(t, "go1.26")
	old := goEnv(t, ".", nil, "GOVERSION")
	modules := module(t, strings.ReplaceAll(`
-- plain/go.mod --
module example.com/plain

go 1.26
-- line/go.mod --
module example.com/line

go NEW
-- toolchain/go.mod --
module example.com/toolchain

go 1.26

toolchain goNEW
-- toolchain/sub/a.txt --
-- default/go.mod --
module example.com/default

go 1.26

toolchain default
-- work/go.work --
go 1.26

toolchain goNEW

use ./m
-- work/m/go.mod --
module example.com/m

go 1.26
-- future/go.mod --
module example.com/future

go 1.999
-- bare/a.txt --
`, "NEW", strings.TrimPrefix(newest, "go")))
	// What the go command fetches it has already if the test has come here with a fetched one, or
	// else finds on PATH.
	onPath := t.TempDir()
	if err := os.Symlink(command, filepath.Join(onPath, newest)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")+":"+onPath)
	for _, test := range []struct {
		dir, env string
		want     string // "" if the go command fails
	}{
		{"plain", "GOTOOLCHAIN=local", old},
		{"plain", "GOTOOLCHAIN=auto", old},
		{"plain", "GOTOOLCHAIN=" + newest, newest},
		{"plain", "LOAM_GO=" + command, newest},
		{"line", "GOTOOLCHAIN=path", newest},
		{"toolchain/sub", "GOTOOLCHAIN=path", newest},
		{"toolchain", "GOTOOLCHAIN=local", old},
		{"default", "GOTOOLCHAIN=path", old},
		{"work/m", "GOTOOLCHAIN=path", newest},
		{"bare", "GOTOOLCHAIN=path", old},
		{"future", "GOTOOLCHAIN=path", ""},
		{"bare", "GOTOOLCHAIN=nonsense", ""},
	} {
		dir := filepath.Join(modules, test.dir)
		have := run(t, dir, []string{test.env}, "env", "GOVERSION")
		if test.want != "" {
			want(t, have, 0, test.want+"\n", "")
			continue
		}
		cmd := exec.Command("go", "env", "GOVERSION")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), test.env)
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Fatalf("%s, %s: go takes %s", test.dir, test.env, out)
		}
		want(t, have, 1, "", string(out))
	}
	dir := filepath.Join(modules, "line")
	cmd := exec.Command("go", "list", ".")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	want(t, run(t, dir, nil, "build", "."), 1, "", string(out))
}

// goEnv asks the go command for a variable.
func goEnv(t *testing.T, dir string, env []string, name string) string {
	t.Helper()
	cmd := exec.Command("go", "env", name)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestSDKRefused: what loam says of SDKs that it does not know.
func TestSDKRefused(t *testing.T) {
	sdk := t.TempDir()
	if err := os.MkdirAll(filepath.Join(sdk, "src", "runtime"), 0o777); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(t.TempDir(), "go")
	for _, test := range []struct {
		answer string // of go env
		env    string
		stderr string
	}{
		{sdk + "\ngo1.25.4\n\n", "", "loam: this loam serves Go 1.26 and 1.27, and SDK is go1.25.4\n"},
		{sdk + "\ngo1.99.1\n\n", "", "loam: this loam serves Go 1.26 and 1.27, and SDK is go1.99.1, which is newer (LOAMSDK=any tries it)\n"},
		{sdk + "\ngo1.99.1\n\n", "LOAMSDK=all", "loam: LOAMSDK=all: only \"any\" has a meaning\n"},
		{sdk + "\ngo1.99.1\n\n", "LOAMSDK=any",
			"loam: this loam is built with go1.27, whose type checker does not know the language of go1.99.1 (SDK): build loam with Go 1.99\n"},
		{"nothing\n", "", "loam: COMMAND is no go command that works: it does not know its version\n"},
		{sdk + "/none\ngo1.26.1\n\n", "", "loam: SDK/none has no sources of the standard library: stat SDK/none/src/runtime: no such file or directory\n"},
	} {
		if err := os.WriteFile(command, []byte("#!/bin/sh\nprintf '"+strings.ReplaceAll(test.answer, "\n", `\n`)+"'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		r := run(t, t.TempDir(), []string{"LOAM_GO=" + command, test.env}, "env")
		r.stderr = strings.NewReplacer(sdk, "SDK", command, "COMMAND").Replace(r.stderr)
		want(t, r, 1, "", test.stderr)
	}
}

// TestSettingsThatAreGone holds loam against go where //go:debug and the environment name settings
// that Go has not any more.
func TestSettingsThatAreGone(t *testing.T) {
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		for _, line := range []string{"asynctimerchan=1", "asynctimerchan=2", "asynctimerchan=0", "tlskyber=0", "x509sha1=1",
			"x509sha1=0", "tracebacklabels=0"} {
			dir := module(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- main.go --\n//go:debug "+line+
				"\n\npackage main\n\nfunc main() { println(\"ran\") }\n")
			sameAsGo(t, dir, []string{"run", "."})
		}
		dir := module(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() { println(\"ran\") }\n")
		// The environment of a loam that gc has made with a newer Go counts for loam too, so only
		// the programs get it.
		programs := map[string]string{}
		for _, compiler := range []string{"go", loam} {
			programs[compiler] = filepath.Join(t.TempDir(), "program")
			cmd := exec.Command(compiler, "build", "-o", programs[compiler], ".")
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		for _, setting := range []string{"asynctimerchan=1", "asynctimerchan=0", "panicnil=1,x509sha1=1", "tls3des=1"} {
			exit := map[string]string{}
			for compiler, program := range programs {
				cmd := exec.Command(program)
				cmd.Env = append(os.Environ(), "GODEBUG="+setting)
				out, _ := cmd.CombinedOutput()
				exit[compiler], _, _ = strings.Cut(string(out), "\n")
			}
			if exit[loam] != exit["go"] {
				t.Errorf("GODEBUG=%s: first line %q, want %q", setting, exit[loam], exit["go"])
			}
		}
	})
}

// TestReleasesServe is TestReleases with the packages that differ most between releases:
// encoding/json, net/http, crypto/tls.
func TestReleasesServe(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

type answer struct {
	Name  string            ~json:"name"~
	Tags  map[string][]int  ~json:"tags,omitempty"~
	Inner *answer           ~json:"inner,omitempty"~
	When  time.Duration
	Raw   json.RawMessage
}

func main() {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a answer
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			http.Error(w, "bad", 400)
			return
		}
		a.Inner = &answer{Name: r.URL.Path, When: time.Second, Raw: json.RawMessage("[1, 2]")}
		json.NewEncoder(w).Encode(a)
	}))
	defer s.Close()
	for _, body := range []string{"{\"name\":\"x\",\"tags\":{\"b\":[1],\"a\":[2,3]},\"Raw\":{\"k\":null}}", "{", "[]"} {
		res, err := s.Client().Post(s.URL+"/path", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			continue
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		fmt.Printf("%d %s%v\n", res.StatusCode, text, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Println(r.IntN(1000), r.IntN(1000), rand.N(time.Duration(1)))
}
`)
	main := filepath.Join(dir, "main.go")
	text, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(main, []byte(strings.ReplaceAll(string(text), "~", "`")), 0o666); err != nil {
		t.Fatal(err)
	}
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		sameAsGo(t, dir, []string{"run", "."})
	})
}

// TestLineDirectivesOfReleases: names in //line directives stand as they are written before Go
// 1.27, and for files in the directory of the file from then on.
func TestLineDirectivesOfReleases(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26
-- sub/main.go --
package main

import "runtime"

func main() {
//line foo.y:10
	_, file, line, _ := runtime.Caller(0)
	println(file, line)
//line gen/bar.y:20:5
	_, file, line, _ = runtime.Caller(0)
	println(file, line)
//line /abs/baz.y:30
	_, file, line, _ = runtime.Caller(0)
	println(file, line)
}
-- wrong/main.go --
package main

func main() {
//line foo.y:10
	x := 1
}
`)
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		sameAsGo(t, dir, []string{"run", "./sub"})
		sameAsGo(t, dir, []string{"run", "-trimpath", "./sub"})
		sameAsGo(t, dir, []string{"build", "-o", os.DevNull, "./wrong"})
	})
}
