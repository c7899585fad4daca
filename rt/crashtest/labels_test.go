package crashtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestLabelsByDefault: from Go 1.27 on tracebacks name the labels of goroutines unless the module
// is written in an older Go, or GODEBUG says otherwise.
func TestLabelsByDefault(t *testing.T) {
	const program = `package main

import (
	"context"
	"runtime/debug"
	"runtime/pprof"
)

func main() {
	pprof.Do(context.Background(), pprof.Labels("key", "value"), func(context.Context) { debug.PrintStack() })
}
`
	header := regexp.MustCompile(`(?m)^goroutine 1 .*:$`)
	loam := loamtest.Command(t)
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		seen := map[string]bool{}
		for _, line := range []string{"1.20", "1.26", release[len("go"):]} {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module m\n\ngo " + line + "\n", "main.go": program} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			headers := func(compiler string) (list []string) {
				exe := filepath.Join(t.TempDir(), "program")
				cmd := exec.Command(compiler, "build", "-o", exe, ".")
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				for _, setting := range []string{"", "tracebacklabels=1", "tracebacklabels=0", "tracebacklabels=x", "panicnil=1"} {
					out, _ := loamtest.Run(t, time.Minute, []string{"GODEBUG=" + setting}, exe)
					list = append(list, header.FindString(out))
				}
				return list
			}
			want := headers("go")
			if have := headers(loam); !slices.Equal(have, want) {
				t.Errorf("go %s: %q, want %q", line, have, want)
			}
			for _, h := range want {
				seen[h] = true
			}
		}
		if len(seen) != 2 {
			t.Errorf("gc's programs print %v: this test shows nothing", seen)
		}
	})
}
