package debugtest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// both builds a program with gc and with Loam, not optimised, and returns what delve says of each.
func both(t *testing.T, file string, commands ...string) (gc, loam string) {
	t.Helper()
	dir := t.TempDir()
	delve(t)
	if out, err := exec.Command("go", "build", "-gcflags=all=-N -l", "-o", filepath.Join(dir, "gc"), file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", filepath.Join(dir, "loam"), file)
	return session(t, []string{"exec", filepath.Join(dir, "gc")}, commands...), session(t, []string{"exec", filepath.Join(dir, "loam")}, commands...)
}

var (
	addresses = regexp.MustCompile(`\((PC: )?(0x)?[0-9a-f]{6,}\)|(set|cleared) at 0x[0-9a-f]+`)
	shapes    = regexp.MustCompile(`\[go\.shape\.[^\s]*\]\.`)
)

// alike leaves out of what delve says where things are, which gc's and Loam's programs differ in,
// and sorts what it lists: closures hold variables in another order. Instances of generic functions
// have another name with gc, and dictionaries.
func alike(out string) []string {
	out = addresses.ReplaceAllString(out, "(at)")
	out = strings.ReplaceAll(shapes.ReplaceAllString(out, "[...]."), "go.shape.", "")
	var lines []string
	first := 0
	sorted := func() { slices.Sort(lines[first:]); first = len(lines) }
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(strings.TrimLeft(line, "\t"), ".dict ") {
			continue
		}
		if !strings.HasPrefix(line, "\t") && !strings.Contains(line, " = ") {
			sorted()
			lines = append(lines, line)
			first++
			continue
		}
		lines = append(lines, line)
	}
	sorted()
	return lines
}

func compare(t *testing.T, gc, loam string) {
	t.Helper()
	a, b := alike(gc), alike(loam)
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("delve says %q of gc's program, %q of Loam's, in\n%s\nand\n%s", a[min(i, len(a)):min(i+3, len(a))],
				b[min(i, len(b)):min(i+3, len(b))], gc, loam)
		}
	}
}

// TestDelveClosures: delve says of closures, from inside and outside, what it says of gc's.
func TestDelveClosures(t *testing.T) {
	commands := []string{"break main.stop", "break delveclosures.go:22", "break delveclosures.go:54", "break main.main.func2",
		"continue", "locals", "print a", "print scale", "clear 2",
		"continue", "up", "print acc", "print acc.scale", "print acc.a", "print *(&acc.a)", "whatis acc",
		"continue", "locals", "print inner + n + sum",
		"continue", "up", "locals", "print acc.a"}
	for _, name := range []string{"g", "g.k", "g.v", "g.n", "k", "k.q.x", "k.sh", "k.f", "k.none", "outer", "in", "in.sum", "t", "t.count",
		"t.count.f", "t.count.f.a", "t.list", "method", "one", "kept"} {
		commands = append(commands, "print "+name, "whatis "+name)
	}
	gc, loam := both(t, "testdata/delveclosures.go", append(commands, "continue", "locals", "print text")...)
	compare(t, gc, loam)
	expect(t, loam, `(?m)^main\.makeAcc\.func1 \{\n\ta int = 9\n\tscale int = 3\n\}\n3\n9\n9\nfunc\(int\) int\n`, `\t\.this main\.point = \{x: 3, y: 4\}\n`,
		`\tsum int = 18\n`, `(?m)^text = "a string"\n`)
}

// TestDelveClosuresOptimised: what closures hold is known in programs that are built plainly.
func TestDelveClosuresOptimised(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "testdata/delveclosures.go")
	out := session(t, []string{"exec", exe}, "break main.stop", "continue", "print main.kept", "print main.kept[2]")
	expect(t, out, `\tmain\.makeAcc\.func1 \{\s+a int = 9\s+scale int = 3\s+\},`,
		`\tmain\.generic\[\.\.\.\]\.func1 \{\s+n int = 2\s+v int32 = 118\s+k int = 1\s+\},`, `(?m)^interface \{\}\(func\(\) int\) main\.point\.area-fm \{\s+\.this main\.point = \{x: 7, y: 8\}\s+\}`,
		`\tmain\.nested\.func1\.1 \{\s+sum int = 10\s+inner int = 6\s+n int = 3\s+\},`)
}

// TestDelveBoxed: delve says what is in an interface, of whatever type it is.
func TestDelveBoxed(t *testing.T) {
	gc, loam := both(t, "testdata/delveboxed.go", "break main.show", "continue", "print e", "print list", "print main.static",
		"print a", "print *(e.(*main.failure))", "whatis list[1]")
	compare(t, gc, loam)
	expect(t, loam, `\tmain\.generic\[main\.generic\[main\.local·1\]\] \{`, `(?m)^error\(\*main\.failure\) \*\{code: 3\}`)
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "testdata/delveboxed.go")
	out := session(t, []string{"exec", exe}, "break main.show", "continue", "print main.static", "print main.kept")
	expect(t, out, `(?m)^interface \{\}\(\[1\]main\.only\) \[\s*\{a: 5, b: 6\},\s*\]`, `\tmain\.generic\[int\] \{v: 4\},`,
		`\tmain\.local·1 \{on: true\},`)
}
