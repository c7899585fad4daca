package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A program is what is built, or tested.
type program struct {
	name   string
	long   bool // takes minutes
	packed bool // is built with a pack of std, too
	verb   string
	args   []string
	write  func(dir string) (edits, error) // writes the sources
}

// edits change the sources, by kind; each gets a number that it has not had.
type edits map[string]func(n int) error

var programs = []program{
	{name: "hello", packed: true, verb: "build", args: []string{"."}, write: hello},
	{name: "http", packed: true, verb: "build", args: []string{"."}, write: server},
	{name: "module", verb: "build", args: []string{"."}, write: func(dir string) (edits, error) { return packages(dir, 300) }},
	{name: "tests", verb: "test", args: []string{"./..."}, write: func(dir string) (edits, error) { return packages(dir, 40) }},
	{name: "parser", verb: "build", args: []string{"."}, write: parser},
	{name: "cobra", long: true, verb: "build", args: []string{"."}, write: commandLine},
	{name: "functions", long: true, verb: "build", args: []string{"."}, write: functions},
	{name: "loam", long: true, verb: "build", args: []string{"./cmd/loam"}, write: loamItself},
}

// writeFile writes a file of a module, with its directory.
func writeFile(dir, name, text string) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

const goMod = "module example.com/bench\n\ngo 1.26\n"

// single writes a module of one file, which is text with the number of the edit for %d.
func single(dir, text string) (edits, error) {
	write := func(n int, comment string) error {
		return writeFile(dir, "main.go", strings.ReplaceAll(text, "%d", fmt.Sprint(n))+comment)
	}
	if err := writeFile(dir, "go.mod", goMod); err != nil {
		return nil, err
	}
	return edits{
		"main":    func(n int) error { return write(n, "") },
		"comment": func(n int) error { return write(1, fmt.Sprintf("\n// Comment %d.\n", n)) },
	}, write(0, "")
}

func hello(dir string) (edits, error) {
	return single(dir, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\", %d) }\n")
}

func server(dir string) (edits, error) {
	return single(dir, `package main

import (
	"fmt"
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s, edit %d\n", r.URL.Path)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:0", nil))
}
`)
}

// commandLine is a program with subcommands, and a module from the proxy that makes them.
func commandLine(dir string) (edits, error) {
	e, err := single(dir, `package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "bench"}
	for _, name := range []string{"add", "remove", "list"} {
		root.AddCommand(&cobra.Command{Use: name, Run: func(_ *cobra.Command, args []string) { fmt.Println(name, args, %d) }})
	}
	if err := root.Execute(); err != nil {
		panic(err)
	}
}
`)
	if err != nil {
		return nil, err
	}
	get := exec.Command("go", "get", "github.com/spf13/cobra@v1.9.1")
	get.Dir, get.Stderr = dir, os.Stderr
	return e, get.Run()
}

// packages is a module of n packages below main, each of which imports up to four that come before
// it; half of them import the first, the leaf.
func packages(dir string, n int) (edits, error) {
	name := func(i int) string { return fmt.Sprintf("p%d", i) }
	source := func(i, edit int, comment string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "// Package p%d is one of many.\npackage p%[1]d\n\nimport (\n\t\"fmt\"\n\t\"sort\"\n", i)
		var imports []int
		for _, j := range []int{i - 1, i / 2, i / 3, 0} {
			if j >= 0 && j < i && (j > 0 || i%2 == 0) && (len(imports) == 0 || imports[len(imports)-1] != j) {
				imports = append(imports, j)
				fmt.Fprintf(&b, "\t\"example.com/bench/p%d\"\n", j)
			}
		}
		b.WriteString(")\n\n" + comment)
		fmt.Fprintf(&b, "type Item struct {\n\tName string\n\tWeight int\n}\n\nfunc (x *Item) String() string { return fmt.Sprintf(\"%%s %%d\", x.Name, x.Weight+%d) }\n\n", edit)
		for k := range 12 {
			fmt.Fprintf(&b, "func Sort%d(list []Item) (sum int) {\n\tsort.Slice(list, func(i, j int) bool { return list[i].Weight*%[1]d < list[j].Weight })\n"+
				"\tseen := map[string]int{}\n\tfor i, x := range list {\n\t\tif seen[x.Name]++; i%%%d == 0 {\n\t\t\tsum += x.Weight\n\t\t}\n\t}\n", k, k+2)
			for _, j := range imports {
				fmt.Fprintf(&b, "\tsum += p%d.Sum(len(list))\n", j)
			}
			b.WriteString("\treturn sum\n}\n\n")
		}
		b.WriteString("// Sum is what others call.\nfunc Sum(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i\n\t}\n\treturn sum\n}\n")
		return b.String()
	}
	write := func(i, edit int, comment string) error {
		return writeFile(dir, name(i)+"/p.go", source(i, edit, comment))
	}
	test := func(i, edit int) error {
		return writeFile(dir, name(i)+"/p_test.go",
			fmt.Sprintf("package p%d\n\nimport \"testing\"\n\nfunc TestSort(t *testing.T) {\n\tif Sort0([]Item{{\"a\", 1}}) > 1000 {\n\t\tt.Error(%d)\n\t}\n}\n", i, edit))
	}
	main := func(edit int) error {
		var b strings.Builder
		b.WriteString("package main\n\nimport (\n")
		for i := range n {
			fmt.Fprintf(&b, "\t\"example.com/bench/p%d\"\n", i)
		}
		fmt.Fprintf(&b, ")\n\nfunc main() {\n\tsum := %d\n", edit)
		for i := range n {
			fmt.Fprintf(&b, "\tsum += p%d.Sort0([]p%[1]d.Item{{\"a\", 1}})\n", i)
		}
		b.WriteString("\tprintln(sum)\n}\n")
		return writeFile(dir, "main.go", b.String())
	}
	for i := range n {
		if err := write(i, 0, ""); err != nil {
			return nil, err
		}
		if err := test(i, 0); err != nil {
			return nil, err
		}
	}
	if err := main(0); err != nil {
		return nil, err
	}
	return edits{
		"main":    main,
		"leaf":    func(edit int) error { return write(0, edit, "") },
		"middle":  func(edit int) error { return write(n/2, edit, "") },
		"test":    func(edit int) error { return test(n/2, edit) },
		"comment": func(edit int) error { return write(n/2, 0, fmt.Sprintf("// Comment %d.\n\n", edit)) },
	}, writeFile(dir, "go.mod", goMod)
}

// parser is what generators write: tables, and one function with a case for each of many rules.
func parser(dir string) (edits, error) {
	var b strings.Builder
	b.WriteString("package main\n\nvar table = [...]int16{")
	for i := range 40000 {
		if i%20 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "%d, ", i*7919%30011-15000)
	}
	b.WriteString("\n}\n\ntype node struct {\n\tkind int\n\tlist []*node\n\ttext string\n}\n\nfunc reduce(rule int, stack []*node) *node {\n\tswitch rule {\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "\tcase %d:\n\t\tif len(stack) > %d && stack[%[2]d].kind == %d {\n\t\t\treturn &node{kind: %[1]d, list: stack[:%[2]d], text: \"rule%[1]d\"}\n\t\t}\n\t\treturn &node{kind: %[1]d, text: stack[0].text + \"%[1]d\"}\n", i, i%7, i*3)
	}
	b.WriteString("\t}\n\treturn nil\n}\n\nfunc main() {\n\tstack := []*node{{text: \"edit %d\"}}\n\tfor i, x := range table {\n\t\tif n := reduce(int(x)+i%1500, stack); n != nil {\n\t\t\tstack[0] = n\n\t\t}\n\t}\n\tprintln(len(stack[0].text))\n}\n")
	return single(dir, b.String())
}

// functions is a file of 54,000 functions, which a table leads to. Each calls itself: had one the
// next to call, a compiler could inline thousands of them into each.
func functions(dir string) (edits, error) {
	var b strings.Builder
	b.WriteString("package main\n\n")
	const n = 54000
	for i := range n {
		fmt.Fprintf(&b, "func f%d(a, b int) int {\n\tif a > b {\n\t\treturn f%d(b, a) + %[1]d\n\t}\n\tfor a < b {\n\t\ta += %[3]d\n\t}\n\treturn a\n}\n\n", i, i, i%9+1)
	}
	b.WriteString("var all = [...]func(a, b int) int{")
	for i := range n {
		fmt.Fprintf(&b, "\n\tf%d,", i)
	}
	b.WriteString("\n}\n\nfunc main() { println(all[%d](1, 7)) }\n")
	return single(dir, b.String())
}

// loamItself is a copy of the checkout.
func loamItself(dir string) (edits, error) {
	copied := exec.Command("cp", "-r", ".", dir)
	copied.Stderr = os.Stderr
	if err := copied.Run(); err != nil {
		return nil, err
	}
	comment := func(file string) func(int) error {
		return func(n int) error {
			f, err := os.OpenFile(filepath.Join(dir, file), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = fmt.Fprintf(f, "\nvar edited%d = %[1]d\n", n)
			return err
		}
	}
	return edits{"main": comment("cmd/loam/main.go"), "leaf": comment("internal/ir/func.go"),
		"middle": comment("internal/escape/solve.go")}, nil
}
