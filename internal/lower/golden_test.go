package lower

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// notShown are references to metadata, whose numbers change with every line above them.
var notShown = regexp.MustCompile(`,? !(?:dbg|prof|invariant\.load) !\d+`)

// TestGolden shows what small Go functions become: testdata/golden has the LLVM text beside each
// file.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files: ", err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := definitions(string(lowerText(t, strings.TrimPrefix(string(source), "package p\n"), func(*Input) {}).Text()))
		golden := strings.TrimSuffix(name, ".go") + ".ll"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is not what %s becomes (go test ./internal/lower -run Golden -update writes it anew)", golden, name)
			compareLines(t, got, string(want))
		}
	}
}

// definitions are the definitions of the package's functions in a module's text.
func definitions(text string) string {
	var b strings.Builder
	for _, part := range strings.Split(text, "\ndefine ")[1:] {
		head, _, _ := strings.Cut(part, "\n")
		if body, _, ok := strings.Cut(part, "\n}\n"); ok && strings.Contains(head, ` @"p.`) && !strings.Contains(head, ` @"p.init"`) {
			b.WriteString("define " + notShown.ReplaceAllString(body, "") + "\n}\n")
		}
	}
	return b.String()
}
