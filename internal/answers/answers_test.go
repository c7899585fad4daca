package answers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"loam"
	"loam/internal/load"
)

// tree is a module with what the go command looks at.
var tree = map[string]string{
	"m/go.mod":               "module example.com/m\n\ngo 1.26\n\nrequire example.com/near v0.0.0\n\nreplace example.com/near => ../near\n",
	"m/main.go":              "package main\n\nimport (\n\t\"example.com/m/in/deep\"\n\t\"example.com/near\"\n)\n\nfunc main() { println(deep.F(), near.F()) }\n",
	"m/notes.txt":            "nothing\n",
	"m/in/deep/deep.go":      "package deep\n\nfunc F() int { return 1 }\n",
	"m/in/deep/deep_test.go": "package deep\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {}\n",
	"m/asm/asm.go":           "package asm\n\nfunc F()\n",
	"m/asm/asm_amd64.s":      "TEXT ·F(SB),0,$0\n\tRET\n",
	"m/data/data.go":         "package data\n\nimport _ \"embed\"\n\n//go:embed file.txt\nvar S string\n",
	"m/data/all.go":          "package data\n\nimport \"embed\"\n\n//go:embed dir\nvar D embed.FS\n",
	"m/data/file.txt":        "text\n",
	"m/data/dir/one.txt":     "1\n",
	"near/go.mod":            "module example.com/near\n\ngo 1.26\n",
	"near/near.go":           "package near\n\nfunc F() int { return 2 }\n",
}

// TestKept: an answer is kept while nothing changes that the go command looks at, and is what the
// go command says in any case.
func TestKept(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range tree {
		write(name, text)
	}
	t.Chdir(filepath.Join(top, "m"))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOENV", filepath.Join(top, "goenv"))
	cache, err := load.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sdk, err := load.FindSDK("")
	if err != nil {
		t.Fatal(err)
	}
	shadow, err := load.MakeShadow(cache, sdk, loam.RuntimeSources())
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(top, "cache")

	// say returns what the go command says, and what a keeper does.
	say := func() (want, got string, asked int) {
		t.Helper()
		text := func(sdk *load.SDK, pkgs []*load.Package, order []string, err error) string {
			if err != nil {
				return err.Error()
			}
			b, err := json.Marshal([]any{sdk, pkgs, order})
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		run := func(k *Keeper) string {
			sdk, err := k.FindSDK()
			if err != nil {
				return err.Error()
			}
			c := &load.Config{SDK: sdk, Shadow: shadow, Tests: true}
			pkgs, order, err := k.List(c, PatternOrder, "./...")
			return text(sdk, pkgs, order, err)
		}
		k := NewKeeper(own)
		got = run(k)
		return run(NewKeeper("")), got, k.asked
	}
	settle := func() { time.Sleep(2 * settleTime) }

	for _, step := range []struct {
		name string
		do   func()
		asks int // SDK and list
	}{
		{"a function", func() { write("m/main.go", tree["m/main.go"]+"\nfunc more() {}\n") }, 0},
		{"a file that is no source", func() { write("m/notes.txt", "changed\n"); write("m/more.txt", "") }, 0},
		{"an import", func() { write("m/in/deep/deep.go", "package deep\n\nimport _ \"os\"\n\nfunc F() int { return 1 }\n") }, 1},
		{"a constraint", func() { write("m/in/deep/deep_test.go", "//go:build none\n\n"+tree["m/in/deep/deep_test.go"]) }, 1},
		{"a file", func() { write("m/in/deep/other.go", "package deep\n") }, 1},
		{"a file less", func() { remove("m/in/deep/other.go") }, 1},
		{"a test", func() { write("m/near_test.go", "package main\n\nimport _ \"testing\"\n") }, 1},
		{"a package", func() { write("m/in/wide/wide.go", "package wide\n") }, 1},
		{"a name that starts with an underscore", func() { write("m/in/_x/x.go", "package x\n") }, 0},
		{"an embedded file", func() { write("m/data/dir/two.txt", "2\n") }, 1},
		{"content of an embedded file", func() { write("m/data/dir/two.txt", "22\n") }, 0},
		{"a pattern of embedded files", func() { write("m/data/data.go", tree["m/data/data.go"]+"\n//go:embed all.go\nvar T string\n") }, 1},
		{"assembly", func() { write("m/asm/asm_amd64.s", "//go:build !none\n\n"+tree["m/asm/asm_amd64.s"]) }, 1},
		{"a module near by", func() { write("near/near.go", "package near\n\nimport _ \"io\"\n\nfunc F() int { return 2 }\n") }, 1},
		{"a function near by", func() { write("near/near.go", "package near\n\nimport _ \"io\"\n\nfunc F() int { return 3 }\n") }, 0},
		{"go.mod near by", func() { write("near/go.mod", "module example.com/near\n\ngo 1.25\n") }, 1},
		{"a directory of the name of a module", func() { write("m/in/near.txt", ""); write("m/go.sum", "") }, 1},
		{"a module in between", func() { write("m/in/go.mod", "module example.com/other\n") }, 1},
		{"no module in between", func() { remove("m/in/go.mod") }, 0},
		{"go.mod", func() { write("m/go.mod", tree["m/go.mod"]+"\n// end\n") }, 2},
		{"go.work", func() { write("go.work", "go 1.26\n\nuse ./m\nuse ./near\n") }, 2},
		{"a module that go.work uses", func() { write("near/go.mod", "module example.com/near\n\ngo 1.24\n") }, 1},
		{"no go.work", func() { remove("go.work") }, 2},
		{"settings", func() { write("goenv", "GOFLAGS=-tags=none\n") }, 2},
		{"the environment", func() { t.Setenv("GOFLAGS", "-tags=other") }, 2},
		{"a syntax error", func() { write("m/in/deep/deep.go", "package deep\n\nimport \"\n") }, 1},
		{"the same error", func() {}, 1},
		{"no error", func() { write("m/in/deep/deep.go", tree["m/in/deep/deep.go"]) }, 1},
		{"a vendor directory", func() { write("m/vendor/modules.txt", "# example.com/near v0.0.0 => ../near\n") }, 1},
	} {
		settle()
		// The answer before the change is there, and is as good as the go command's.
		if want, got, _ := say(); got != want {
			t.Fatalf("before %s: kept is\n%s\nand the go command says\n%s", step.name, got, want)
		}
		step.do()
		settle()
		want, got, asked := say()
		if got != want {
			t.Errorf("%s: kept is\n%s\nand the go command says\n%s", step.name, got, want)
		}
		if asked != step.asks {
			t.Errorf("%s: the go command is asked %d times, not %d", step.name, asked, step.asks)
		}
	}
}

// TestUnsettled: what may have changed while the go command was asked is not kept.
func TestUnsettled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.go")
	if err := os.WriteFile(file, []byte("package p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := new(facts)
	f.add(file, hasHead)
	if f.settled(time.Now()) {
		t.Error("a file that was just written counts")
	}
	if !f.settled(time.Now().Add(2 * settleTime)) {
		t.Error("a file that was written long ago does not count")
	}
}

// TestHead: what the go command reads of a file is in its head, and functions are not.
func TestHead(t *testing.T) {
	for text, want := range map[string]string{
		"//go:build x\n\npackage p // p\n\nimport \"os\"\n\nfunc f() {}\n":        "//go:build x\n\npackage p // p\n\nimport \"os\"",
		"package p\n\nfunc f() {}\n":                                              "package p",
		"package p; import `embed`; var x int\n//go:embed a\nvar y embed.FS\n":    "package p; import `embed`; var x int\n//go:embed a\nvar y embed.FS\n",
		"package p\nimport (\n\t\"os\"\n)\nimport _ \"io\" // why\nconst c = 1\n": "package p\nimport (\n\t\"os\"\n)\nimport _ \"io\"",
		"package\n\nfunc f() {}\n":                                                "package\n\nfunc f() {}\n",
	} {
		if got := string(head([]byte(text))); got != want {
			t.Errorf("the head of %q is %q, not %q", text, got, want)
		}
	}
}
