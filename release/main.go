// Release makes what users install: an archive and a Debian package with the loam command, its
// manual page and completions, and a pack of the standard library.
//
// The files of both are the same. Made of the same sources, with the same Go and clang, they have
// the same bytes: times are SOURCE_DATE_EPOCH's, or the commit's, entries are sorted, owners are
// root. Nothing needs root's rights.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	var r release
	flag.StringVar(&r.out, "o", "out/release", "`directory` of what is made")
	flag.StringVar(&r.compiler, "compiler", "", "the compiler's `identity` (the Makefile's COMPILER_ID)")
	flag.StringVar(&r.toolchain, "toolchain", "local", "`GOTOOLCHAIN` that loam is built with")
	flag.StringVar(&r.made, "command", "", "take `loam` as it is, instead of building it")
	flag.StringVar(&r.packages, "pack", "std", "`packages` of the pack")
	flag.StringVar(&r.compression, "Z", "xz", "`compression` of the Debian package, as dpkg-deb has it")
	flag.Parse()
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is a release that is being made.
type release struct {
	out, compiler, toolchain, made, packages, compression string

	version string
	at      time.Time // of all files
	stage   string    // the files, as they are below the archive's directory
}

// make makes the files in the stage, and of them archive and package.
func (r *release) make() (err error) {
	if r.version, err = firstVersion("CHANGELOG.md"); err != nil {
		return err
	}
	if r.at, err = sourceTime(); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	if r.stage, err = os.MkdirTemp(r.out, "stage-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.stage)
	if r.stage, err = filepath.Abs(r.stage); err != nil {
		return err
	}
	for _, step := range []func() error{r.command, r.pack, r.texts} {
		if err := step(); err != nil {
			return err
		}
	}
	archive := filepath.Join(r.out, "loam-"+r.version+"-linux-amd64.tar.gz")
	if err := writeArchive(archive, r.stage, "loam-"+r.version, r.at); err != nil {
		return err
	}
	deb := filepath.Join(r.out, "loam_"+r.version+"_amd64.deb")
	if err := r.debian(deb); err != nil {
		return err
	}
	for _, name := range []string{archive, deb} {
		st, err := os.Stat(name)
		if err != nil {
			return err
		}
		fmt.Printf("%s %.1f MB\n", name, float64(st.Size())/1e6)
	}
	return nil
}

var versionHeading = regexp.MustCompile(`(?m)^## ([0-9]+\.[0-9]+\.[0-9]+)$`)

// firstVersion is the version that the list of changes begins with.
func firstVersion(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	m := versionHeading.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s has no heading with a version", name)
	}
	return string(m[1]), nil
}

// sourceTime is SOURCE_DATE_EPOCH, or the time of the commit.
func sourceTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, errors.New("SOURCE_DATE_EPOCH is not set, and git does not know a commit")
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %v", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// command makes the command: what gc makes of it compiles it, because Loam's code is faster.
func (r *release) command() error {
	if r.made != "" {
		data, err := os.ReadFile(r.made)
		if err != nil {
			return err
		}
		if err := r.write("bin/loam", data); err != nil {
			return err
		}
		return os.Chmod(r.path("bin/loam"), 0o777)
	}
	flags := "-s -w -X main.release=" + r.version
	if r.compiler != "" {
		flags += " -X main.compilerID=" + r.compiler
	}
	env := []string{"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOTOOLCHAIN=" + r.toolchain, "LOAMROOT=", "LOAMPACK=off"}
	first := filepath.Join(r.stage, "first")
	defer os.Remove(first)
	for _, step := range [][2]string{{"go", first}, {first, r.path("bin/loam")}} {
		if err := r.run(env, step[0], "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", step[1], "./cmd/loam"); err != nil {
			return err
		}
	}
	return nil
}

// pack makes the pack, with the command that is to use it.
func (r *release) pack() error {
	dir := r.path("lib/loam")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, "new.pack")
	args := append([]string{"pack", "-o", name}, strings.Fields(r.packages)...)
	if err := r.run([]string{"LOAMPACK=off", "LOAMROOT=", "GOFLAGS=", "GOAMD64=v1"}, r.path("bin/loam"), args...); err != nil {
		return err
	}
	said, err := r.output(r.path("bin/loam"), "env", "GOVERSION")
	if err != nil {
		return err
	}
	return os.Rename(name, filepath.Join(dir, strings.TrimSpace(string(said))+"-v1.pack"))
}

// texts makes what the command writes about itself, and copies what is to be read.
func (r *release) texts() error {
	for name, args := range map[string][]string{
		"share/man/man1/loam.1":                     {"help", "-man"},
		"share/bash-completion/completions/loam":    {"completion", "bash"},
		"share/zsh/vendor-completions/_loam":        {"completion", "zsh"},
		"share/fish/vendor_completions.d/loam.fish": {"completion", "fish"},
		"share/doc/loam/copyright":                  {"version", "-licenses"},
	} {
		text, err := r.output(r.path("bin/loam"), args...)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "share/man/") {
			name += ".gz"
			if text, err = compressed(text); err != nil {
				return err
			}
		}
		if err := r.write(name, text); err != nil {
			return err
		}
	}
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		return err
	}
	for _, name := range append(docs, "README.md", "CHANGELOG.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := r.write("share/doc/loam/"+name, text); err != nil {
			return err
		}
	}
	return nil
}

// compressed is text as gzip packs it, without name and time.
func compressed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// path is a file's in the stage.
func (r *release) path(name string) string { return filepath.Join(r.stage, filepath.FromSlash(name)) }

// write writes a file of the stage.
func (r *release) write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o777); err != nil {
		return err
	}
	return os.WriteFile(r.path(name), text, 0o666)
}

// run runs a command whose output the user sees.
func (r *release) run(env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), args[0], err)
	}
	return nil
}

// output runs a command and returns what it prints.
func (r *release) output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(name), args[0], err)
	}
	return out, nil
}
