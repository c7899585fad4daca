package load

import (
	"fmt"
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"loam/internal/scratch"
)

// sdk makes a small GOROOT.
func sdk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"VERSION":              "go1.26.0\n",
		"src/a/a.go":           "package a\n\nconst A = 1\n",
		"src/a/asm_amd64.s":    "TEXT\n",
		"src/a/b_amd64.go":     "package a\n",
		"src/a/sub/s.go":       "package sub\n",
		"src/runtime/r.go":     "package runtime\n",
		"src/runtime/r_x.s":    "TEXT\n",
		"src/emb/e.go":         "package emb\n\n//go:embed data\nvar x string\n",
		"src/emb/data/file":    "data",
		"src/cmd/tool/main.go": "package main\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func sources(overlay string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"overlay/overlay.txt":       file(overlay),
		"overlay/runtime/own.go":    file("package runtime\n\nimport \"loam/rt/sys\"\n\n//go:linkname f loam/rt/sys.F\nfunc f()\n\nvar path = \"loam/rt\"\n"),
		"overlay/runtime/o_test.go": file("package runtime\n"),
		"rt/sys/sys.go":             file("package sys\n"),
		"rt/sys/sys.gas":            file(".text\n"),
		"rt/sys/sys_test.go":        file("package sys\n"),
		"rt/NOTES.md":               file("# x\n"),
	}
}

func read(t *testing.T, s *Shadow, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, "src", name))
	if os.IsNotExist(err) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestShadow(t *testing.T) {
	root, cache := sdk(t), t.TempDir()
	rules := "# comment\nreplace runtime\ndrop a *_amd64.*\npatch a a.go\n<<<\nconst A = 1\n===\nconst A, B = 2, 3\n>>>\n"
	s, err := MakeShadow(cache, &SDK{GOROOT: root, Version: "go1.26.0"}, sources(rules))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a/a.go":                      "package a\n\nconst A, B = 2, 3\n",
		"a/b_amd64.go":                "-",
		"a/asm_amd64.s":               "-",
		"a/sub/s.go":                  "package sub\n",
		"runtime/r.go":                "-",
		"runtime/r_x.s":               "-",
		"runtime/o_test.go":           "-",
		"runtime/own.go":              "package runtime\n\nimport \"internal/rt/sys\"\n\n//go:linkname f internal/rt/sys.F\nfunc f()\n\nvar path = \"loam/rt\"\n",
		"internal/rt/sys/sys.gas":     ".text\n",
		"internal/rt/sys/sys_test.go": "-",
		"emb/data/file":               "data",
		"cmd/tool/main.go":            "package main\n",
	} {
		if got := read(t, s, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(root, "src/a/a.go")); err != nil || !strings.Contains(string(text), "A = 1") {
		t.Errorf("the installed SDK was changed: %s %v", text, err)
	}
	again, err := MakeShadow(cache, &SDK{GOROOT: root, Version: "go1.26.0"}, sources(rules))
	if err != nil || again.Dir != s.Dir {
		t.Errorf("same content, other shadow: %v %v", again, err)
	}
	other, err := MakeShadow(cache, &SDK{GOROOT: root, Version: "go1.26.0"}, sources("replace runtime\n"))
	if err != nil || other.Dir == s.Dir {
		t.Errorf("other rules, same shadow: %v %v", other, err)
	}
	if got := s.UserPath(filepath.Join(s.Dir, "src/a/a.go")); got != filepath.Join(root, "src/a/a.go") {
		t.Errorf("UserPath: %s", got)
	}
	// Loam's own files are found under a root of their own, and can be opened there.
	for name, want := range map[string]string{
		"src/runtime/own.go":          "overlay/runtime/own.go",
		"src/internal/rt/sys/sys.gas": "rt/sys/sys.gas",
		"src/runtime":                 "",
		"src/internal/rt/sys":         "",
	} {
		inShadow := filepath.Join(s.Dir, name)
		if want == "" {
			want = filepath.Join(root, name)
		} else {
			want = filepath.Join(s.Root, want)
			if there, err := os.Stat(want); err != nil || !os.SameFile(there, stat(t, inShadow)) {
				t.Errorf("%s is not %s: %v", want, inShadow, err)
			}
		}
		if got := s.UserPath(inShadow); got != want {
			t.Errorf("UserPath of %s: %s, want %s", name, got, want)
		}
	}
	checkout := rootedSources{sources(rules), "/my/loam"}
	if s, err := MakeShadow(cache, &SDK{GOROOT: root, Version: "go1.26.0"}, checkout); err != nil ||
		s.UserPath(filepath.Join(s.Dir, "src/runtime/own.go")) != "/my/loam/overlay/runtime/own.go" {
		t.Errorf("with LOAMROOT: %v %v", s, err)
	}
	left, err := filepath.Glob(filepath.Join(cache, scratch.Pattern, "goroot-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// rootedSources are those of a checkout.
type rootedSources struct {
	fs.FS
	dir string
}

func (r rootedSources) Root() string { return r.dir }

func stat(t *testing.T, name string) os.FileInfo {
	t.Helper()
	st, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestShadowErrors(t *testing.T) {
	root := sdk(t)
	for rules, message := range map[string]string{
		"replace runtime\npatch a a.go\n<<<\nconst Z\n===\nx\n>>>\n": "Go version not supported (go1.26.0): a/a.go has 0 places that overlay/overlay.txt:2 matches, want 1",
		"replace runtime\npatch a gone.go\n<<<\nx\n===\ny\n>>>\n":    "gone.go, named in overlay/overlay.txt:2, does not exist",
		"":                                   "overlay/runtime has no replace or merge rule",
		"replace runtime\nreplace a\n":       "overlay/a has no Go files",
		"replace runtime\nbuild a\n":         "overlay/overlay.txt:2: unknown rule build",
		"replace runtime\npatch a a.go\nx\n": "overlay/overlay.txt:3: expected a line <<<",
		"replace runtime\npatch a a.go\n<<<\nx\n===\nx\ny\n>>>\n": "overlay/overlay.txt:8: the patch moves the lines behind it, which tracebacks name",
		"replace runtime x\n": "overlay/overlay.txt:1: wrong number of words",
	} {
		_, err := MakeShadow(t.TempDir(), &SDK{GOROOT: root, Version: "go1.26.0"}, sources(rules))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("rules %q: error %v, want one with %q", rules, err, message)
		}
	}
}

func TestEmbeds(t *testing.T) {
	names := []string{".h", "a.txt", "d/.hidden", "d/_x", "d/e/f", "d/g"}
	for pattern, want := range map[string][]string{
		"d":         {"d/e/f", "d/g"},
		"all:d":     {"d/.hidden", "d/_x", "d/e/f", "d/g"},
		"*.txt":     {"a.txt"},
		"d/*":       {"d/.hidden", "d/_x", "d/e/f", "d/g"},
		"d/.hidden": {"d/.hidden"},
		"d/e":       {"d/e/f"},
		".*":        {".h"},
		"?":         {"d/e/f", "d/g"},
	} {
		got, err := matchEmbeds([]string{pattern}, names)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v, want %v", pattern, got, err, want)
		}
	}
	if _, err := matchEmbeds([]string{"nothing"}, names); err == nil {
		t.Error("a pattern that matches nothing is no error")
	}
}

// TestMildFaults holds which statements are kept that go/parser leaves out, and where gc finds the
// fault.
func TestMildFaults(t *testing.T) {
	const text = `package p

func f() {
	defer f
	go (f)
	defer func() { go f }
	for a, b, c := range g { defer
		x[1] }
	for x[a], y, z[h(1,
		2)], w = range g {}
}
`
	const kept = `package p

func f() {
	_=    f
	_= (f)
	_=    func() { _= f }
	for a, b    := range g { _=   
		x[1] }
	for x[a], y, z[h(1,
		2)], w = range g {}
}
`
	u := NewUniverse()
	f, err := parser.ParseFile(u.Fset, "p.go", text, parser.SkipObjectResolution)
	if again, _ := u.parseFaulty("p.go", []byte(text), &Errors{}); again == nil {
		t.Error("mild faults are not taken for such:", err)
	}
	errs := &Errors{}
	src := []byte(text)
	for range 3 {
		u.keepStatements(f, src, errs)
		f, _ = parser.ParseFile(u.Fset, "p.go", src, parser.SkipObjectResolution)
	}
	if string(src) != kept {
		t.Errorf("kept is\n%s", src)
	}
	var at []string
	for _, se := range errs.kept {
		at = append(at, fmt.Sprintf("%d:%d", se.Pos.Line, se.Pos.Column))
	}
	slices.Sort(at)
	if got := strings.Join(at, " "); got != "4:8 5:6 6:20 6:8 7:12 8:3 9:15" {
		t.Errorf("faults at %s", got)
	}
	const faulty = "package p\nfunc f() {\n\tdefer g\n\t1 + }"
	if again, _ := u.parseFaulty("q.go", []byte(faulty), &Errors{}); again != nil {
		t.Error("a fault of syntax is taken for a mild one")
	}
}

func TestShortPath(t *testing.T) {
	for _, c := range [][2]string{{"/a/b/x.go", "./x.go"}, {"/a/b/c/x.go", "c/x.go"}, {"/a/x.go", "/a/x.go"},
		{"/usr/lib/x.go", "/usr/lib/x.go"}} {
		if got := ShortPath("/a/b", c[0]); got != c[1] {
			t.Errorf("%s is shown as %s, want %s", c[0], got, c[1])
		}
	}
}
