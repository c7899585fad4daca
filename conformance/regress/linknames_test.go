package regress

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// A linked is a name that upstream's sources keep because modules pull it by go:linkname.
type linked struct {
	name     string
	variable bool
}

// refused are the names that programs cannot have: they show upstream's own structures, or are not
// for Go to call.
var refused = []string{"runtime.cgocallback", "runtime.gcWriteBarrier2", "runtime.lastmoduledatap",
	"runtime.moduledataverify1", "runtime.morestack_noctxt", "runtime.sched"}

// TestLinknames makes a program that pulls every name that the SDK's sources keep for that, as far
// as gc links them. Loam has to refuse those of refused before it compiles anything, and to link a
// program with all others, which runs.
func TestLinknames(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	root, err := tool(dir, "go", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	names := keptNames(t, filepath.Join(strings.TrimSpace(root), "src"))
	if len(names) < 180 {
		t.Fatalf("only %d names found", len(names))
	}
	names = linkedByGC(t, dir, names)
	t.Logf("gc links %d", len(names))

	writePulls(t, dir, names)
	out, err := tool(dir, loam, "build", "-v", "-o", "program", ".")
	var got []string
	for _, m := range refusal.FindAllStringSubmatch(out, -1) {
		got = append(got, m[1])
	}
	slices.Sort(got)
	want := slices.DeleteFunc(slices.Clone(refused), func(name string) bool {
		return !slices.ContainsFunc(names, func(n linked) bool { return n.name == name })
	})
	if err == nil || !slices.Equal(got, want) {
		t.Errorf("refused: %v, want %v\n%s", got, want, out)
	}
	if strings.Contains(out, "missing function body") {
		t.Errorf("compiled first:\n%s", out)
	}

	names = slices.DeleteFunc(names, func(n linked) bool { return slices.Contains(refused, n.name) })
	writePulls(t, dir, names)
	if out, err := tool(dir, loam, "build", "-o", "program", "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err = tool(dir, "./program")
	if want := fmt.Sprintln(len(names)); err != nil || out != want {
		t.Errorf("the program printed %q, want %q (%v)", out, want, err)
	}
}

var refusal = regexp.MustCompile(`(?m)^\./main\.go:\d+:3: //go:linkname of (\S+): that exists only in the official toolchain's programs$`)

func tool(dir, command string, args ...string) (string, error) {
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// linkedByGC returns the names that gc's linker takes. It complains about some of the others at a
// time.
func linkedByGC(t *testing.T, dir string, names []linked) []linked {
	complaint := regexp.MustCompile(`invalid reference to (\S+)|relocation target (\S+) not defined`)
	for {
		writePulls(t, dir, names)
		out, err := tool(dir, "go", "build", "-o", "program", ".")
		if err == nil {
			return names
		}
		bad := map[string]bool{}
		for _, m := range complaint.FindAllStringSubmatch(out, -1) {
			bad[m[1]+m[2]] = true
		}
		before := len(names)
		names = slices.DeleteFunc(names, func(n linked) bool { return bad[n.name] })
		if len(names) == before {
			t.Fatalf("gc: %v\n%s", err, out)
		}
	}
}

// writePulls writes a program that pulls and uses the names and prints how many there are.
func writePulls(t *testing.T, dir string, names []linked) {
	var head, pulls, uses strings.Builder
	imported := map[string]bool{"unsafe": true, "os": true, "net": true} // bring internal ones
	head.WriteString("package main\n\nimport (\n\t\"unsafe\"\n\t_ \"os\"\n\t_ \"net\"\n")
	for i, n := range names {
		base := strings.LastIndexByte(n.name, '/') + 1
		pkg := n.name[:base+strings.IndexByte(n.name[base:], '.')]
		if !imported[pkg] && pkg != "runtime" && !strings.HasPrefix(pkg, "internal/") {
			imported[pkg] = true
			fmt.Fprintf(&head, "\t_ %q\n", pkg)
		}
		if n.variable {
			fmt.Fprintf(&pulls, "//go:linkname v%d %s\nvar v%d byte\n\n", i, n.name, i)
			fmt.Fprintf(&uses, "\tuse(unsafe.Pointer(&v%d))\n", i)
		} else {
			fmt.Fprintf(&pulls, "//go:linkname f%d %s\nfunc f%d()\n\n", i, n.name, i)
			fmt.Fprintf(&uses, "\tg%d := f%d\n\tuse(**(**unsafe.Pointer)(unsafe.Pointer(&g%d)))\n", i, i, i)
		}
	}
	src := head.String() + ")\n\nvar used int\n\n//go:noinline\nfunc use(p unsafe.Pointer) {\n\tif p != nil {\n\t\tused++\n\t}\n}\n\n" +
		pulls.String() + "func main() {\n" + uses.String() + "\tos.Stdout.WriteString(strconv.Itoa(used) + \"\\n\")\n}\n"
	src = strings.Replace(src, "\t_ \"os\"\n", "\t\"os\"\n\t\"strconv\"\n", 1)
	for name, text := range map[string]string{"go.mod": "module pulls\n\ngo 1.26\n", "main.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// keptNames finds the names in the SDK's sources: those of directives in comments that speak of the
// modules or of the issue in which they were collected, and of files that have nothing else.
func keptNames(t *testing.T, root string) (names []linked) {
	ctx := gobuild.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || d.Name() == "cmd" || d.Name() == "vendor" {
			return fs.SkipDir
		}
		pkg, err := ctx.ImportDir(dir, 0)
		if err != nil {
			return nil // no package for this system
		}
		path, _ := filepath.Rel(root, dir)
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		functions := map[string]bool{}
		for _, f := range files {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil {
					functions[fd.Name.Name] = true
				}
			}
		}
		for i, f := range files {
			for _, group := range f.Comments {
				if !strings.Contains(pkg.GoFiles[i], "badlinkname") && !kept.MatchString(group.Text()) {
					continue
				}
				for _, c := range group.List {
					words := strings.Fields(c.Text)
					if len(words) < 2 || words[0] != "//go:linkname" {
						continue
					}
					n := linked{name: path + "." + words[1]}
					if len(words) == 3 {
						n.name = words[2]
					}
					n.variable = !functions[words[1]] && !assembly[n.name]
					if !seen[n.name] {
						seen[n.name] = true
						names = append(names, n)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

var kept = regexp.MustCompile(`hall of shame|issue/67401`)

// assembly are functions that no Go file declares.
var assembly = map[string]bool{"runtime.cputicks": true}
