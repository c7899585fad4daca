// Package walk is a new user's walk: it does what README.md and docs/guide.md say, as they are
// written, with a home directory of its own and nothing on PATH but Go and what the distribution
// has.
//
// A block of code behind a comment <!-- file: NAME --> is a file. One behind <!-- walk --> or <!--
// walk: DIRECTORY --> is a list of commands, each of which has to succeed. <!-- walk: whole --> is
// for what takes long. Commands behind <!-- fails --> have to fail instead, and a block behind <!--
// says --> is what the last one has printed: line by line with other numbers, where "..." stands
// for any lines. The short form takes the loam command that is there and the user's cache, and
// leaves out what make does. With LOAMWALK=whole everything is done in a copy of the checkout, with
// empty caches.
package walk

import (
	"bytes"
	"fmt"
	"io/fs"
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

const root = "../.."

var marked = regexp.MustCompile("(?ms)^<!-- (file|walk|fails|says)(?:: ([^ ]+))? -->\n```[a-z]*\n(.*?)^```$")

// A step is a file to write, commands to run, or what they say.
type step struct {
	kind, argument, text string
}

func steps(t *testing.T, document string) (all []step) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
		all = append(all, step{m[1], m[2], m[3]})
	}
	n := 0
	for _, kind := range []string{"file", "walk", "fails", "says"} {
		n += bytes.Count(text, []byte("\n<!-- "+kind))
	}
	if n != len(all) {
		t.Fatalf("%s: %d comments, of which %d stand before a block", document, n, len(all))
	}
	return all
}

// A walker is somebody who has never used Loam before.
type walker struct {
	home, here string
	env        []string
	whole      bool
}

func newWalker(t *testing.T) *walker {
	w := &walker{home: t.TempDir(), whole: os.Getenv("LOAMWALK") == "whole"}
	// Modules are read-only, which TempDir's removal does not expect.
	t.Cleanup(func() {
		filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				os.Chmod(path, 0o777)
			}
			return nil
		})
	})
	goroot := strings.TrimSpace(loamtest.Do(t, "go", "env", "GOROOT"))
	path := []string{filepath.Join(goroot, "bin"), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	w.env = []string{"HOME=" + w.home, "LANG=C.UTF-8"}
	// how modules are to be had here
	for _, name := range []string{"GOPROXY", "GOSUMDB", "GOTOOLCHAIN"} {
		w.env = append(w.env, name+"="+strings.TrimSpace(loamtest.Do(t, "go", "env", name)))
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NO_PROXY", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR"} {
		if value, ok := os.LookupEnv(name); ok {
			w.env = append(w.env, name+"="+value)
		}
	}
	if w.whole {
		w.here = filepath.Join(w.home, "loam")
		checkout(t, w.here)
	} else {
		w.here = filepath.Join(w.home, "work")
		bin := filepath.Join(w.here, "bin")
		if err := os.MkdirAll(bin, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(loamtest.Command(t), filepath.Join(bin, "loam")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
			w.env = append(w.env, name+"="+strings.TrimSpace(loamtest.Do(t, "go", "env", name)))
		}
		w.env = append(w.env, "LOAMCACHE="+strings.TrimSpace(loamtest.Do(t, loamtest.Command(t), "env", "LOAMCACHE")))
	}
	path = append(path, filepath.Join(w.here, "bin"))
	w.env = append(w.env, "PATH="+strings.Join(path, ":"))
	return w
}

// checkout copies the files that git knows, as a clone would have them.
func checkout(t *testing.T, dir string) {
	t.Helper()
	for _, name := range strings.Split(strings.TrimRight(loamtest.Do(t, "git", "-C", root, "ls-files", "-z"), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			continue // removed, and not yet committed
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, info.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// do follows the steps of a document in the directory here.
func (w *walker) do(t *testing.T, document, here string) {
	commands, said := 0, ""
	for _, s := range steps(t, document) {
		if s.kind == "says" {
			if missing := unsaid(s.text, said); missing != "" {
				t.Errorf("%s shows a line %q, which is not in\n%s", document, missing, said)
			}
			continue
		}
		if s.kind == "file" {
			file := filepath.Join(here, s.argument)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(s.text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		dir := here
		if s.argument == "whole" {
			if !w.whole {
				continue
			}
		} else {
			dir = filepath.Join(dir, s.argument)
		}
		for line := range strings.Lines(s.text) {
			if !w.whole && strings.HasPrefix(line, "make ") {
				continue
			}
			commands++
			out, err := w.run(dir, line)
			if (err != nil) != (s.kind == "fails") {
				t.Fatalf("%s says %s%v\n%s", document, line, err, loamtest.Clip(out))
			}
			said = out
		}
	}
	if commands < 3 {
		t.Errorf("%s has only %d commands", document, commands)
	}
}

// unsaid is the first line of a text that was not said where the text has it, "" if all were.
func unsaid(text, said string) string {
	number := regexp.MustCompile(`\d+`)
	lines := strings.Split(number.ReplaceAllString(said, "0"), "\n")
	skips := true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "..." {
			skips = true
			continue
		}
		at := slices.Index(lines, number.ReplaceAllString(line, "0"))
		if at < 0 || at > 0 && !skips {
			return line
		}
		lines, skips = lines[at+1:], false
	}
	return ""
}

func TestUnsaid(t *testing.T) {
	const said = "a 1\nb\n\n  c 22\nd\n"
	for text, want := range map[string]string{
		"a 7\nb\n": "", "b\n\n  c 1\n": "", "a 1\n...\nd\n": "", "a 1\nd\n": "d", "e\n": "e", "d\na 1\n": "a 1", "...\n  c 2\n": "",
	} {
		if got := unsaid(text, said); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func (w *walker) run(dir, line string) (string, error) {
	cmd := exec.Command("/bin/sh", "-e", "-c", line)
	cmd.Dir, cmd.Env = dir, append(w.env, "PWD="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	w := newWalker(t)
	w.do(t, "README.md", w.here)
	elsewhere := filepath.Join(w.home, "elsewhere")
	if err := os.Mkdir(elsewhere, 0o777); err != nil {
		t.Fatal(err)
	}
	w.do(t, "docs/guide.md", elsewhere)
	if !w.whole {
		return
	}
	// Nothing was left elsewhere: what the walker has kept is in this home.
	for _, cache := range []string{".cache/loam", ".cache/go-build", "go/pkg/mod"} {
		if _, err := os.Stat(filepath.Join(w.home, cache)); err != nil {
			t.Error(err)
		}
	}
}

// TestFails: a command that fails is an error, with what it printed.
func TestFails(t *testing.T) {
	w := &walker{env: os.Environ()}
	if out, err := w.run(t.TempDir(), "echo before; false; echo after"); err == nil || out != "before\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestOutput: README's first program prints what it seems to, by gc.
func TestOutput(t *testing.T) {
	for _, s := range steps(t, "README.md") {
		if s.argument != "hello/hello.go" {
			continue
		}
		file := filepath.Join(t.TempDir(), filepath.Base(s.argument))
		if err := os.WriteFile(file, []byte(s.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, want := loamtest.Do(t, "go", "run", file), fmt.Sprintf("100,000 goroutines say %d\n", 100_000*99_999/2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
