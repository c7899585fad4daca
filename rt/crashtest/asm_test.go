package crashtest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestAssembly wants functions of Go assembly in stacks as gc shows them: by their Go names, with
// the files and lines that they are from, and without what stands between them and compiled code.
func TestAssembly(t *testing.T) {
	for _, flags := range [][]string{nil, {"-trimpath"}} {
		build := func(compiler string) string {
			exe := filepath.Join(t.TempDir(), "asm")
			cmd := exec.Command(compiler, append(append([]string{"build", "-o", exe}, flags...), ".")...)
			cmd.Dir = filepath.Join("testdata", "asm")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			return exe
		}
		gc, loam := build("go"), build(loamtest.Command(t))
		for _, what := range []string{"look", "panic", "load", "nested", "leaves", "fresh"} {
			want, gcState := loamtest.Run(t, time.Minute, []string{"GOTRACEBACK=all"}, gc, what)
			have, state := loamtest.Run(t, time.Minute, []string{"GOTRACEBACK=all"}, loam, what)
			if want, have := normal(want), normal(have); want != have || gcState.ExitCode() != state.ExitCode() {
				t.Errorf("%v %s: %v printed\n%s\ngc's program: %v\n%s", flags, what, state, have, gcState, want)
			}
			if have, want := offsets(have), offsets(want); have != want {
				t.Errorf("%v %s: at %s, gc's program at %s", flags, what, have, want)
			}
		}
	}
}

// offsets are the positions in the program's assembly, with the distance from the function's entry:
// that of the instruction in the frame that failed, return addresses in the others.
func offsets(trace string) string {
	return strings.Join(regexp.MustCompile(`asm_amd64\.s:\d\d?\b.*`).FindAllString(trace, -1), ", ")
}
