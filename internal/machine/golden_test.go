package machine

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden holds the machine code of small functions against testdata, where it is beside the
// text that it is made of. A change of code generation is seen there; -update makes it so.
func TestGolden(t *testing.T) {
	tool, err := exec.LookPath("llvm-objdump-19")
	if err != nil {
		t.Skip("there is no disassembler")
	}
	files, err := filepath.Glob("testdata/*.ll")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ll"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			object, err := Compile(text, Options{})
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(t.TempDir(), "a.o")
			if err := os.WriteFile(name, object, 0o666); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(tool, "-d", "-r", "--no-show-raw-insn", "--no-leading-addr", name).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := listing(string(out))
			golden := strings.TrimSuffix(file, ".ll") + ".s"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("code of %s is\n%s\nwant\n%s", file, got, want)
			}
			again, err := Compile(text, Options{})
			if err != nil || !bytes.Equal(again, object) {
				t.Errorf("compiled once more, %s is another object; %v", file, err)
			}
		})
	}
}

var spaces = regexp.MustCompile(`[ \t]+`)

// listing is the disassembler's output without what says nothing of the code.
func listing(out string) string {
	var b strings.Builder
	for _, line := range strings.Split(out, "\n") {
		line = strings.TrimSpace(spaces.ReplaceAllString(line, " "))
		switch {
		case line == "", strings.Contains(line, "file format"), strings.HasPrefix(line, "Disassembly of section"):
		case strings.HasPrefix(line, "<"):
			b.WriteString(line + "\n")
		default:
			b.WriteString("\t" + line + "\n")
		}
	}
	return b.String()
}
