// Stress runs programs over and over under settings that make rare interleavings common:
// few and many processors, a collector that runs all the time, freed memory that is poisoned, marks that are
// verified, a scheduler that decides at random. A run fails if it does not end
// as the program's first run under gc did (exit status and output). At the end, or when interrupted, it says how many runs
// passed and how much CPU time they took under which settings.
//
// usage: go run ./conformance/stress [-time 10m] [-cpu 3h] [-loam bin/loam] [-seed N] [file.go...]
//
// Without files it takes GOROOT/test's channel, stress and collector programs. Each failure is
// printed with its environment and kept in out/stress.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

type program struct {
	name, loam string
	output     []byte
	status     int
}

var (
	length = flag.Duration("time", 10*time.Minute, "how long to run")
	budget = flag.Duration("cpu", 0, "end after so much CPU time of the programs (0: no limit)")
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
	stop, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	runs, failed := 0, 0
	spent := cpuTimes{}
	for end := time.Now().Add(*length); time.Now().Before(end) && len(programs) > 0 && (*budget == 0 || spent[total] < *budget); runs++ {
		p := programs[r.IntN(len(programs))]
		env := settings(r)
		why, cpu := p.run(env)
		if stop.Err() != nil {
			break // an interrupt of the terminal reaches the program, too
		}
		spent.add(env, cpu)
		if why != "" {
			failed++
			keep(p, env, why, failed)
		}
	}
	fmt.Printf("%d passed, %d failed; %v of CPU time\n", runs-failed, failed, spent)
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

// settings draws an environment. What is slow is rare.
func settings(r *rand.Rand) []string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	debug := []string{
		pick("", "", "gcpoison=1"),
		pick("", "", "", "gcverify=1", "gcevery=400", "gcevery=5000"), // both together take minutes
		pick("", "", fmt.Sprintf("yield=%d", 1+r.IntN(1_000_000))),
	}
	debug = slices.DeleteFunc(debug, func(s string) bool { return s == "" })
	return []string{"GOMAXPROCS=" + pick("1", "2", "8"), "GOGC=" + pick("5", "5", "20", "100"), "LOAMDEBUG=" + strings.Join(debug, ",")}
}

// cpuTimes says how much CPU time programs took, by the settings they ran under.
type cpuTimes map[string]time.Duration

// total is the key of all time; the others overlap.
const total = ""

func (c cpuTimes) add(env []string, d time.Duration) {
	c[total] += d
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if name != "LOAMDEBUG" {
			c[e] += d
			continue
		}
		for _, s := range strings.Split(value, ",") {
			name, _, _ := strings.Cut(s, "=")
			if name != "" {
				c[name] += d
			}
		}
	}
}

func (c cpuTimes) String() string {
	parts := []string{c[total].Round(time.Second).String()}
	for _, k := range slices.Sorted(maps.Keys(c)) {
		if k != total {
			parts = append(parts, fmt.Sprintf("%s %v", k, c[k].Round(time.Second)))
		}
	}
	return strings.Join(parts, ", ")
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
	p.output, p.status, _ = execute(gc, nil)
	if p.status != 0 {
		return p, false
	}
	why, _ := p.run(nil)
	return p, why == ""
}

// execute returns standard output, exit status, -1 if it had to be killed, and the CPU time of the process.
func execute(path string, env []string) (output []byte, status int, cpu time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	c := exec.CommandContext(ctx, path)
	c.Env = append(os.Environ(), env...)
	c.Dir = filepath.Dir(path)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if c.ProcessState == nil {
		fatal(err) // it did not start
	}
	cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if err == nil {
		return out.Bytes(), 0, cpu
	}
	return append(out.Bytes(), errs.Bytes()...), c.ProcessState.ExitCode(), cpu
}

// run says what went wrong in one run, if anything, and how much CPU time it took.
func (p *program) run(env []string) (why string, cpu time.Duration) {
	out, status, cpu := execute(p.loam, env)
	switch {
	case status != p.status:
		why = fmt.Sprintf("status %d, want %d\n%s", status, p.status, out)
	case !bytes.Equal(out, p.output):
		why = fmt.Sprintf("output differs\n%s", out)
	}
	return why, cpu
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
