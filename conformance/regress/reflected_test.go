package regress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// reflected are ways to a method that only reflection calls. Each is a program of its own, for the
// first one leads to all methods. What gc's linker loses has the answer here.
var reflected = []struct{ name, decls, body, want string }{
	{"Type.Method", "", `m := reflect.TypeOf(&T{}).Method(0); fmt.Println(m.Name, m.Func.Call([]reflect.Value{reflect.ValueOf(&T{2})})[0])`, ""},
	{"Type.MethodByName", "", `m, ok := reflect.TypeFor[*T]().MethodByName("Twice"); fmt.Println(ok, m.Func.Interface().(func(*T) int)(&T{3}))`, ""},
	{"Type.Methods", "", `for m := range reflect.TypeOf(&T{}).Methods() { fmt.Println(m.Func.Call([]reflect.Value{reflect.ValueOf(&T{4})})[0]) }`, ""},
	{"Value.Methods", "", `for _, v := range reflect.ValueOf(&T{5}).Methods() { fmt.Println(v.Call(nil)[0]) }`, ""},
	{"computed name", "", `fmt.Println(reflect.ValueOf(&T{6}).MethodByName("Tw" + fmt.Sprint("ice")).Call(nil)[0])`, ""},
	{"value of method", "", `f := reflect.ValueOf(&T{7}).Method; fmt.Println(f(0).Call(nil)[0])`, ""},
	{"expression of method", "var f = reflect.Value.Method", `fmt.Println(f(reflect.ValueOf(&T{8}), 0).Call(nil)[0])`, "16\n"},
	{"expression of pointer's method", "", `v := reflect.ValueOf(&T{9}); f := (*reflect.Value).Method; fmt.Println(f(&v, 0).Call(nil)[0])`, ""},
	{"embedded Value", "type V struct{ x int; reflect.Value }",
		`v := V{1, reflect.ValueOf(&T{10})}; fmt.Println(v.Method(0).Call(nil)[0])`, ""},
	{"embedded Type", "type V struct{ x int; reflect.Type }",
		`v := &V{1, reflect.TypeOf(&T{})}; fmt.Println(v.Method(0).Func.Call([]reflect.Value{reflect.ValueOf(&T{11})})[0])`, ""},
	{"Value in an interface", "type has interface{ Method(int) reflect.Value }\n//go:noinline\nfunc call(x any) { fmt.Println(x.(has).Method(0).Call(nil)[0]) }", `call(reflect.ValueOf(&T{12}))`, ""},
	{"Type in an interface", "type has interface{ MethodByName(string) (reflect.Method, bool) }\n//go:noinline\nfunc call(x any) { m, ok := x.(has).MethodByName(\"Twice\"); fmt.Println(ok, m.Func.Call([]reflect.Value{reflect.ValueOf(&T{13})})[0]) }", `call(reflect.TypeOf(&T{}))`, ""},
	{"interface's method", "type I interface { A(); B(); C(); D(); Twice() int }\nfunc (t *T) A() {}\nfunc (t *T) B() {}\nfunc (t *T) C() {}\nfunc (t *T) D() {}", `var i I = &T{14}; fmt.Println(reflect.ValueOf(&i).Elem().Method(4).Call(nil)[0])`, ""},
	{"linkname", "//go:linkname method reflect.Value.Method\nfunc method(reflect.Value, int) reflect.Value",
		`fmt.Println(method(reflect.ValueOf(&T{15}), 0).Call(nil)[0])`, "30\n"},
	{"embedded in StructOf", "type E struct{ n int }\nfunc (E) Own() string { return \"own\" }",
		`t := reflect.StructOf([]reflect.StructField{{Name: "E", Type: reflect.TypeFor[E](), Anonymous: true}}); fmt.Println(reflect.New(t).Elem().Interface().(interface{ Own() string }).Own())`, ""},
}

// TestReflected: a method that a program finds by reflection is there.
func TestReflected(t *testing.T) {
	loam, toolchain := loamtest.Command(t), loamtest.Toolchain(t, "")
	for _, c := range reflected {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := "package main\n\nimport (\n\t\"fmt\"\n\t\"reflect\"\n\t_ \"unsafe\"\n)\n\ntype T struct{ n int }\n\nfunc (t *T) Twice() int { return 2 * t.n }\n\n" +
				c.decls + "\n\nfunc main() { " + c.body + " }\n"
			for name, text := range map[string]string{"main.go": text, "go.mod": "module reflected\n\ngo 1.26\n", "empty.s": ""} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, wantStatus := c.want, 0
			if want == "" {
				out, status := program(t, "go", toolchain, dir, ".")
				want, wantStatus = string(out), status
			}
			got, status := program(t, loam, toolchain, dir, ".")
			if string(got) != want || status != wantStatus || strings.TrimSpace(want) == "" {
				t.Errorf("it prints %q with status %d, want %q with %d", got, status, want, wantStatus)
			}
		})
	}
}
