package store

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestCodeOf(t *testing.T) {
	for _, c := range []struct{ source, code string }{
		{"", ""},
		{"x // y\nz", "x //\nz"},
		{"x //", "x //"},
		{"x /* y\n zz */ z", "x /*  \n    */ z"},
		{"/**/x/***/", "/**/x/* */"},
		{"//go:noinline\n// why\nfunc f()", "//go:noinline\n//\nfunc f()"},
		{"//line a.go:1\n//export f\n//loam:inline\n", "//line a.go:1\n//export f\n//loam:inline\n"},
		{"/*line a.go:1*/ /* line */", "/*line a.go:1*/ /*      */"},
		{`"// a" // b`, `"// a" //`},
		{`"\"// a" // b`, `"\"// a" //`},
		{"`\\`// a\n`/*`", "`\\`//\n`/*`"},
		{`'"' // a`, `'"' //`},
		{`'\'' // a`, `'\'' //`},
		{"x / y / z // a", "x / y / z //"},
		// What is wrong stays as it is.
		{"\"a // b\n// c\n", "\"a // b\n//\n"},
		{"x /* y", "x /* y"},
		{"x /*/ y", "x /*/ y"},
		{"` // y", "` // y"},
		{"// \x00\n// \xff\n/* \uFEFF */", "// \x00\n// \xff\n/* \uFEFF */"},
	} {
		if got := string(codeOf([]byte(c.source))); got != c.code {
			t.Errorf("%q: %q, want %q", c.source, got, c.code)
		}
		if again := string(codeOf([]byte(c.code))); again != c.code {
			t.Errorf("%q has the code %q", c.code, again)
		}
	}
}

// TestCodeIsSame scans sources of the SDK and their code: the tokens and their places are the same,
// and so are the comments that go/scanner's own users know as directives.
func TestCodeIsSame(t *testing.T) {
	type place struct {
		tok          token.Token
		text         string
		line, column int
	}
	scan := func(name string, src []byte) (list []place) {
		fset := token.NewFileSet()
		f := fset.AddFile(name, -1, len(src))
		var s scanner.Scanner
		s.Init(f, src, nil, scanner.ScanComments)
		for {
			pos, tok, text := s.Scan()
			if tok == token.EOF {
				return list
			}
			if tok == token.COMMENT && !strings.HasPrefix(text, "//go:") && !strings.HasPrefix(text, "//export ") {
				text = text[:2]
			}
			p := f.PositionFor(pos, false)
			if tok == token.SEMICOLON && text == "\n" {
				p.Column = 0 // of the line's end, which no code has
			}
			list = append(list, place{tok, text, p.Line, p.Column})
		}
	}
	before, after := 0, 0
	for _, dir := range []string{"runtime", "fmt", "go/scanner", "go/parser", "net/http", "strconv", "text/template", "math"} {
		names, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", dir, "*.go"))
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			code := codeOf(src)
			before, after = before+len(src), after+len(code)
			if want, got := scan(name, src), scan(name, code); !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Errorf("%s is different as code: %v, %v", name, got[i:min(i+2, len(got))], want[i:min(i+2, len(want))])
			}
		}
	}
	if after == 0 || after > before*4/5 {
		t.Errorf("of %d bytes %d are code", before, after)
	}
}
