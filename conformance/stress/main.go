// Stress runs programs over and over under settings that make rare interleavings common:
// few and many processors, a collector that runs all the time. A run fails if it does not end
// as the program's first run under gc did (exit status and output).
//
// usage: go run ./conformance/stress [-time 10m] [-loam bin/loam] [-seed N] [file.go...]
//
// Without files it takes GOROOT/test's channel, stress and collector programs. Each failure is
// printed with its environment and kept in out/stress.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

type program struct {
	name, loam string
	output     []byte
	status     int
}

var (
	length = flag.Duration("time", 10*time.Minute, "how long to run")
	loam   = flag.String("loam", "bin/loam", "the loam command")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the order and settings")
	limit  = flag.Duration("limit", 2*time.Minute, "for one run")
)

func main() {
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		files = defaults()
	}
	dir, err := os.MkdirTemp("", "loam-stress-")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir)
	var programs []program
	for _, f := range files {
		if p, ok := prepare(f, dir); ok {
			programs = append(programs, p)
		}
	}
	fmt.Printf("%d programs, seed %d\n", len(programs), *seed)
	r := rand.New(rand.NewPCG(*seed, 1))
	runs, failed := 0, 0
	for end := time.Now().Add(*length); time.Now().Before(end) && len(programs) > 0; runs++ {
		p := programs[r.IntN(len(programs))]
		env := settings(r)
		if why := p.run(env); why != "" {
			failed++
			keep(p, env, why, failed)
		}
	}
	fmt.Printf("%d passed, %d failed\n", runs-failed, failed)
	if failed > 0 || runs == 0 {
		os.Exit(1)
	}
}

// defaults are programs of GOROOT/test that end within seconds and print the same each time.
func defaults() []string {
	var files []string
	for _, pattern := range []string{"chan/*.go", "gc*.go", "recover*.go", "closure*.go", "defer*.go", "map.go", "range*.go", "stack.go", "peano.go", "ken/chan*.go", "fixedbugs/issue2*.go", "deferfin.go", "tinyfin.go", "finprofiled.go"} {
		m, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", pattern))
		for _, f := range m {
			src, err := os.ReadFile(f)
			if err == nil && bytes.HasPrefix(src, []byte("// run\n")) {
				files = append(files, f)
			}
		}
	}
	return files
}

// settings draws an environment.
func settings(r *rand.Rand) []string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	return []string{"GOMAXPROCS=" + pick("1", "2", "8"), "GOGC=" + pick("5", "5", "20", "100"), "LOAMDEBUG=" + pick("", "", "gcpoison=1", "yield="+fmt.Sprint(1+r.IntN(1_000_000)))}
}

// prepare builds f with both compilers and takes gc's result as the expected one. Programs
// that either refuses, or that differ even in a quiet run, are conformance's business.
func prepare(f, dir string) (program, bool) {
	name := strings.TrimSuffix(filepath.Base(f), ".go")
	p := program{name: f, loam: filepath.Join(dir, name+".loam")}
	gc := filepath.Join(dir, name+".gc")
	if exec.Command("go", "build", "-o", gc, f).Run() != nil || exec.Command(*loam, "build", "-o", p.loam, f).Run() != nil {
		return p, false
	}
	p.output, p.status = execute(gc, nil)
	return p, p.status == 0 && p.run(nil) == ""
}

// execute returns standard output and exit status, -1 if it had to be killed.
func execute(path string, env []string) ([]byte, int) {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	c := exec.CommandContext(ctx, path)
	c.Env = append(os.Environ(), env...)
	c.Dir = filepath.Dir(path)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if err == nil {
		return out.Bytes(), 0
	}
	return append(out.Bytes(), errs.Bytes()...), c.ProcessState.ExitCode()
}

func (p *program) run(env []string) string {
	out, status := execute(p.loam, env)
	switch {
	case status != p.status:
		return fmt.Sprintf("status %d, want %d\n%s", status, p.status, out)
	case !bytes.Equal(out, p.output):
		return fmt.Sprintf("output differs\n%s", out)
	}
	return ""
}

func keep(p program, env []string, why string, n int) {
	fmt.Printf("FAIL %s %s: %.200s\n", p.name, strings.Join(env, " "), why)
	os.MkdirAll("out/stress", 0o777)
	base := filepath.Join("out/stress", fmt.Sprintf("%d-%s", n, filepath.Base(p.loam)))
	os.WriteFile(base+".txt", []byte(strings.Join(env, " ")+"\n"+why), 0o666)
	if data, err := os.ReadFile(p.loam); err == nil {
		os.WriteFile(base, data, 0o777)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "stress:", err)
	os.Exit(1)
}
