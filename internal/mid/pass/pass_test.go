package pass

import (
	"bytes"
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
	"loam/internal/pgo"
	"loam/internal/pgo/pgotest"
)

var update = flag.Bool("update", false, "write the expected texts")

// TestGolden holds what each pass makes of the functions in testdata/*.go against the text beside
// them. A function's comment names the passes that it is about.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no tests: ", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go"), func(t *testing.T) {
			got := texts(t, name)
			golden := strings.TrimSuffix(name, ".go") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is not what the passes make (-update writes it):\n%s", golden, got)
			}
		})
	}
}

// texts compiles the file as far as the passes go, and returns the functions as they are made and
// after the passes that their comments name.
func texts(t *testing.T, name string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, _, err := syntax.Check(conf, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	about := func(f *mid.Func, pass string) bool {
		d, ok := f.Syntax().(*ast.FuncDecl)
		if !ok || d.Doc == nil {
			return false
		}
		return pass == "" || strings.Contains(d.Doc.Text(), pass)
	}
	var w strings.Builder
	in := &Input{Pkg: pkg,
		Dumped: func(f *mid.Func) bool { return about(f, "") },
		Dump: func(f *mid.Func, pass, text string) {
			if about(f, pass) {
				w.WriteString("-- " + strings.TrimSpace(f.String()+" "+pass) + " --\n" + text)
			}
		}}
	in.Guide = guide(t, fset, strings.TrimSuffix(name, ".go")+".stacks")
	Install(in)
	fns := pkg.Functions()
	for _, f := range fns {
		f.Body()
	}
	InlineCalls(in, fns)
	return w.String()
}

// guide is the profile of which the file has the stacks (pgotest), nil if there is none.
func guide(t *testing.T, fset *token.FileSet, file string) *Guide {
	stacks, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	profile, err := pgo.Parse(bytes.NewReader(pgotest.Encode(string(stacks))))
	if err != nil {
		t.Fatal(err)
	}
	line := func(pos token.Pos) int { return fset.Position(pos).Line }
	return &Guide{Profile: profile, Line: line, Start: func(f *mid.Func) int { return line(f.Pos()) },
		Name: func(f *mid.Func) string {
			switch recv := f.Signature.Recv(); {
			case f.Parent() != nil:
				return f.Parent().Name() + "." + f.Name()
			case recv != nil:
				if to, ok := recv.Type().(*types.Pointer); ok {
					return "p.(*" + to.Elem().(*types.Named).Obj().Name() + ")." + f.Name()
				}
				return recv.Type().String() + "." + f.Name()
			}
			return "p." + f.Name()
		}}
}
