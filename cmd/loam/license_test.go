package main_test

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestLicenses: loam version -licenses names each module that is linked into loam and each library
// of the trace page, with the texts.
func TestLicenses(t *testing.T) {
	r := run(t, t.TempDir(), nil, "version", "-licenses")
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, %s", r.code, r.stderr)
	}
	notice, texts, ok := strings.Cut(r.stdout, "\nRun, and not part of Loam")
	if !ok {
		t.Fatal("there is no list")
	}
	named := map[string]bool{}
	for _, word := range strings.FieldsFunc(notice, func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
		named[word] = true
	}
	info, err := buildinfo.ReadFile(loam)
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for _, m := range info.Deps {
		linked[m.Path] = true
		if !named[m.Path] {
			t.Errorf("NOTICE does not name the module %s", m.Path)
		}
	}
	for word := range named {
		if (strings.HasPrefix(word, "golang.org/") || strings.HasPrefix(word, "github.com/")) && !linked[word] {
			t.Errorf("NOTICE names %s, which is not linked", word)
		}
	}
	var lock struct {
		Packages map[string]struct{ Dev bool }
	}
	data, err := os.ReadFile("../../internal/traceview/web/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	libraries := 0
	for path, p := range lock.Packages {
		name, ok := strings.CutPrefix(path, "node_modules/")
		if !ok || p.Dev || strings.Contains(name, "node_modules/") {
			continue
		}
		libraries++
		if !named[name] {
			t.Errorf("NOTICE does not name the library %s", name)
		}
		if !strings.Contains(texts, "\n"+name+" ") {
			t.Errorf("the licence of %s is not there", name)
		}
	}
	if libraries < 3 {
		t.Errorf("package-lock.json has %d libraries", libraries)
	}
	for _, text := range []string{"The Loam Authors", "The Go Authors",
		"\ngithub.com/google/pprof\n\n                                 Apache License", "Additional IP Rights Grant (Patents)", "Leon Sorokin"} {
		if !strings.Contains(r.stdout, text) {
			t.Errorf("%q is not in the text", text)
		}
	}
}
