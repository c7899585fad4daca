package main_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// proxy writes a module proxy's directory with one version of a module.
func proxy(t *testing.T, path, version string, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	base := filepath.Join(dir, path, "@v")
	if err := os.MkdirAll(base, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`,
		version + ".mod": files["go.mod"]} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(base, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(path + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestVersioned: install and run take path@version, as the go command does, wherever they are
// called.
func TestVersioned(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule broken\n\nrequire example.com/no v9.9.9\n-- vendor/modules.txt --\n")
	bin := t.TempDir()
	env := []string{"GOPROXY=file://" + proxy(t, "example.com/tool", "v1.2.3", map[string]string{
		"go.mod":          "module example.com/tool\n\ngo 1.25\n",
		"cmd/hello/m.go":  "package main\n\nimport (\n\t\"os\"\n\n\t\"example.com/tool/lib\"\n)\n\nfunc main() {\n\tdir, _ := os.Getwd()\n\tprintln(lib.Text, dir, len(os.Args))\n}\n",
		"lib/lib.go":      "package lib\n\nconst Text = \"hello\"\n",
		"cmd/wrong/m.go":  "package main\n\nfunc main() { x }\n",
		"cmd/second/m.go": "package main\n\nfunc main() {}\n",
	}), "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw", "GONOSUMDB=*", "GOSUMDB=off", "GOBIN=" + bin, "CGO_ENABLED=0"}
	gc := func(args ...string) result {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run()
		return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	}
	information := func() string {
		text := gc("version", "-m", filepath.Join(bin, "hello")).stdout
		return regexp.MustCompile(`(?m)^\tbuild\t-compiler=.*\n`).ReplaceAllString(text, "")
	}
	want(t, gc("install", "example.com/tool/cmd/hello@v1.2.3"), 0, "", "go: downloading example.com/tool v1.2.3\n")
	info := information()
	if err := os.Remove(filepath.Join(bin, "hello")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) result { return run(t, dir, env, args...) }
	want(t, run("install", "example.com/tool/cmd/hello@latest", "example.com/tool/cmd/second@latest"), 0, "", "")
	if got := information(); got != info {
		t.Errorf("go version -m:\n%s--- want\n%s", got, info)
	}
	if _, err := os.Stat(filepath.Join(bin, "second")); err != nil {
		t.Error(err)
	}
	want(t, run("run", "example.com/tool/cmd/hello@v1.2.3", "a", "b"), 0, "", "hello "+dir+" 3\n")
	for _, args := range []string{"install example.com/tool/cmd/none@v1.2.3", "install example.com/tool/cmd/hello@v9.9.9",
		"install example.com/tool/cmd/hello@v1.2.3 ./x"} {
		ours, theirs := run(strings.Fields(args)...), gc(strings.Fields(args)...)
		if ours.code != theirs.code || !strings.Contains(theirs.stderr,
			regexp.MustCompile(`^(go|loam): `).ReplaceAllString(strings.TrimSpace(ours.stderr), "")) {
			t.Errorf("%s: %d\n%s--- want %d\n%s", args, ours.code, ours.stderr, theirs.code, theirs.stderr)
		}
	}
	if r := run("install", "example.com/tool/cmd/wrong@v1.2.3"); r.code != 1 ||
		!strings.Contains(r.stderr, "# example.com/tool/cmd/wrong\n") || !strings.Contains(r.stderr, "undefined: x") {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
}
