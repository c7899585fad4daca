package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"loam/internal/mid"
	"loam/internal/mid/pass"
	"loam/internal/mid/syntax"
)

// TestRun compiles the programs in testdata with Loam and with gc and compares what they
// print.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	loam := filepath.Join(t.TempDir(), "loam")
	run(t, "go", "build", "-o", loam, "loam/cmd/loam")
	for _, dir := range []string{"desc", "static", "memory", "algs", "methods", "order", "boxes", "made"} {
		t.Run(dir, func(t *testing.T) {
			output := func(tool string) string {
				cmd := exec.Command(tool, "run", ".")
				cmd.Dir = filepath.Join("testdata", dir)
				out, err := cmd.Output()
				if err != nil {
					stderr := ""
					if e, ok := err.(*exec.ExitError); ok {
						stderr = string(e.Stderr)
					}
					t.Fatalf("%s: %v\n%s", tool, err, stderr)
				}
				return string(out)
			}
			compareLines(t, output(loam), output("go"))
		})
	}
}

// TestEmbedOrder checks the order of an embed.FS's files, the example of package embed.
func TestEmbedOrder(t *testing.T) {
	var files []EmbedFile
	for _, n := range []string{"w", "q/s/u", "q/r", "p", "q/s/t", "q/v", "q/r"} {
		files = append(files, EmbedFile{Name: n})
	}
	want := []string{"p", "q/", "w", "q/r", "q/s/", "q/v", "q/s/t", "q/s/u"}
	got := withDirectories(files)
	if len(got) != len(want) {
		t.Fatalf("got %d files, want %d", len(got), len(want))
	}
	for i, f := range got {
		if f.Name != want[i] {
			t.Errorf("file %d is %s, want %s", i, f.Name, want[i])
		}
	}
}

// TestDeterministic lowers packages twice: the build cache relies on equal text.
func TestDeterministic(t *testing.T) {
	load := func() map[string]string {
		pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), "CGO_ENABLED=0")}, "encoding/json")
		if err != nil {
			t.Fatal(err)
		}
		u := syntax.NewUniverse(pkgs[0].Fset, types.SizesFor("gc", "amd64"))
		packages.Visit(pkgs, nil, func(p *packages.Package) { u.Add(p.Types, p.Syntax, p.TypesInfo, true) })
		text := map[string]string{}
		packages.Visit(pkgs, nil, func(p *packages.Package) {
			switch p.PkgPath {
			case "encoding/json", "reflect", "unicode", "slices", "strconv", "internal/poll", "os":
				pkg := u.View(p.Types)
				pass.Install(&pass.Input{Pkg: pkg})
				out, err := Package(&Input{Pkg: pkg, Info: p.TypesInfo, Files: p.Syntax, Fset: p.Fset, Sizes: types.SizesFor("gc", "amd64")})
				if err != nil {
					t.Error(p.PkgPath, err)
					return
				}
				text[p.PkgPath] = string(out.IR.Text())
			}
		})
		return text
	}
	a, b := load(), load()
	for p := range a {
		if i := strings.Index(a[p], "= phi { "); i >= 0 {
			t.Errorf("%s: phi of aggregates, see phi.go: %.80s", p, a[p][i:])
		}
		if a[p] != b[p] {
			t.Errorf("%s: two runs differ", p)
			compareLines(t, a[p], b[p])
		}
	}
}

// TestCrash panics the compiler: the error has to say where in the program.
func TestCrash(t *testing.T) {
	const text = "package p\n\nfunc F(x int) int {\n\ty := x * 2\n\treturn y + 1\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	view, _, err := syntax.Check(&types.Config{}, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range view.Func("F").Body()[0].Instrs {
		if add, ok := in.(*mid.BinOp); ok && add.Op == token.ADD {
			add.Op = token.ILLEGAL
		}
	}
	_, err = Package(&Input{Pkg: view, Files: []*ast.File{file}, Fset: fset, Sizes: types.SizesFor("gc", "amd64")})
	const want = "p.go:5:11: internal compiler error: "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "(in p.F)") {
		t.Errorf("error %v, want %s... (in p.F)", err, want)
	}
}
