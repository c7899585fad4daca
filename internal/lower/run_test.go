package lower

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestRun compiles the programs in testdata with Loam and with gc and compares what they
// print.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	loam := filepath.Join(t.TempDir(), "loam")
	run(t, "go", "build", "-o", loam, "loam/cmd/loam")
	for _, dir := range []string{"desc", "static", "algs", "methods"} {
		t.Run(dir, func(t *testing.T) {
			output := func(tool string) string {
				cmd := exec.Command(tool, "run", ".")
				cmd.Dir = filepath.Join("testdata", dir)
				out, err := cmd.Output()
				if err != nil {
					stderr := ""
					if e, ok := err.(*exec.ExitError); ok {
						stderr = string(e.Stderr)
					}
					t.Fatalf("%s: %v\n%s", tool, err, stderr)
				}
				return string(out)
			}
			compareLines(t, output(loam), output("go"))
		})
	}
}

// TestEmbedOrder checks the order of an embed.FS's files, the example of package embed.
func TestEmbedOrder(t *testing.T) {
	var files []EmbedFile
	for _, n := range []string{"w", "q/s/u", "q/r", "p", "q/s/t", "q/v", "q/r"} {
		files = append(files, EmbedFile{Name: n})
	}
	want := []string{"p", "q/", "w", "q/r", "q/s/", "q/v", "q/s/t", "q/s/u"}
	got := withDirectories(files)
	if len(got) != len(want) {
		t.Fatalf("got %d files, want %d", len(got), len(want))
	}
	for i, f := range got {
		if f.Name != want[i] {
			t.Errorf("file %d is %s, want %s", i, f.Name, want[i])
		}
	}
}
