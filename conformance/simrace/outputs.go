package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loam/conformance/suite"
)

// program is a program of GOROOT's src/runtime/race/output_test.go: what it prints with -race has
// to match one of the patterns.
type program struct {
	name, verb, gorace, source string
	patterns                   []string
}

// outputs runs those programs, as tests with the names TestOutput/NAME.
func (t *tests) outputs(loam, goroot string) ([]byte, error) {
	programs, err := programsOf(filepath.Join(goroot, "src/runtime/race/output_test.go"))
	if err != nil {
		return nil, err
	}
	match, err := regexp.Compile(t.only)
	if err != nil {
		return nil, err
	}
	programs = slices.DeleteFunc(programs, func(p *program) bool { return !match.MatchString(p.test()) })
	said := make([][]byte, len(programs))
	at := make([]int, len(programs))
	for i := range at {
		at[i] = i
	}
	suite.Each(at, 2, func(i int) { said[i] = programs[i].run(loam) })
	return slices.Concat(said...), nil
}

func (p *program) test() string { return "TestOutput/" + p.name }

// run runs the program, and reports as a test does.
func (p *program) run(loam string) []byte {
	said, err := p.output(loam)
	result := "FAIL"
	for _, pattern := range p.patterns {
		re, bad := regexp.Compile(pattern)
		if bad != nil {
			err = bad
		} else if re.MatchString(said) {
			result = "PASS"
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s: %s\n%s\n", result, p.test(), strings.ReplaceAll(said, "\n---", "\n ---"))
	if result == "FAIL" {
		fmt.Fprintf(&out, "%v\nwants: %s\n", err, strings.ReplaceAll(strings.Join(p.patterns, "\nor: "), "\n---", "\n ---"))
	}
	return out.Bytes()
}

func (p *program) output(loam string) (string, error) {
	dir, err := os.MkdirTemp("", "loam-race-output-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main.go")
	if p.verb == "test" {
		file = filepath.Join(dir, "main_test.go")
	}
	if err := os.WriteFile(file, []byte(p.source), 0o666); err != nil {
		return "", err
	}
	cmd := exec.Command(loam, p.verb, "-race", file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GORACE="+p.gorace)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// programsOf reads the programs of a test file: the composite literal in its variable tests.
func programsOf(file string) (list []*program, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "tests" || len(spec.Values) != 1 {
			return true
		}
		if all, ok := spec.Values[0].(*ast.CompositeLit); ok {
			for _, x := range all.Elts {
				list = append(list, programOf(x))
			}
		}
		return false
	})
	if len(list) == 0 || slices.Contains(list, nil) {
		return nil, fmt.Errorf("%s has another form than expected", file)
	}
	return list, nil
}

// programOf reads {name, verb, GOOS, GORACE, source, patterns}. nil: it has another form.
func programOf(x ast.Expr) *program {
	lit, ok := x.(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 6 {
		return nil
	}
	patterns, ok := lit.Elts[5].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var words []string
	for _, x := range slices.Concat(lit.Elts[:5], patterns.Elts) {
		lit, ok := x.(*ast.BasicLit)
		if !ok {
			return nil
		}
		word, err := strconv.Unquote(lit.Value)
		if err != nil {
			return nil
		}
		words = append(words, word)
	}
	return &program{words[0], words[1], words[3], words[4], words[5:]}
}
