package main_test

import (
	"debug/buildinfo"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// movableModule is a program that depends on addresses in its data: descriptors and what they refer
// to, points where functions resume, tables of methods, assembly, and the table of lines.
const movableModule = `
-- go.mod --
module movable

go 1.26
-- main.go --
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

type inner struct {
	Name string ` + "`json:\"name\"`" + `
	up   *inner
}

func (i inner) Shout() string     { return strings.ToUpper(i.Name) }
func (i *inner) rename(to string) { i.Name = to }

type outer struct {
	inner
	List map[string][]inner
}

type renamer interface{ rename(string) }

// found are types that only reflection asks for.
func found() {
	t := reflect.TypeFor[outer]()
	for i := range t.NumMethod() {
		fmt.Println(t.Method(i).Name, t.Method(i).Type)
	}
	fmt.Println(reflect.PointerTo(t) == reflect.TypeFor[*outer](), reflect.SliceOf(t), reflect.MapOf(reflect.TypeFor[string](), t))
	made := reflect.StructOf([]reflect.StructField{{Name: "X", Type: t}, {Name: "y", PkgPath: "movable", Type: t}})
	fmt.Println(made, made.Field(1).PkgPath, reflect.New(made).Type())
	out := reflect.ValueOf(outer{inner: inner{Name: "x"}}).MethodByName("Shout").Call(nil)
	fmt.Println(out[0])
	swap := reflect.MakeFunc(reflect.TypeFor[func(int, string) (string, int)](), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(int, string) (string, int))
	fmt.Println(swap(1, "a"))
}

func recovered(list []int, i int) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	n = 5
	return list[i], nil
}

func inLoop() (said []any) {
	for i := range 3 {
		defer func() { said = append(said, i, recover()) }()
	}
	panic("loop")
}

// dynamic asks for an interface that only the run-time system finds.
func dynamic(x any) string {
	if r, ok := x.(renamer); ok {
		r.rename("renamed")
	}
	_, missing := x.(interface{ Nothing() })
	if s, ok := x.(interface{ Shout() string }); ok {
		return fmt.Sprint(s.Shout(), missing)
	}
	return "no"
}

func place() string {
	pc, file, line, ok := runtime.Caller(1)
	return fmt.Sprint(runtime.FuncForPC(pc).Name(), file[strings.LastIndexByte(file, '/'):], line, ok)
}

var table = map[string]func() string{"a": func() string { return "A" }, "b": place}

func main() {
	found()
	fmt.Println(recovered([]int{1}, 0))
	fmt.Println(recovered(nil, 3))
	fmt.Println(inLoop())
	fmt.Println(dynamic(&inner{Name: "n"}), dynamic(&outer{}), dynamic(3))
	fmt.Println(place(), func() string { return place() }(), table["a"]())
	text, err := json.Marshal(outer{List: map[string][]inner{"k": {{Name: "v"}}}})
	fmt.Printf("%s %v %x\n", text, err, sha256.Sum256(text))
	var target *os.PathError
	_, err = os.Open("/nosuch")
	fmt.Println(errors.As(err, &target), target)
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range table {
			yield(name)
		}
	})
	fmt.Println(names)
	runtime.GC()
	if len(os.Args) > 1 {
		println(&table)
		var nothing *inner
		nothing.rename("fault")
	}
}
`

// TestMovable builds programs that may lie anywhere: they do what gc's do, are linked without a
// library, and lie somewhere else each time.
func TestMovable(t *testing.T) {
	dir := module(t, movableModule)
	gc := filepath.Join(t.TempDir(), "gc")
	cmd := exec.Command("go", "build", "-o", gc, ".")
	cmd.Dir, cmd.Env = dir, append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	expected := runProgram(t, gc, nil)
	for _, flags := range [][]string{{}, {"-gcflags=-N"}, {"-O=instant"}, {"-ldflags=-s"}} {
		exe := filepath.Join(t.TempDir(), "x")
		want(t, run(t, dir, nil, append(append([]string{"build", "-buildmode=pie", "-o", exe}, flags...), ".")...), 0, "", "")
		f, err := elf.Open(exe)
		if err != nil {
			t.Fatal(err)
		}
		interpreted := slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
		textual, err := f.DynValue(elf.DT_TEXTREL)
		if f.Type != elf.ET_DYN || interpreted || len(textual) > 0 || err != nil {
			t.Errorf("%v: type %v, interpreter %v, changes its code %v (%v)", flags, f.Type, interpreted, textual, err)
		}
		f.Close()
		info, err := buildinfo.ReadFile(exe)
		if err != nil || !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "-buildmode" && s.Value == "pie" }) {
			t.Errorf("%v: built with %v (%v)", flags, info, err)
		}
		want(t, runProgram(t, exe, nil), 0, expected.stdout, "")
		seen := map[string]bool{}
		for range 4 {
			r := runProgram(t, exe, nil, "fault")
			address, trace, _ := strings.Cut(r.stderr, "\n")
			seen[address] = true
			if r.code != 2 || !regexp.MustCompile(`(?s)^panic: runtime error: invalid memory.*\nmain\.\(\*inner\)\.rename.*/main.go:21.*\nmain\.main\(\)\n\t\S*/main.go:105 `).
				MatchString(trace) {
				t.Errorf("%v: exit code %d\n%s", flags, r.code, r.stderr)
			}
		}
		if len(seen) < 2 {
			t.Errorf("%v: variables always lie at %v", flags, seen)
		}
	}
}
