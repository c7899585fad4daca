package docstyle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// runtimeSource is what the walks of docs/walks.md are about: the functions of rt/ and
// overlay/runtime, by names such as sched.NewProc, heap.(*Cache).refill, runtime.newproc and
// __morestack.
type runtimeSource struct {
	mentions map[string]map[string]bool // what the source of a function names
	alias    map[string]string          // a local name, or a hook, to the function that it stands for
}

var (
	gasFunction = regexp.MustCompile(`^(?:FUNC\("?([^")]+)"?\)|"?([\w./]+)"?:$)`)
	gasName     = regexp.MustCompile(`"internal/rt/([\w.]+)"|\b(runtime\.\w+|__morestack)\b`)
	walkItem    = regexp.MustCompile("^( *)\\* `([^`]+)`")
)

func readRuntime(t *testing.T) *runtimeSource {
	t.Helper()
	src := &runtimeSource{map[string]map[string]bool{}, map[string]string{}}
	for _, dir := range []string{"rt", "overlay/runtime"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "testdata" {
					return fs.SkipDir
				}
				return nil
			}
			switch {
			case strings.HasSuffix(path, "_test.go"):
			case strings.HasSuffix(path, ".go"):
				return src.readGo(path)
			case strings.HasSuffix(path, ".gas"):
				return src.readGas(path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(src.mentions) < 2000 {
		t.Fatalf("only %d functions in rt/ and overlay/runtime", len(src.mentions))
	}
	return src
}

// readGo notes the functions of a file with the names in their bodies, go:linkname's two names, and
// which function a hook of another package is set to.
func (src *runtimeSource) readGo(path string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := filepath.Base(filepath.Dir(path))
	for _, group := range file.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) == 3 && words[0] == "//go:linkname" && strings.HasPrefix(words[2], "loam/rt/") {
				src.alias[pkg+"."+words[1]] = strings.TrimPrefix(words[2], "loam/rt/")
			}
		}
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		name := pkg + "." + f.Name.Name
		if f.Recv != nil {
			recv := f.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				name = pkg + ".(*" + typeName(star.X) + ")." + f.Name.Name
			} else {
				name = pkg + "." + typeName(recv) + "." + f.Name.Name
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				switch x := n.X.(type) {
				case *ast.Ident:
					src.note(name, x.Name+"."+n.Sel.Name)
				case *ast.SelectorExpr: // hooks.calls.PoolCleanup
					src.note(name, x.Sel.Name+"."+n.Sel.Name)
				}
				src.note(name, "."+n.Sel.Name)
			case *ast.Ident:
				src.note(name, pkg+"."+n.Name)
			case *ast.AssignStmt:
				if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
					break
				}
				hook, ok := n.Lhs[0].(*ast.SelectorExpr)
				if !ok {
					break
				}
				x, ok := hook.X.(*ast.Ident)
				if !ok {
					break
				}
				src.setHook(x.Name+"."+hook.Sel.Name, pkg, n.Rhs[0])
			case *ast.CompositeLit: // heap.Calls{PoolCleanup: pool.Turn}
				of, ok := n.Type.(*ast.SelectorExpr)
				if !ok {
					break
				}
				for _, e := range n.Elts {
					kv, ok := e.(*ast.KeyValueExpr)
					if !ok {
						continue
					}
					if field, ok := kv.Key.(*ast.Ident); ok {
						src.setHook(strings.ToLower(of.Sel.Name)+"."+field.Name, pkg, kv.Value)
					}
				}
			}
			return true
		})
		src.note(name, name)
	}
	return nil
}

// setHook notes which function a hook is set to, in package pkg.
func (src *runtimeSource) setHook(hook, pkg string, to ast.Expr) {
	switch to := to.(type) {
	case *ast.Ident:
		src.alias[hook] = pkg + "." + to.Name
	case *ast.SelectorExpr:
		if x, ok := to.X.(*ast.Ident); ok {
			src.alias[hook] = x.Name + "." + to.Sel.Name
		}
	}
}

// readGas notes the functions of an assembly file with what they name.
func (src *runtimeSource) readGas(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if m := gasFunction.FindStringSubmatch(line); m != nil && !strings.HasPrefix(line, ".L") {
			// a place within
			if next := strings.TrimPrefix(m[1]+m[2], "internal/rt/"); next != "loam.morestack_return" {
				name = next
				src.note(name, name)
			}
		}
		for _, m := range gasName.FindAllStringSubmatch(line, -1) {
			src.note(name, m[1]+m[2])
		}
	}
	return nil
}

func (src *runtimeSource) note(name, mentioned string) {
	if src.mentions[name] == nil {
		src.mentions[name] = map[string]bool{}
	}
	src.mentions[name][mentioned] = true
}

func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.IndexExpr:
		return typeName(x.X)
	}
	return "?"
}

// names reports whether the source of caller mentions callee: by its name, by that of a method,
// through go:linkname, or by the hook that callee is set as.
func (src *runtimeSource) names(caller, callee string) bool {
	said := src.mentions[caller]
	if i := strings.LastIndex(callee, ")."); i >= 0 {
		return said[callee[i+1:]]
	}
	if said[callee] {
		return true
	}
	for name := range said {
		if src.alias[name] == callee {
			return true
		}
	}
	return false
}

// TestWalks holds docs/walks.md against the source: the functions exist, and those that an item is
// above of are named in that item's function.
func TestWalks(t *testing.T) {
	src := readRuntime(t)
	text, err := os.ReadFile(filepath.Join(root, "docs/walks.md"))
	if err != nil {
		t.Fatal(err)
	}
	var above []string
	items := 0
	for i, line := range strings.Split(string(text), "\n") {
		m := walkItem.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		items++
		depth, name := len(m[1])/2, m[2]
		if src.mentions[name] == nil {
			t.Errorf("docs/walks.md:%d: there is no function %s", i+1, name)
		}
		if depth > len(above) {
			t.Fatalf("docs/walks.md:%d: the item is indented more than one step", i+1)
		}
		above = append(above[:depth], name)
		if depth > 0 && !src.names(above[depth-1], name) {
			t.Errorf("docs/walks.md:%d: the source of %s does not name %s", i+1, above[depth-1], name)
		}
	}
	if items < 80 {
		t.Errorf("only %d items are found", items)
	}
}

// TestNames tries what TestWalks relies on.
func TestNames(t *testing.T) {
	src := readRuntime(t)
	for _, c := range []struct {
		caller, callee string
		want           bool
	}{
		{"sched.NewProc", "sched.newG", true},
		{"sched.NewProc", "sched.exitG", false},
		{"__morestack", "stack.more", true},
		{"__morestack", "stack.overflow", false},
		{"heap.dropCaches", "pool.Turn", true},        // a hook
		{"sched.checkTimers", "timer.Run", true},      // go:linkname
		{"heap.dropCaches", "sched.trimCells", false}, // another hook
	} {
		if got := src.names(c.caller, c.callee); got != c.want {
			t.Errorf("%s names %s: %v", c.caller, c.callee, got)
		}
	}
}
