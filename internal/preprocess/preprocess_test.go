package preprocess

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func expand(t *testing.T, text string, defined map[string]string, headers map[string]string) (string, error) {
	t.Helper()
	out, err := Expand(Input{Name: "f.gas", Text: []byte(text), Defined: defined, Header: func(name string) ([]byte, error) {
		if h, ok := headers[name]; ok {
			return []byte(h), nil
		}
		return nil, errors.New("no header " + name)
	}})
	return string(out), err
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"names", "#define A b+1\nA A2 aA A\n", "\nb+1 A2 aA b+1\n"},
		{"lines", "x\n#define A \\\n 1\nA\n", "x\n\n\n1\n"},
		{"comments", "a // A\nb /* c\nd */ e\n\"/* // \" // x\n", "a\nb\n  e\n\"/* // \"\n"},
		{"arguments", "#define F(x, y) [x:y]\nF(1, (2, 3)) F ( a , b )\nF\n", "\n[1:(2, 3)] [a:b]\nF\n"},
		{"no arguments", "#define F() g\nF() F\n", "\ng F\n"},
		{"nested", "#define F(x) x F(x)\n#define A F(A)\nF(F(1))\nA\n", "\n\n1 F(1) F(1 F(1))\nA F(A)\n"},
		{"paste", "#define V(n) %ymm##n\n#define R r\n#define P(a, b) a ## b\nV(3) P(R, R) P(, x)\n", "\n\n\n%ymm3 RR x\n"},
		{"conditions", "#define A\n#ifdef A\n1\n#else\n2\n#endif\n#ifndef A\n3\n#elif defined(A) && !defined B\n4\n#elif 1\n5\n#endif\n#if (0 || B) && 1\n6\n#endif\n",
			"\n\n1\n\n\n\n\n\n\n4\n\n\n\n\n\n\n"},
		{"dead", "#if 0\n#unknown\n#ifdef A\n#else\nx\n#endif\ny\n#endif\nz\n", "\n\n\n\n\n\n\n\nz\n"},
		{"undef", "#define A 1\n#undef A\nA\n", "\n\nA\n"},
		{"numbers", "#define x y\n0x10 1x x1 .x $x\n", "\n0x10 1x x1 .y $y\n"},
	} {
		got, err := expand(t, c.text, nil, nil)
		if want := "# 1 \"f.gas\"\n" + c.want; err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", c.name, got, err, want)
		}
	}
}

func TestInclude(t *testing.T) {
	headers := map[string]string{"a.h": "#define A 1\n\n// nothing\n", "b.h": "\n#include \"a.h\"\n.set x, A\n", "loop.h": "#include \"loop.h\"\n"}
	got, err := expand(t, "#include \"a.h\"\nA\n#include \"b.h\"\ny\n", nil, headers)
	want := "# 1 \"f.gas\"\n\n1\n# 1 \"b.h\"\n\n\n.set x, 1\n# 3 \"f.gas\"\n\ny\n"
	if err != nil || got != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
	if _, err := expand(t, "#include \"loop.h\"", nil, headers); err == nil || !strings.Contains(err.Error(), "include each other") {
		t.Errorf("a header that includes itself: %v", err)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x\n#pragma y", "f.gas:2: unknown directive #pragma y"},
		{"#include <x.h>", "f.gas:1: #include wants a name in quotes, not <x.h>"},
		{"#include \"x.h\"", "f.gas:1: no header x.h"},
		{"x\n#if 1\ny", "f.gas:2: a condition does not end"},
		{"#endif", "f.gas:1: #endif without a condition"},
		{"#if 1\n#else\n#elif 1\n#endif", "f.gas:3: #elif behind #else"},
		{"#if (1\n#endif", "f.gas:1: a parenthesis is missing in a condition"},
		{"#if\n#endif", "f.gas:1: a condition is missing"},
		{"#if 1 2\n#endif", "f.gas:1: 2 is not expected in a condition"},
		{"#define", "f.gas:1: #define wants a name"},
		{"#define F(a", "f.gas:1: the parameters of F do not end"},
		{"#define F(a) a\nF(1", "f.gas:2: the arguments of F do not end on the line"},
		{"#define F(a) a\nF(1, 2)", "f.gas:2: F takes 1 arguments, not 2"},
		{"\"x", "f.gas:1: a string does not end"},
		{"/* x", "f.gas:1: a comment does not end"},
	} {
		if _, err := expand(t, c.text, nil, nil); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestAsClang holds what becomes of each file of the run-time system against what clang makes.
func TestAsClang(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	var files []string
	for _, pattern := range []string{"../../rt/*/*.gas", "../../overlay/*/*.gas", "../../overlay/*/*/*.gas", "../../overlay/*/*/*/*.gas"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	for _, defined := range []map[string]string{
		{"BLOCK": "%fs"},
		{"BLOCK": "%fs", "__AVX__": "1", "LOAM_MOVABLE": "1"},
		{"BLOCK": "%gs", "__AVX__": "1", "__AVX512F__": "1", "LOAM_MOVABLE": "1", "LOAM_LIBRARY": "1"},
	} {
		args := []string{"-E", "-P", "-undef", "-x", "assembler-with-cpp"}
		for name, value := range defined {
			args = append(args, fmt.Sprintf("-D%s=%s", name, value))
		}
		for _, file := range files {
			want, err := exec.Command(clang, append(args, file)...).Output()
			if err != nil {
				t.Fatal(file, err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Expand(Input{Name: file, Text: text, Defined: defined, Header: func(name string) ([]byte, error) {
				return os.ReadFile(filepath.Join(filepath.Dir(file), name))
			}})
			if err != nil {
				t.Error(err)
			} else if g, w := words(string(got)), words(string(want)); g != w {
				t.Errorf("%s with %v:\n%s\nclang's\n%s", file, defined, g, w)
			}
		}
	}
}

// words is text without marks and blanks.
func words(text string) string {
	var s strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), ""); line != "" && !strings.HasPrefix(line, "#") {
			s.WriteString(line + "\n")
		}
	}
	return s.String()
}
