package heaptest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// settings are the environments in which each program runs. A program whose first line
// is "//heaptest:calm" depends on when collections happen and runs only in those
// without gcevery.
var settings = []string{
	"",
	"GOMAXPROCS=1",
	"LOAMDEBUG=gcpoison=1,gcverify=1",
	"GOMAXPROCS=4 LOAMDEBUG=gcevery=40,gcpoison=1,gcverify=1",
	"LOAMDEBUG=gcevery=7,gcpoison=1",
	"LOAMGC=concurrent=0 LOAMDEBUG=gcevery=50,gcpoison=1",
	"GOGC=20 GOMEMLIMIT=50MiB",
	"LOAMGC=cpu=5%,mem=200MB",
	"GOGC=5 GOMAXPROCS=8 LOAMDEBUG=gcpoison=1,gcverify=1",
	"GOGC=5 GOMAXPROCS=1 LOAMDEBUG=gcpoison=1",
	"LOAMGC=concurrent=0 LOAMDEBUG=gcpoison=1,gcverify=1",
}

func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	dir := t.TempDir()
	loam := os.Getenv("LOAM")
	if loam == "" {
		loam = filepath.Join(dir, "loam")
		build(t, "go", "build", "-o", loam, "loam/cmd/loam")
	}
	files, err := filepath.Glob("testdata/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			calm := bytes.HasPrefix(source, []byte("//heaptest:calm"))
			exe := filepath.Join(dir, name)
			build(t, "go", "build", "-o", exe+".gc", file)
			want := run(t, exe+".gc", "")
			build(t, loam, "build", "-o", exe, file)
			for _, env := range settings {
				if calm && strings.Contains(env, "gcevery") {
					continue
				}
				if have := run(t, exe, env); have != want {
					t.Errorf("%s: printed\n%sgc prints\n%s", env, have, want)
				}
			}
		})
	}
}

func build(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func run(t *testing.T, exe, env string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), strings.Fields(env)...)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", env, err, out.Bytes(), tail(diag.String()))
	}
	return out.String()
}

// tail keeps the end of a long report.
func tail(s string) string { return s[max(0, len(s)-4000):] }
