package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/trace"
	"strings"
	"testing"

	"loam/internal/exectrace"
	"loam/internal/loamtest"
)

// ownTrace records two collections of this process.
func ownTrace(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "own.trace")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := trace.Start(f); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC()
	trace.Stop()
	return name
}

func TestTraceCommand(t *testing.T) {
	loam := loamtest.Command(t)
	file := ownTrace(t)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no trace at all\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string // a regular expression
	}{
		{"-table " + file, 0, `collections +[2-9]\n(.*\n)*peak heap +\d`},
		{"", 2, `name a file, an address, or -- and a program`},
		{"--", 2, `name a file, an address, or -- and a program`},
		{file + " " + file, 2, `one trace at a time`},
		{file + ".not", 1, `no such file`},
		{text, 1, `text: not an execution trace`},
		{"http://", 1, `not an address`},
		{"http://127.0.0.1:1", 1, `connection refused`},
		{"-- " + text + ".not", 1, `no such file`},
		{"-table -- true", 1, `true wrote no trace: was it compiled by`},
		{"-http 1.2.3.4:1 " + file, 1, `listen tcp 1.2.3.4:1`},
	} {
		out, err := exec.Command(loam, append([]string{"trace"}, strings.Fields(c.args)...)...).CombinedOutput()
		code := 0
		if ended, ok := err.(*exec.ExitError); ok {
			code = ended.ExitCode()
		}
		if code != c.code || !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("loam trace %s: exit code %d, want %d\n%s", c.args, code, c.code, out)
		}
	}
}

// TestTraceServes asks for the page and ends the command as a user would.
func TestTraceServes(t *testing.T) {
	cmd := exec.Command(loamtest.Command(t), "trace", ownTrace(t))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "view.js", "view.css", "LICENSES.txt"} {
		response, err := http.Get(strings.TrimSpace(address) + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK || len(body) < 500 {
			t.Errorf("%q: %s, %d bytes, %v", path, response.Status, len(body), err)
		}
		if i := strings.Index(string(body), "http://"); path == "" && i >= 0 {
			t.Error("the page names another address:", string(body[i:i+40]))
		}
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
}

const watchedProgram = `package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

//go:noinline
func deep(n int) int {
	var frame [32]int
	frame[n%32] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + frame[n%32]
}

func main() {
	var p sync.Pool
	for i := range 100 {
		p.Put(i)
		p.Get()
	}
	runtime.GC()
	runtime.GC()
	done := make(chan int)
	go func() { done <- deep(1000) }()
	fmt.Println(<-done, os.Getenv("LOAMTRACE"))
	if len(os.Args) > 1 {
		panic(os.Args[1])
	}
	os.Exit(3)
}
`

// TestTraceProgram records a program of Loam from its beginning to os.Exit.
func TestTraceProgram(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	source, exe, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "watched"), filepath.Join(dir, "trace")
	if err := os.WriteFile(source, []byte(watchedProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	loamtest.Do(t, loam, "build", "-o", exe, source)

	// By hand, to look into the trace.
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), traceEnv+"="+file, debugEnv+"=stackprofile=1")
	out, err := cmd.CombinedOutput()
	if ended, ok := err.(*exec.ExitError); !ok || ended.ExitCode() != 3 || string(out) != "500500 \n" {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := exectrace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Incomplete != "" || len(tr.Collections) != 2 {
		t.Errorf("%d collections, want 2; %s", len(tr.Collections), tr.Incomplete)
	}
	figures := tr.Figures()
	hits := 0.0
	for _, m := range figures.Metrics {
		if m.Name == "/loam/pool/hits:gets" {
			hits = m.Last
		}
	}
	if hits < 100 {
		t.Errorf("%v hits of the pool, want 100: %+v", hits, figures.Metrics)
	}
	if g := figures.Growth; len(g) == 0 || g[0].Func != "main.deep" {
		t.Errorf("hops %+v, want main.deep first", g)
	}

	// By the command, which passes on neither the program's exit code nor its crash.
	if table := loamtest.Do(t, loam, "trace", "-table", "-stacks", "--", exe); !regexp.MustCompile(`collections +2\n`).MatchString(table) {
		t.Errorf("table:\n%s", table)
	}
	// A crash is watched, too, and said.
	if table := loamtest.Do(t, loam, "trace", "-table", "--", exe,
		"at last"); !regexp.MustCompile(`(?s)collections +2\n.*the program ended: panic: at last\n`).MatchString(table) {
		t.Errorf("table:\n%s", table)
	}
	// A file that cannot be written is an error of the user's.
	cmd = exec.Command(exe)
	cmd.Env = append(os.Environ(), traceEnv+"="+filepath.Join(dir, "no", "trace"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "/no/trace: cannot write this file: no such directory") {
		t.Errorf("%v\n%s", err, out)
	}
}
