package main

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

// hello is a program that is built with what was installed.
const hello = `package main

import "fmt"

func main() { fmt.Println("hello") }
`

// TestRelease makes a release twice, with the same bytes, and builds and runs a program with what
// was installed: with an empty cache, and nothing on PATH but loam, Go and LLVM. The release has a
// small pack and the command that make build made; with RELEASE, flags of release, it is a whole
// one.
func TestRelease(t *testing.T) {
	for _, tool := range []string{"dpkg-deb", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	whole := os.Getenv("RELEASE")
	flags := strings.Fields(whole)
	if whole == "" {
		flags = []string{"-command", loamtest.Command(t), "-pack", "fmt", "-Z", "none"}
	}
	exe := filepath.Join(t.TempDir(), "release")
	loamtest.Do(t, "go", "build", "-o", exe, ".")
	files := map[string][]byte{}
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		cmd := exec.Command(exe, append(flags, "-o", dir)...)
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 {
			t.Fatalf("made %v, %v", entries, err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if i == 1 && !bytes.Equal(data, files[e.Name()]) {
				t.Errorf("%s: made again, it has other bytes", e.Name())
			}
			files[e.Name()] = data
		}
	}
	version, err := firstVersion("../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	deb, archive := filepath.Join(dirs[0], "loam_"+version+"_amd64.deb"), filepath.Join(dirs[0], "loam-"+version+"-linux-amd64.tar.gz")
	loamtest.Do(t, "dpkg", "-x", deb, root)
	loamtest.Do(t, "tar", "-xzf", archive, "-C", root)
	if got := loamtest.Do(t, "dpkg-deb", "-f", deb, "Version", "Depends"); got != "Version: "+version+"\nDepends: clang-19, lld-19\n" {
		t.Errorf("%s", got)
	}
	sums := exec.Command("md5sum", "-c", "--quiet", "--strict", "-")
	sums.Dir = root
	sums.Stdin = strings.NewReader(loamtest.Do(t, "dpkg-deb", "-I", deb, "md5sums"))
	if out, err := sums.CombinedOutput(); err != nil {
		t.Errorf("md5sums: %v\n%s", err, out)
	}
	for _, name := range []string{"share/man/man1/loam.1.gz", "share/bash-completion/completions/loam", "share/zsh/vendor-completions/_loam",
		"share/fish/vendor_completions.d/loam.fish", "share/doc/loam/copyright", "share/doc/loam/CHANGELOG.md"} {
		for _, below := range []string{"usr", "loam-" + version} {
			if st, err := os.Stat(filepath.Join(root, below, name)); err != nil || st.Size() == 0 || st.Mode().Perm() != 0o644 ||
				st.ModTime().Unix() != 1700000000 {
				t.Errorf("%s/%s: %v %v", below, name, st, err)
			}
		}
	}
	for _, below := range []string{"usr", "loam-" + version} {
		build(t, filepath.Join(root, below, "bin"), version, whole != "")
	}
}

// build builds and runs a program with the loam in a directory.
func build(t *testing.T, bin, version string, whole bool) {
	t.Helper()
	tools := t.TempDir()
	link := func(name, to string) {
		if err := os.Symlink(strings.TrimSpace(to), filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("go", filepath.Join(strings.TrimSpace(loamtest.Do(t, "go", "env", "GOROOT")), "bin", "go"))
	link("clang-19", loamtest.Do(t, filepath.Join(bin, "loam"), "env", "LOAM_CLANG"))
	link("ld.lld-19", loamtest.Do(t, filepath.Join(bin, "loam"), "env", "LOAM_LLD"))
	home := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":" + tools}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", filepath.Base(name), args, err, out)
		}
		return string(out)
	}
	if err := os.WriteFile(filepath.Join(home, "hello.go"), []byte(hello), 0o666); err != nil {
		t.Fatal(err)
	}
	loam := filepath.Join(bin, "loam")
	began := time.Now()
	if out := run(loam, "build", "-v", "hello.go"); out != "command-line-arguments\n" {
		t.Errorf("compiled: %s", out)
	}
	t.Logf("the first build took %v", time.Since(began).Round(time.Millisecond))
	if out := run(filepath.Join(home, "hello")); out != "hello\n" {
		t.Errorf("%q", out)
	}
	if out := run(loam, "version"); whole && !strings.HasPrefix(out, "loam version "+version+" (go1.") {
		t.Errorf("%s", out)
	}
}
