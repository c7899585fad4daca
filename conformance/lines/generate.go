package main

import (
	_ "embed"
	"fmt"
	"strings"

	"loam/conformance/suite"
)

// A test is one place of the table: a construct in a layout.
type test struct {
	*construct
	layout *layout
}

func (t *test) String() string { return t.place().String() }

// place names the construct in its row, the layout in its column.
func (t *test) place() suite.Place {
	return suite.Place{Row: t.construct.name, Column: t.layout.name}
}

// tests are all places of the table.
func tests() (list []*test) {
	for i := range expressions {
		c := &expressions[i]
		if c.typ == "" {
			c.typ = "int"
		}
		for j := range valued {
			if l := &valued[j]; l.only == "" || l.only == c.typ {
				list = append(list, &test{c, l})
			}
		}
	}
	for i := range statements {
		for j := range stated {
			list = append(list, &test{&statements[i], &stated[j]})
		}
	}
	return list
}

// write returns the declarations of a test.
func (t *test) write(id int) string {
	fill := strings.NewReplacer("{D}", t.decl, "{X}", t.expr, "{S}", t.expr, "{T}", t.typ, "{id}", fmt.Sprint(id)).Replace
	sig, body := fill(t.layout.sig), fill(t.layout.body)
	if sig == "" {
		sig = "()"
	}
	var b strings.Builder
	if t.layout.top != "" {
		fmt.Fprintf(&b, "%s\n\n", fill(t.layout.top))
	}
	fmt.Fprintf(&b, "// %s\n//go:noinline\nfunc c%d%s {\n%s\n", t, id, sig, body)
	b.WriteString("}\n\n")
	return b.String()
}

//go:embed testdata/support.go
var support string

// perPackage is how many tests a package of the program has.
const perPackage = 500

// program returns the files of the program that runs the tests.
func program(list []*test, release string) map[string]string {
	files := map[string]string{
		"go.mod":             "module table\n\ngo " + strings.TrimPrefix(release, "go") + "\n",
		"support/support.go": support,
	}
	var imports, runs strings.Builder
	for p := 0; p*perPackage < len(list); p++ {
		var b, cases strings.Builder
		fmt.Fprintf(&b, "package p%d\n\nimport . \"table/support\"\n\n", p)
		for i, t := range list[p*perPackage : min((p+1)*perPackage, len(list))] {
			id := p*perPackage + i
			b.WriteString(t.write(id))
			fmt.Fprintf(&cases, "\t{%d, func() { c%d() }, %t},\n", id, id, t.layout.own)
		}
		fmt.Fprintf(&b, "var Cases = []Case{\n%s}\n", cases.String())
		files[fmt.Sprintf("p%d/p.go", p)] = b.String()
		fmt.Fprintf(&imports, "\t\"table/p%d\"\n", p)
		fmt.Fprintf(&runs, "\tsupport.Run(p%d.Cases)\n", p)
	}
	files["main.go"] = fmt.Sprintf("package main\n\nimport (\n%s\t\"table/support\"\n)\n\nfunc main() {\n%s}\n",
		imports.String(), runs.String())
	return files
}
