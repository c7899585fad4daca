package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"loam/conformance/suite"
)

// A test is one place of the table: an operand, a context, and where the call stands.
type test struct {
	*form
	context  *context
	position string // "" where the context fixes it
}

func (t *test) String() string { return t.place().String() }

// place names the form in its row, the context and the position in its column.
func (t *test) place() suite.Place {
	return suite.Place{Row: t.form.name, Column: strings.TrimSpace(t.context.name + " " + t.position)}
}

// positions are where the operand stands: before the call, after it, or between two.
var positions = []string{"before", "after", "between"}

// core are the contexts in which operands stand in all positions; in others they stand before the
// call. Pairs of operands that panic stand only here.
var core = map[string]bool{}

func init() {
	for _, name := range []string{"arg fixed", "arg variadic any", "arg defer", "return", "return any", "define", "assign elements", "var any",
		"literal struct", "literal slice of any", "literal map of any"} {
		core[name] = true
	}
}

// isList finds the placeholders of lists.
var isList = regexp.MustCompile(`\{(L|LI|P|PA|PG|V|R|RA|RN|M|K|KM|F|FA|FZ|Z|SV|EV|BV|D|G|TG)\}`)

// tests are all places of the table.
func tests() (list []*test) {
	all := append(operands[:len(operands):len(operands)], panicking()...)
	for i := range all {
		f := &all[i]
		for j := range contexts {
			c := &contexts[j]
			if !c.fits(f) || !f.suits(c) {
				continue
			}
			pair := f.panics && f.call != ""
			if !isList.MatchString(c.body + c.top + c.sig) {
				if !pair || f.typ == "int" && pairs[c.name] || f.typ == "[]int" && appends[c.name] {
					list = append(list, &test{f, c, ""})
				}
				continue
			}
			if !core[c.name] {
				if !pair {
					list = append(list, &test{f, c, "before"})
				}
				continue
			}
			for _, p := range positions {
				list = append(list, &test{f, c, p})
			}
		}
	}
	return append(list, fusions(all)...)
}

// typedCall finds the calls that return a value of the operand's type.
var typedCall = regexp.MustCompile(`\{(CT|M|KM)\}`)

// suits reports whether the form can be written in the context.
func (f *form) suits(c *context) bool {
	text := c.body + c.top
	if f.call != "" && f.typed == "" && typedCall.MatchString(text) {
		return false
	}
	if f.panics && (strings.HasPrefix(c.name, "select two") || strings.HasPrefix(c.name, "arg go") || c.name == "panic" ||
		c.name == "return recovered") {
		return false // a goroutine's panic ends the program
	}
	if f.types != "" && strings.Contains(f.typ, "T") {
		return !strings.Contains(text, "type m{id}") && !strings.Contains(text, "tf :=") && c.name != "arg generic"
	}
	return true
}

// write returns the declarations of a test, and the statement that runs it.
func (t *test) write(id int) (decls, run string) {
	f, c := t.form, t.context
	w := writer{test: t, id: fmt.Sprint(id), global: strings.HasPrefix(c.name, "package ")}
	body, top := w.expand(c.body), w.expand(c.top)
	var b strings.Builder
	if f.types != "" && typeParameter.MatchString(top) {
		top = regexp.MustCompile(`func ([a-z]\d+)\(`).ReplaceAllString(top, "func $1[T any](")
	}
	setup := w.setup(body + top)
	if w.global {
		fmt.Fprintf(&b, "%s\n", setup)
		setup = ""
	}
	if top != "" {
		fmt.Fprintf(&b, "%s\n", top)
	}
	results := w.expand(c.sig)
	if f.result && c.sig == "" {
		results = "(r0 " + f.typ + ")"
		body += "; return"
	}
	fmt.Fprintf(&b, "// %s\nfunc c%d%s(%s) %s {\n%s%s\n}\n", t, id, f.types, w.rename(f.params), results, setup, body)
	run = fmt.Sprintf("c%d%s(%s)", id, f.inst, f.args)
	if c.sig != "" {
		run = "Show(" + run + ")"
	}
	return b.String(), run
}

var typeParameter = regexp.MustCompile(`\bT\b`)

// writer expands the texts of one test.
type writer struct {
	*test
	id     string
	global bool // the operand's variables are the package's
}

var variable = regexp.MustCompile(`\$([a-z]+)`)

// rename gives the form's variables names that no context uses.
func (w *writer) rename(s string) string {
	if w.global {
		return variable.ReplaceAllString(s, "${1}x_"+w.id)
	}
	return variable.ReplaceAllString(s, "${1}x")
}

// call returns a call that changes the operand: name is that of a closure, which setup declares.
func (w *writer) call(name string) string {
	switch {
	case name == "ct" && w.typed != "":
		return w.rename(w.typed)
	case w.form.call != "" && name == "cb":
		return "(" + w.rename(w.form.call) + " == 5)"
	case w.form.call != "":
		return w.rename(w.form.call)
	case w.global:
		return name + w.id + "()"
	}
	return name + "()"
}

var results = map[string]string{"ch": "int", "ct": "", "cb": "bool", "one": "int"}
var returned = map[string]string{"ch": "5", "ct": "", "cb": "true", "one": "1"}

// setup declares the form's variables, and the closures that text calls.
func (w *writer) setup(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(w.decl, "\n") {
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, "%s\n", w.rename(line))
		// A closure that is assigned to _ is one that gc keeps.
		if !w.global && !strings.HasPrefix(line, "var $f") && !strings.HasPrefix(line, "var $g") {
			fmt.Fprintf(&b, "%s\n", w.rename(used(line)))
		}
	}
	if w.first != "" {
		fmt.Fprintf(&b, "%s\n", w.rename(w.first))
	}
	for _, name := range []string{"ch", "ct", "cb", "one"} {
		call := w.call(name)
		if !strings.HasPrefix(call, name) || !strings.Contains(text, call) {
			continue
		}
		result, value := results[name], returned[name]
		if name == "ct" {
			result, value = w.typ, w.rename(w.expr)
		}
		if w.global {
			fmt.Fprintf(&b, "func %s %s { %s; return %s }\n", call, result, w.rename(w.change), value)
		} else {
			fmt.Fprintf(&b, "%s := func() %s { %s; return %s }\n", name, result, w.rename(w.change), value)
		}
	}
	return b.String()
}

// used makes the variables of a declaration used ones.
func used(decl string) string {
	names := variable.FindAllString(strings.SplitN(decl, "=", 2)[0], -1)
	return strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ")
}

// item is an element of a list: the operand, or a call.
type item struct {
	field, name, typ, value, typed string
	index                          int
}

func (w *writer) items() []item {
	e := item{"A", "va", w.typ, w.rename(w.expr), w.rename(w.expr), 0}
	if e.value[0] == '-' || strings.ContainsAny(e.value[:1], "!^*&<") {
		e.typed = e.value
	}
	b := item{"B", "vb", "int", w.call("ch"), w.call("ct"), 1}
	d := item{"D", "vc", "int", w.call("ch"), w.call("ct"), 2}
	switch w.position {
	case "before":
		return []item{e, b}
	case "after":
		return []item{b, e}
	}
	return []item{b, e, d}
}

// list joins what f makes of each item.
func (w *writer) list(sep string, f func(item) string) string {
	var parts []string
	for _, i := range w.items() {
		parts = append(parts, f(i))
	}
	return strings.Join(parts, sep)
}

// lists are the placeholders that are lists.
var lists = map[string]struct {
	sep  string
	item func(item) string
}{
	"L":  {", ", func(i item) string { return i.value }},
	"V":  {", ", func(i item) string { return i.name }},
	"P":  {", ", func(i item) string { return i.name + " " + i.typ }},
	"PA": {", ", func(i item) string { return i.name + " any" }},
	"PG": {", ", func(i item) string { return i.name + " T" + i.field }},
	"TG": {", ", func(i item) string { return "T" + i.field + " any" }},
	"R":  {", ", func(i item) string { return i.typ }},
	"RA": {", ", func(i item) string { return "any" }},
	"RN": {", ", func(i item) string { return fmt.Sprintf("r%d %s", i.index, i.typ) }},
	"M":  {", ", func(i item) string { return i.typed }},
	"K":  {", ", func(i item) string { return fmt.Sprintf("%d: %s", i.index, i.value) }},
	"KM": {", ", func(i item) string { return fmt.Sprintf("%d: %s", i.index, i.typed) }},
	"F":  {"; ", func(i item) string { return i.field + " " + i.typ }},
	"FA": {"; ", func(i item) string { return i.field + " any" }},
	"Z":  {", ", func(i item) string { return i.field + ": " + i.value }},
	"SV": {", ", func(i item) string { return "st." + i.field }},
	"EV": {", ", func(i item) string { return fmt.Sprintf("el[%d]", i.index) }},
	"BV": {", ", func(i item) string { return "_" }},
	"D":  {"; ", func(i item) string { return "var " + i.name + " " + i.typ }},
}

var placeholder = regexp.MustCompile(`\{([A-Z][A-Z0-9]?|id)\}`)

// expand replaces the placeholders of a text.
func (w *writer) expand(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		name := s[1 : len(s)-1]
		if l, ok := lists[name]; ok {
			return w.list(l.sep, l.item)
		}
		switch name {
		case "id":
			return w.id
		case "T":
			return w.typ
		case "E":
			return w.operand()
		case "C":
			return w.call("ch")
		case "C1":
			return w.call("one")
		case "CT":
			return w.call("ct")
		case "CB":
			return w.call("cb")
		case "LI":
			return w.list(", ", func(i item) string {
				if i.field == "A" {
					return "i" + w.id + "(" + i.value + ")"
				}
				return i.value
			})
		case "FZ":
			return "A " + w.typ + "; B, D int"
		case "G":
			return w.list(", ", func(i item) string { return "g" + i.name + w.id })
		}
		panic("what is " + s)
	})
}

// simple finds operands that need no parentheses wherever they stand.
var simple = regexp.MustCompile(`^(\$?[\w.]+|\$?[\w.]+\[[^\[\]]*\])$`)

// operand is the operand as a part of an expression.
func (w *writer) operand() string {
	s := w.rename(w.expr)
	if simple.MatchString(s) || w.left && s[0] != '*' {
		return s
	}
	return "(" + s + ")"
}

//go:embed testdata/support.go
var support string

// perPackage is how many tests a package of the program has.
const perPackage = 800

// program returns the files of the program that runs the tests.
func program(list []*test, release string) map[string]string {
	files := map[string]string{
		"go.mod":             "module table\n\ngo " + strings.TrimPrefix(release, "go") + "\n",
		"support/support.go": support,
	}
	var imports, runs strings.Builder
	for p := 0; p*perPackage < len(list); p++ {
		var b, cases strings.Builder
		fmt.Fprintf(&b, "package p%d\n\nimport (\n\t\"unsafe\"\n\n\t. \"table/support\"\n)\n\nvar _ unsafe.Pointer\n\n", p)
		for i, t := range list[p*perPackage : min((p+1)*perPackage, len(list))] {
			id := p*perPackage + i
			decls, run := t.write(id)
			b.WriteString(decls)
			fmt.Fprintf(&cases, "\t{%d, func() { %s }},\n", id, run)
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

// concat joins parts of the table.
func concat[T any](parts ...[]T) (all []T) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// appends are those for slices.
var appends = map[string]bool{"append base": true, "append base sliced": true, "left append": true, "left append sliced": true}

// pairs are the contexts besides in which two operands stand that panic.
var pairs = map[string]bool{"equal": true, "add": true, "divide": true, "index": true, "index left value": true, "index left call": true,
	"index left op": true, "index swap": true, "slice bounds": true, "map left value": true, "map left call": true, "map left op": true,
	"literal map key": true, "left": true, "left op": true, "left op call": true, "left two": true, "left two after": true, "left swap": true,
	"left tuple": true, "if": true, "switch tag": true, "send": true, "select send": true, "min": true, "make": true, "base field": true}
