// Package cover prepares packages for measuring which of their code runs.
//
// The SDK's cover tool rewrites a package's sources: each function counts its blocks in an
// array of its own, and one more file holds these arrays and a description of the package
// (the meta-data). What gc's compiler and linker then do to it is done in source and by the
// linker here: a file of ours registers the meta-data with internal/coverage/rtcov when the
// package variable that numbers the package is initialised, which is the first one, and the
// counters go to the section loam_covctrs (load.Package.Counters tells the compiler), which
// overlay/runtime hands to internal/coverage. Everything after that, in the program and in
// the tools that read profiles, is upstream's and sees what gc's programs give it.
//
// What the tool made is kept in Loam's cache under the hash of what it was made from.
package cover

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"loam/internal/child"
	"loam/internal/load"
	"loam/internal/scratch"
)

// Section is the linker section of all counters of a program.
const Section = "loam_covctrs"

// A Tool instruments packages in one way.
type Tool struct {
	Go       string                   // the go command
	GOROOT   string                   // the installed SDK
	CacheDir string                   // where results are kept, in directories cover-*
	Mode     string                   // set, count or atomic
	Show     func(name string) string // maps names of files to those that users see
}

// granularity is that of gc's builds: a counter a block, not one a function.
const (
	granularity     = "perblock"
	granularityCode = 1
)

// modeCodes are internal/coverage's numbers of the modes.
var modeCodes = map[string]int{"set": 1, "count": 2, "atomic": 3}

// packageConfig is what the cover tool reads about the package.
type packageConfig struct {
	OutConfig, PkgPath, PkgName, Granularity, ModulePath string
	Local                                                bool
	EmitMetaFile                                         string
}

// outConfig is what it says about its output.
type outConfig struct {
	MetaVar       string
	MetaLen       int
	MetaHash      string
	PkgIdVar      string
	CounterPrefix string
}

// Files in a directory of the cache.
const (
	varsFile     = "vars.go"
	registerFile = "register.go"
	metaFile     = "meta"
)

// Instrument returns a copy of p whose files count what runs. Files of tests are left alone.
// A package without any other files is returned as it is.
func (t *Tool) Instrument(p *load.Package) (*load.Package, error) {
	files, tests := split(p.GoFiles)
	if len(files) == 0 {
		return p, nil
	}
	dir, err := t.rewritten(p, files)
	if err != nil {
		return nil, err
	}
	q := *p
	q.GoFiles = []string{filepath.Join(dir, varsFile), filepath.Join(dir, registerFile)}
	for _, name := range files {
		q.GoFiles = append(q.GoFiles, filepath.Join(dir, rewrittenName(name)))
	}
	q.GoFiles = append(q.GoFiles, tests...)
	q.Counters = variable(p) + "_"
	if t.Mode == "atomic" {
		q.Imports = appendMissing(q.Imports, "sync/atomic")
	}
	if p.Name == "main" {
		q.Imports = appendMissing(q.Imports, "runtime/coverage") // the tool adds it
	}
	return &q, nil
}

// Meta returns a file that describes p as if a program with it had run and reached nothing,
// or "" for a package without functions.
func (t *Tool) Meta(p *load.Package) (string, error) {
	files, _ := split(p.GoFiles)
	if len(files) == 0 {
		return "", nil
	}
	dir, err := t.rewritten(p, files)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(p.Path()))
	name := filepath.Join(dir, metaFile, fmt.Sprintf("covmeta.%x", sum))
	st, err := os.Stat(name)
	if err != nil || st.Size() == 0 {
		return "", err
	}
	return name, nil
}

// split separates the files of a package's tests from the others.
func split(names []string) (files, tests []string) {
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, name)
		} else {
			files = append(files, name)
		}
	}
	return files, tests
}

func rewrittenName(name string) string { return filepath.Base(name) + ".cover.go" }

// variable is the start of the names of all variables that are added to p.
func variable(p *load.Package) string {
	sum := sha256.Sum256([]byte(p.Path()))
	return fmt.Sprintf("goCover_%x_", sum[:6])
}

// command is the cover tool.
func (t *Tool) command(args ...string) *exec.Cmd {
	tool := filepath.Join(t.GOROOT, "pkg", "tool", "linux_amd64", "cover")
	if _, err := os.Stat(tool); err != nil {
		return exec.Command(t.Go, append([]string{"tool", "cover"}, args...)...)
	}
	return exec.Command(tool, args...)
}

// rewritten returns the directory with what the tool makes of the files of p.
func (t *Tool) rewritten(p *load.Package, files []string) (dir string, err error) {
	key, err := t.key(p, files)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(t.CacheDir, "cover-"+key)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	tmp, err := t.tempDir()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := t.run(p, files, tmp); err != nil {
		return "", err
	}
	if err := os.Chmod(tmp, 0o777); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, statErr := os.Stat(dir); statErr == nil {
			return dir, nil // another loam was faster
		}
		return "", err
	}
	return dir, nil
}

// tempDir makes a directory of which something is to be moved into the cache.
func (t *Tool) tempDir() (string, error) {
	if err := scratch.Writable(t.CacheDir); err != nil {
		return "", fmt.Errorf("cannot write to the cache %s (LOAMCACHE chooses another): %w", t.CacheDir, err)
	}
	dir, err := scratch.Dir(t.CacheDir)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "cover-")
}

// format is part of the key; raise it when what is made from the same files changes.
const format = "cover 1"

func (t *Tool) key(p *load.Package, files []string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n%s\n%s\n", format, t.GOROOT, t.Mode, p.Path(), p.Name, p.Dir)
	if st, err := os.Stat(filepath.Join(t.GOROOT, "VERSION")); err == nil {
		fmt.Fprintf(h, "%d\n", st.ModTime().UnixNano())
	}
	if p.Module != nil {
		fmt.Fprintf(h, "%s\n", p.Module.Path)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

// run has the tool write to dir and completes what it wrote.
func (t *Tool) run(p *load.Package, files []string, dir string) error {
	sum := sha256.Sum256([]byte(p.Path()))
	config := packageConfig{OutConfig: filepath.Join(dir, "out.json"), PkgPath: p.Path(), PkgName: p.Name, Granularity: granularity,
		Local:        p.Path() == "command-line-arguments",
		EmitMetaFile: filepath.Join(dir, metaFile, fmt.Sprintf("covmeta.%x", sum))}
	if p.Module != nil {
		config.ModulePath = p.Module.Path
	}
	if err := os.Mkdir(filepath.Join(dir, metaFile), 0o777); err != nil {
		return err
	}
	data, err := json.Marshal(config)
	if err != nil {
		return err
	}
	in, outs := filepath.Join(dir, "in.json"), filepath.Join(dir, "files")
	if err := os.WriteFile(in, data, 0o666); err != nil {
		return err
	}
	list := []string{filepath.Join(dir, varsFile)}
	for _, name := range files {
		list = append(list, filepath.Join(dir, rewrittenName(name)))
	}
	if err := os.WriteFile(outs, []byte(strings.Join(list, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	args := []string{"-pkgcfg", in, "-mode", t.Mode, "-var", variable(p), "-outfilelist", outs}
	if out, err := child.Tool(t.command(append(args, files...)...)); err != nil {
		return fmt.Errorf("go tool cover: %w\n%s", err, bytes.TrimSpace(out))
	}
	for i, name := range files {
		if err := t.showName(list[i+1], name); err != nil {
			return err
		}
	}
	return t.complete(p, config.OutConfig, dir)
}

// showName puts the name that users know into the first line of a rewritten file.
func (t *Tool) showName(file, name string) error {
	shown := t.Show(name)
	if shown == name {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, bytes.Replace(data, []byte("//line "+name+":"), []byte("//line "+shown+":"), 1), 0o666)
}

// complete writes the file that registers the package, and ties its call to the variable that
// holds the package's number. That variable is declared first and depends on nothing but the
// meta-data, so no code that counts runs before it is set.
func (t *Tool) complete(p *load.Package, outFile, dir string) error {
	data, err := os.ReadFile(outFile)
	if err != nil {
		return err
	}
	var out outConfig
	if err := json.Unmarshal(data, &out); err != nil {
		return fmt.Errorf("go tool cover: %v", err)
	}
	hash, err := hex.DecodeString(out.MetaHash)
	if err != nil || len(hash) != 16 {
		return fmt.Errorf("go tool cover: hash %q", out.MetaHash)
	}
	vars := filepath.Join(dir, varsFile)
	text, err := os.ReadFile(vars)
	if err != nil {
		return err
	}
	declared := []byte(fmt.Sprintf("var %s uint32\n", out.PkgIdVar))
	if bytes.Count(text, declared) != 1 {
		return fmt.Errorf("go tool cover does not declare %s", out.PkgIdVar)
	}
	text = bytes.Replace(text, declared, []byte(fmt.Sprintf("var %s = %sregister()\n", out.PkgIdVar, out.CounterPrefix)), 1)
	if err := os.WriteFile(vars, text, 0o666); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"unsafe\"\n\n", p.Name)
	fmt.Fprintf(&b, "//go:linkname %sadd internal/coverage/rtcov.AddMeta\n", out.CounterPrefix)
	fmt.Fprintf(&b, "func %sadd(p unsafe.Pointer, n uint32, hash [16]byte, path string, id int, mode, granularity uint8) uint32\n\n", out.CounterPrefix)
	fmt.Fprintf(&b, "func %sregister() uint32 {\n\treturn %sadd(unsafe.Pointer(&%s), %d, [16]byte{", out.CounterPrefix,
		out.CounterPrefix, out.MetaVar, out.MetaLen)
	for i, c := range hash {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", c)
	}
	fmt.Fprintf(&b, "}, %q, -1, %d, %d)\n}\n", p.Path(), modeCodes[t.Mode], granularityCode)
	return os.WriteFile(filepath.Join(dir, registerFile), []byte(b.String()), 0o666)
}

func appendMissing(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list[:len(list):len(list)], s)
}

// Data runs the SDK's covdata tool, which reads what programs left and Meta's files.
func (t *Tool) Data(args ...string) ([]byte, error) {
	cmd := exec.Command(t.Go, append([]string{"tool", "covdata"}, args...)...)
	out, err := child.Output(cmd)
	if err != nil {
		return nil, fmt.Errorf("go tool covdata %s: %w", args[0], err)
	}
	return out, nil
}

// A MainFile is a file that the main package of an instrumented program needs in addition.
type MainFile struct {
	text    string
	imports []string
}

// Program is the file of an ordinary program, which writes its counters to $GOCOVERDIR when
// it exits.
func Program() MainFile {
	const text = "package main\n\nimport \"internal/coverage/cfile\"\n\nfunc init() { cfile.InitHook(false) }\n"
	return MainFile{text, []string{"internal/coverage/cfile"}}
}

// Test is the file of a test binary, where package testing reports the coverage. of says of
// what in its words, selected which packages count.
func (t *Tool) Test(of string, selected []string) MainFile {
	text := fmt.Sprintf(`package main

import (
	"internal/coverage/cfile"
	"testing/internal/testdeps"
)

func init() {
	testdeps.CoverMode = %q
	testdeps.Covered = %q
	testdeps.CoverSelectedPackages = %#v
	testdeps.CoverSnapshotFunc = cfile.Snapshot
	testdeps.CoverProcessTestDirFunc = cfile.ProcessCoverTestDir
	testdeps.CoverMarkProfileEmittedFunc = cfile.MarkProfileEmitted
	cfile.InitHook(true)
}
`, t.Mode, of, selected)
	return MainFile{text, []string{"internal/coverage/cfile", "testing/internal/testdeps"}}
}

// AddTo returns a copy of the main package p with the file, which is kept in the cache.
func (t *Tool) AddTo(p *load.Package, file MainFile) (*load.Package, error) {
	sum := sha256.Sum256([]byte(file.text))
	dir := filepath.Join(t.CacheDir, "cover-"+hex.EncodeToString(sum[:16]))
	name := filepath.Join(dir, "loam_cover.go")
	if _, err := os.Stat(name); err != nil {
		tmp, err := t.tempDir()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(tmp)
		if err := os.WriteFile(filepath.Join(tmp, filepath.Base(name)), []byte(file.text), 0o666); err != nil {
			return nil, err
		}
		if err := os.Rename(tmp, dir); err != nil {
			if _, statErr := os.Stat(name); statErr != nil {
				return nil, err
			}
		}
	}
	q := *p
	q.GoFiles = append(q.GoFiles[:len(q.GoFiles):len(q.GoFiles)], name)
	for _, path := range file.imports {
		q.Imports = appendMissing(q.Imports, path)
	}
	return &q, nil
}
