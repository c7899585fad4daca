package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// cacheServer makes the server of cacheprog's tests and returns its command, for a directory of its
// own.
func cacheServer(t *testing.T) (command, log string) {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "server")
	loamtest.Do(t, "go", "build", "-o", exe, "../../internal/cacheprog/testdata/server")
	log = filepath.Join(t.TempDir(), "log")
	return exe + " -dir=" + t.TempDir() + " '-log=" + log + "'", log
}

// TestCacheProgram: what one build has brought to the program of GOCACHEPROG another one, with an
// empty cache, takes from there; and what is wrong with the program costs time at most, or is an
// error.
func TestCacheProgram(t *testing.T) {
	dir := module(t, program)
	command, log := cacheServer(t)
	want(t, run(t, dir, []string{inCheckout(t)}, "build", "-o", "out", "."), 0, "", "")
	made := content(t, dir, "out")
	pack := "LOAMPACK=" + fmtPack(t)
	cache := t.TempDir()
	build := func(flags string) result {
		t.Helper()
		os.RemoveAll(filepath.Join(cache, "obj"))
		os.Remove(filepath.Join(dir, "out"))
		r := run(t, dir, []string{inCheckout(t), pack, "GOCACHEPROG=" + command + flags, "LOAMCACHE=" + cache}, "build", "-v", "-o", "out", ".")
		if r.code == 0 && !bytes.Equal(content(t, dir, "out"), made) {
			t.Errorf("%s: another program", flags)
		}
		return r
	}
	const all = "example.com/p/lib\nexample.com/p\n"
	want(t, build(" -knows=get,close"), 0, "", all)
	if text := string(content(t, log)); strings.Contains(text, "put") || !strings.Contains(text, "get") {
		t.Errorf("a server that can only get: %q", text)
	}
	want(t, build(""), 0, "", all)
	if text := string(content(t, log)); !strings.Contains(text, "put\n") || !strings.HasSuffix(text, "close\n") {
		t.Errorf("%q", text)
	}
	os.Remove(log)
	want(t, build(""), 0, "", "")
	if text := string(content(t, log)); strings.Contains(text, "put") {
		t.Errorf("brought again: %q", text)
	}
	if objects, _ := filepath.Glob(filepath.Join(cache, "obj", "*", "*.x")); len(objects) > 0 {
		t.Errorf("copied to the cache: %q", objects)
	}
	want(t, build(" -wrong=error -after=0"), 0, "", all+"loam: GOCACHEPROG: the disk is on fire\n")
	if r := build(" -wrong=content -after=0"); r.code != 0 || !strings.HasPrefix(r.stderr, all+"loam: GOCACHEPROG: ") ||
		!strings.HasSuffix(r.stderr, ".wrong does not hold what was put there\n") {
		t.Errorf("%+v", r)
	}
	if r := build(" -wrong=exit -after=0"); r.code != 1 || !strings.HasPrefix(r.stderr, "loam: GOCACHEPROG exited pre-Close with ") {
		t.Errorf("%+v", r)
	}
	if r := build(" -wrong=garbage -after=2"); r.code != 1 || !strings.HasPrefix(r.stderr, "loam: error reading JSON from GOCACHEPROG: ") {
		t.Errorf("%+v", r)
	}
	none := run(t, dir, []string{"GOCACHEPROG=/no/such/program", "LOAMCACHE=" + t.TempDir()}, "build", ".")
	want(t, none, 1, "", "loam: error starting GOCACHEPROG program \"/no/such/program\": fork/exec /no/such/program: no such file or directory\n")
}

// TestCacheProgramEnds: a build that is killed leaves no program of GOCACHEPROG behind.
func TestCacheProgramEnds(t *testing.T) {
	dir := module(t, program)
	command, log := cacheServer(t)
	cmd := exec.Command(loam, "build", "-o", "out", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LOAMPACK="+fmtPack(t), "LOAMCACHE="+t.TempDir(), "GOCACHEPROG="+command+" -wrong=silent -after=0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	has := func(word string) bool {
		for last := time.Now().Add(time.Minute); time.Now().Before(last); time.Sleep(time.Millisecond) {
			if text, _ := os.ReadFile(log); strings.Contains(string(text), word) {
				return true
			}
		}
		return false
	}
	if !has("get\n") {
		t.Error("the program was not asked")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !has("end\n") {
		t.Error("the program goes on")
	}
}

// TestGoCacher: a program that others have written for the go command serves loam.
func TestGoCacher(t *testing.T) {
	const cacher = "github.com/bradfitz/go-tool-cache/cmd/go-cacher@v0.0.0-20260722201841-0bb331e19f64"
	bin := t.TempDir()
	get := exec.Command("go", "install", cacher)
	get.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-modcacherw")
	if out, err := get.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had: %v\n%s", cacher, err, out)
	}
	dir := module(t, program)
	env := []string{"GOCACHEPROG=" + filepath.Join(bin, "go-cacher") + " --cache-dir=" + t.TempDir(), "LOAMPACK=" + fmtPack(t)}
	for _, compiled := range []string{"example.com/p/lib\nexample.com/p\n", ""} {
		want(t, run(t, dir, append(env, "LOAMCACHE="+t.TempDir()), "build", "-v", "-o", "out", "."), 0, "", compiled)
	}
}
