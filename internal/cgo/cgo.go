package cgo

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"loam/internal/child"
	"loam/internal/load"
	"loam/internal/scratch"
	"loam/internal/store"
	"loam/internal/toolchain"
)

// A Kit is what packages with C are made with: the tools, and the user's flags for them.
type Kit struct {
	Cache *store.Cache
	Load  *load.Config
	Base  string // hash of the compiler that uses what is made

	CC, CXX   []string
	PkgConfig []string
	Parallel  int // compilers at a time
	Mode      toolchain.Mode
	Flags     Flags // the user's, which come before a package's

	tool string // the SDK's cgo
	id   string // of tool and compilers
}

// Flags are those of the preprocessor, the C compiler, the C++ compiler and the linker.
type Flags struct{ CPP, C, CXX, LD []string }

// Made is what a package with C became.
type Made struct {
	GoFiles []string // absolute: in place of those that import "C"
	Objects []string // keys in the cache
	Files   []string // objects of the package's own, absolute
	LD      []string // flags that programs are linked with
	CXX     bool     // C++ is among it
	Exports []string // symbols of Go functions that C calls
	Dynamic []string // symbols of C that shared libraries may look for
	Header  string   // text of the file that declares what a library exports
	Key     string
}

// manifest is Made as the cache has it.
type manifest struct {
	GoFiles, Objects, LD, Exports, Dynamic []string
	Header                                 string
}

// NewKit asks the go command for tools and flags.
func NewKit(cache *store.Cache, config *load.Config) (*Kit, error) {
	k := &Kit{Cache: cache, Load: config}
	cmd := exec.Command(config.Go, "env", "-json", "CC", "CXX", "PKG_CONFIG", "CGO_CPPFLAGS", "CGO_CFLAGS", "CGO_CXXFLAGS",
		"CGO_LDFLAGS", "GOTOOLDIR")
	cmd.Dir, cmd.Env = config.Dir, append(os.Environ(), "GOTOOLCHAIN=local", "GOROOT="+config.GOROOT)
	out, err := child.Output(cmd)
	if err != nil {
		return nil, fmt.Errorf("%s env: %v", config.Go, err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	for name, words := range map[string]*[]string{"CC": &k.CC, "CXX": &k.CXX, "PKG_CONFIG": &k.PkgConfig, "CGO_CPPFLAGS": &k.Flags.CPP,
		"CGO_CFLAGS": &k.Flags.C, "CGO_CXXFLAGS": &k.Flags.CXX, "CGO_LDFLAGS": &k.Flags.LD} {
		if *words, err = Words(env[name]); err != nil {
			return nil, fmt.Errorf("%s: %v", name, err)
		}
	}
	k.tool = filepath.Join(env["GOTOOLDIR"], "cgo")
	h := store.NewHasher("cgo tools")
	h.Add("tool", identity(k.tool)+config.FullVersion())
	for _, words := range [][]string{k.CC, k.CXX} {
		if len(words) == 0 {
			continue
		}
		path, err := exec.LookPath(words[0])
		if err != nil {
			if len(k.CC) > 0 && words[0] == k.CC[0] {
				return nil, fmt.Errorf("C compiler %q not found: %v", words[0], errors.Unwrap(err))
			}
			continue // it is missed when there is C++
		}
		h.Add("compiler", strings.Join(words, " ")+" "+identity(path))
	}
	h.Add("flags", fmt.Sprintf("%q", k.Flags))
	k.id = h.Sum()
	return k, nil
}

// identity changes when a program does.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	st, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprint(path, st.Size(), st.ModTime().UnixNano())
}

// compileFlags are those of every C compilation.
func (k *Kit) compileFlags() []string {
	flags := []string{"-fno-pie"}
	switch {
	case k.Mode.Library():
		flags = []string{"-fPIC", "-DLOAM_LIBRARY"}
	case k.Mode.Movable():
		flags = []string{"-fPIE"}
	}
	return append(flags, "-m64", "-pthread", "-fno-common", "-ffunction-sections", "-fdata-sections")
}

// Make makes what a package's C is good for, or finds it in the cache.
func (k *Kit) Make(p *load.Package) (*Made, error) {
	if len(p.FFiles) > 0 {
		return nil, fmt.Errorf("Fortran sources are not supported: %s", filepath.Base(p.FFiles[0]))
	}
	if len(p.SwigFiles)+len(p.SwigCXXFiles) > 0 {
		return nil, errors.New("SWIG sources are not supported")
	}
	if len(p.MFiles) > 0 {
		return nil, fmt.Errorf("Objective-C sources are not supported: %s", filepath.Base(p.MFiles[0]))
	}
	flags, err := k.flagsOf(p)
	if err != nil {
		return nil, err
	}
	key, err := k.key(p, flags)
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if !k.find(key, m) {
		if m, err = k.build(p, flags, key); err != nil {
			return nil, err
		}
	}
	made := &Made{Objects: m.Objects, Files: p.SysoFiles, LD: m.LD, Exports: m.Exports, Dynamic: m.Dynamic, Header: m.Header,
		CXX: len(p.CXXFiles) > 0, Key: key}
	for _, g := range m.GoFiles {
		name, err := k.Cache.File(g, goKind)
		if err != nil {
			return nil, err
		}
		made.GoFiles = append(made.GoFiles, name)
	}
	return made, nil
}

// Kinds of files in the cache: what a package became, and a Go file of it.
const (
	manifestKind = "cgo"
	goKind       = "cgo.go"
)

// find reads the manifest of that key, if all is there that it names.
func (k *Kit) find(key string, m *manifest) bool {
	data, err := k.Cache.ReadIf(key, manifestKind)
	if err != nil || json.Unmarshal(data, m) != nil {
		return false
	}
	for _, g := range m.GoFiles {
		if !k.Cache.Has(g, goKind) {
			return false
		}
	}
	for _, o := range m.Objects {
		if !k.Cache.Has(o, "o") {
			return false
		}
	}
	return true
}

// flagsOf are the flags of a package: the user's, those of pkg-config, its own.
func (k *Kit) flagsOf(p *load.Package) (Flags, error) {
	f := Flags{CPP: slices.Clone(k.Flags.CPP), C: slices.Clone(k.Flags.C), CXX: slices.Clone(k.Flags.CXX), LD: slices.Clone(k.Flags.LD)}
	for _, part := range []struct {
		name  string
		own   []string
		link  bool
		place *[]string
	}{{"CFLAGS", p.CgoCFLAGS, false, &f.C}, {"CPPFLAGS", p.CgoCPPFLAGS, false, &f.CPP},
		{"CXXFLAGS", p.CgoCXXFLAGS, false, &f.CXX}, {"LDFLAGS", p.CgoLDFLAGS, true, &f.LD}} {
		harmless := harmlessCompile
		if part.link {
			harmless = harmlessLink
		}
		if err := checkFlags("CGO_"+part.name, "#cgo "+part.name, part.own, harmless); err != nil {
			return f, err
		}
		*part.place = append(*part.place, part.own...)
	}
	if len(p.CgoPkgConfig) == 0 {
		return f, nil
	}
	for i, ask := range []string{"--cflags", "--libs"} {
		name, place, harmless := "pkg-config --cflags", &f.C, harmlessCompile
		if i == 1 {
			name, place, harmless = "pkg-config --libs", &f.LD, harmlessLink
		}
		for _, word := range p.CgoPkgConfig {
			if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
				return f, fmt.Errorf("invalid pkg-config package name: %s", word)
			}
		}
		args := append(slices.Clone(k.PkgConfig[1:]), ask, "--")
		out, err := child.Tool(exec.Command(k.PkgConfig[0], append(args, p.CgoPkgConfig...)...))
		if err != nil {
			return f, fmt.Errorf("%s %s: %v\n%s", k.PkgConfig[0], strings.Join(append(args, p.CgoPkgConfig...), " "), err, out)
		}
		words, err := Words(string(out))
		if err != nil {
			return f, err
		}
		if err := checkFlags(map[bool]string{false: "CGO_CFLAGS", true: "CGO_LDFLAGS"}[i == 1], name, words, harmless); err != nil {
			return f, err
		}
		*place = append(*place, words...)
	}
	return f, nil
}

// key is the hash of what a package's C is made from.
func (k *Kit) key(p *load.Package, flags Flags) (string, error) {
	h := store.NewHasher("cgo 8")
	h.Add("tools", k.id)
	h.Add("flags", fmt.Sprintf("%q %q", flags, k.compileFlags()))
	h.Add("package", p.Path()+" "+p.Name) // variants for tests have the same C
	h.Add("dir", p.Dir)                   // #line directives and -I name it
	for _, files := range [][]string{p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles} {
		h.Add("files", fmt.Sprint(len(files)))
		for _, name := range files {
			sum, err := k.Cache.HashFile(p, p.Source(name))
			if err != nil {
				return "", err
			}
			h.Add(filepath.Base(name), string(sum[:]))
		}
	}
	return h.Sum(), nil
}

// build runs cgo and the compilers.
func (k *Kit) build(p *load.Package, flags Flags, key string) (*manifest, error) {
	parent, err := scratch.Dir(k.Cache.Dir)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, "cgo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"-objdir", dir, "-importpath", p.Path()}
	if p.ImportPath == "runtime/cgo" {
		args = append(args, "-import_runtime_cgo=false", "-import_syscall=false")
	}
	header := ""
	if k.Mode.Library() && p.Name == "main" {
		header = filepath.Join(dir, "_cgo_install.h")
		args = append(args, "-exportheader="+header)
	}
	args = append(args, "--", "-I", dir)
	args = append(append(args, flags.CPP...), flags.C...)
	var sources []string
	for _, name := range p.CgoFiles {
		args = append(args, filepath.Base(name))
	}
	cmd := exec.Command(k.tool, args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "CC="+strings.Join(k.CC, " "), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1",
		"GOROOT="+k.Load.GOROOT, "CGO_LDFLAGS="+quoted(flags.LD), "LC_ALL=C")
	if out, err := child.Tool(cmd); err != nil {
		return nil, k.fault(p, dir, err, out)
	}
	m := &manifest{LD: flags.LD}
	types, err := os.ReadFile(filepath.Join(dir, "_cgo_gotypes.go"))
	if err != nil {
		return nil, err
	}
	if types, m.Exports, m.Dynamic, err = rewrite(types); err != nil {
		return nil, fmt.Errorf("what cgo made of %s: %v", p.ImportPath, err)
	}
	if err := k.keepGo(m, key, types); err != nil {
		return nil, err
	}
	if header != "" {
		text, err := os.ReadFile(header)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		m.Header = string(text)
	}
	exported := filepath.Join(dir, "_cgo_export.c")
	if err := stackless(exported); err != nil {
		return nil, err
	}
	sources = append(sources, exported)
	for _, name := range p.CgoFiles {
		base := strings.TrimSuffix(filepath.Base(name), ".go")
		text, err := os.ReadFile(filepath.Join(dir, base+".cgo1.go"))
		if err != nil {
			return nil, err
		}
		if err := k.keepGo(m, key, text); err != nil {
			return nil, err
		}
		calls := filepath.Join(dir, base+".cgo2.c")
		if err := stackless(calls); err != nil {
			return nil, err
		}
		sources = append(sources, calls)
	}
	sources = append(append(sources, p.CFiles...), p.CXXFiles...)
	sources = append(sources, p.SFiles...)
	if err := k.compile(p, m, flags, dir, key, sources); err != nil {
		return nil, err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return m, k.Cache.Write(key, manifestKind, data)
}

// keepGo puts a Go file into the cache.
func (k *Kit) keepGo(m *manifest, key string, text []byte) error {
	h := store.NewHasher("cgo file")
	h.Add("of", key)
	h.Add("number", fmt.Sprint(len(m.GoFiles)))
	m.GoFiles = append(m.GoFiles, h.Sum())
	return k.Cache.Write(h.Sum(), goKind, text)
}

// compile compiles C, C++ and assembly, and puts the objects into the cache.
func (k *Kit) compile(p *load.Package, m *manifest, flags Flags, dir, key string, sources []string) error {
	m.Objects = make([]string, len(sources))
	faults := make([]error, len(sources))
	turns := make(chan bool, max(k.Parallel, 1))
	var all sync.WaitGroup
	for i, name := range sources {
		all.Go(func() {
			turns <- true
			defer func() { <-turns }()
			m.Objects[i], faults[i] = k.compileOne(p, flags, dir, key, name, i)
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

func (k *Kit) compileOne(p *load.Package, flags Flags, dir, key, source string, i int) (string, error) {
	compiler, own := k.CC, flags.C
	switch filepath.Ext(source) {
	case ".cc", ".cpp", ".cxx":
		compiler, own = k.CXX, flags.CXX
		if len(compiler) == 0 {
			return "", errors.New("no C++ compiler: set CXX")
		}
	}
	object := filepath.Join(dir, fmt.Sprintf("%d.o", i))
	args := append(slices.Clone(compiler[1:]), "-I", p.Dir, "-I", dir)
	args = append(args, k.compileFlags()...)
	args = append(args, "-ffile-prefix-map="+dir+"=/_cgo")
	if slices.Contains(own, "-g") {
		args = append(args, "-gdwarf-4") // as all of the program's (package debugnames)
	}
	args = append(append(args, flags.CPP...), own...)
	args = append(args, "-o", object, "-c", source)
	cmd := exec.Command(compiler[0], args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := child.Tool(cmd)
	if err != nil {
		return "", k.fault(p, dir, err, out)
	}
	if len(out) > 0 {
		fmt.Fprintf(os.Stderr, "# %s\n%s", p.ImportPath, k.shown(p, dir, out))
	}
	h := store.NewHasher("cgo object")
	h.Add("of", key)
	h.Add("number", fmt.Sprint(i))
	return h.Sum(), k.Cache.Adopt(object, h.Sum(), "o")
}

// fault is what a tool said, with names as the user knows them.
func (k *Kit) fault(p *load.Package, dir string, err error, out []byte) error {
	text := strings.TrimRight(k.shown(p, dir, out), "\n")
	if text == "" {
		text = err.Error()
	}
	return &Fault{text}
}

// Fault is what is wrong with a package's C, in the words of the tool that found it.
type Fault struct{ Text string }

func (f *Fault) Error() string { return f.Text }

func (k *Kit) shown(p *load.Package, dir string, out []byte) string {
	wd := k.Load.Dir
	if wd == "" {
		wd, _ = os.Getwd()
	}
	text := strings.ReplaceAll(string(out), dir+"/", "$WORK/")
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "cgo: ") || strings.HasPrefix(line, "/") {
			continue
		}
		if name, rest, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(name, " /") {
			if _, err := os.Stat(filepath.Join(p.Dir, name)); err == nil {
				lines[i] = load.ShortPath(wd, filepath.Join(p.Dir, name)) + ":" + rest
			}
		}
	}
	return strings.ReplaceAll(strings.Join(lines, ""), p.Dir+"/", strings.TrimSuffix(load.ShortPath(wd, filepath.Join(p.Dir, "x")), "x"))
}

func quoted(words []string) string {
	var s strings.Builder
	for i, w := range words {
		if i > 0 {
			s.WriteByte(' ')
		}
		if strings.ContainsAny(w, " \t\"'") {
			fmt.Fprintf(&s, "%q", w)
		} else {
			s.WriteString(w)
		}
	}
	return s.String()
}
