package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBundled: a program that is linked again after edits of its main package is the same as if it
// were linked for the first time, whether it needs as much of other packages as before, more or
// less.
func TestBundled(t *testing.T) {
	const head = "-- go.mod --\nmodule example.com/edited\n\ngo 1.26\n-- main.go --\npackage main\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\t\"time\"\n)\n\n" +
		"var _, _, _ = strings.Repeat, time.Now, fmt.Sprint\n\n"
	edits := []string{
		"func main() { fmt.Println(1) }\n",
		"func main() { fmt.Println(2) }\n",
		"func main() { fmt.Println(3, \"a text that takes more room in the program than before\") }\n",
		"func main() { fmt.Println(strings.Title(\"a function that was not there\"), time.Now().Format(time.RFC1123) != \"\") }\n",
		"func main() { fmt.Println(strings.Title(\"again\"), time.Now().IsZero()) }\n",
		"func main() { println(\"less than before\") }\n",
		"type T struct{ strings.Builder }\n\nfunc (T) String() string { return \"T\" }\n\n" +
			"func main() { var t T; t.WriteString(\"x\"); fmt.Println(t, map[string]T{}, []fmt.Stringer{T{}, time.Second}) }\n",
		"type P[A any] struct{ a A }\n\nfunc (p P[A]) Error() string { return fmt.Sprint(p.a) }\n\n" +
			"func main() { var e error = P[int]{5}; defer func() { fmt.Println(recover()) }(); panic(e) }\n",
		"func main() { fmt.Println(1) }\n",
	}
	dir, cache := module(t, head+edits[0]), t.TempDir()
	env := []string{"LOAMPACK=" + fmtPack(t), "LOAMCACHE=" + cache}
	bundles := func() (list []string) {
		list, err := filepath.Glob(filepath.Join(cache, "obj", "*", "*.bundle"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	build := func(flag string) []byte {
		os.Remove(filepath.Join(dir, "out"))
		want(t, run(t, dir, env, "build", "-o", "out", flag, "."), 0, "", "")
		return content(t, dir, "out")
	}
	for _, flag := range []string{"-ldflags=", "-ldflags=-w"} {
		used := 0
		for i, text := range edits {
			write(t, dir, head+text)
			again := build(flag)
			kept := map[string][]byte{}
			for _, name := range bundles() {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if len(data) > 64 {
					used++
				}
				kept[name] = data
				os.Remove(name)
			}
			if first := build(flag); !bytes.Equal(again, first) {
				t.Errorf("%s edit %d: other bytes, from byte %d of %d", flag, i, firstByte(again, first), len(first))
			}
			for name, data := range kept {
				if err := os.WriteFile(name, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if used < len(edits)-2 {
			t.Errorf("%s: of %d programs %d may have been linked of bundles", flag, len(edits), used)
		}
	}
	write(t, dir, head+"func noBody()\n\nfunc main() { fmt.Println(4); noBody() }\n")
	if r := run(t, dir, env, "build", "."); r.code == 0 || !strings.Contains(r.stderr, "missing function body") {
		t.Errorf("code %d, %s", r.code, r.stderr)
	}
}
