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
		{"-table " + file, 0, `collections +2\n(.*\n)*peak heap +\d`},
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
