// Build measures what a build costs: a net/http hello built from nothing (empty caches), again without a change, and after edits of
// its main package, by gc and by Loam in turn. Times are elapsed, and in parentheses CPU time with all tools; memory is the highest sum
// of the resident memory of all processes of a build, libraries they share counted in each.
//
//	go run ./bench/build [-loam bin/loam] [-rounds 5] [-cold=false]
//
// It ends with an error if a build needs 2 GB or more, a cold one more than 120 seconds, or one after an edit more than 1.5 times
// as long as go build.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxMemory = 2 << 30
	maxCold   = 120 * time.Second
	maxRatio  = 1.5
)

const source = `package main

import (
	"fmt"
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %%s, edit %d\n", r.URL.Path)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:0", nil))
}
`

func main() {
	loam := flag.String("loam", "bin/loam", "the loam command")
	rounds := flag.Int("rounds", 5, "how many edits")
	cold := flag.Bool("cold", true, "build with empty caches; otherwise with the user's")
	flag.Parse()
	if err := run(*loam, *rounds, *cold); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// cost is what one build took.
type cost struct {
	elapsed, cpu time.Duration
	memory       int64 // bytes
}

func (c cost) String() string {
	return fmt.Sprintf("%7.2f s (%6.2f s) %5d MB", c.elapsed.Seconds(), c.cpu.Seconds(), c.memory>>20)
}

func run(loam string, rounds int, cold bool) error {
	loam, err := filepath.Abs(loam)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "loam-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/hello\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	edits := 0
	edit := func() error {
		edits++
		return os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, source, edits), 0o666)
	}
	if err := edit(); err != nil {
		return err
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if cold {
		env = append(env, "GOCACHE="+filepath.Join(dir, "gocache"), "LOAMCACHE="+filepath.Join(dir, "loamcache"))
	}
	build := func(command string) (cost, error) { return measured(command, dir, env) }

	var faults []string
	row := func(what string, gc, own cost) {
		fmt.Printf("%-10s gc %v   loam %v   %.2f times the time\n", what, gc, own, own.elapsed.Seconds()/gc.elapsed.Seconds())
		if own.memory >= maxMemory {
			faults = append(faults, fmt.Sprintf("%s: %d MB of memory", what, own.memory>>20))
		}
	}
	both := func() (gc, own cost, err error) {
		if gc, err = build("go"); err == nil {
			own, err = build(loam)
		}
		return gc, own, err
	}
	gc, own, err := both()
	if err != nil {
		return err
	}
	if cold {
		row("cold", gc, own)
		if own.elapsed > maxCold {
			faults = append(faults, "the cold build is too slow")
		}
	}
	if gc, own, err = both(); err != nil {
		return err
	}
	row("unchanged", gc, own)
	var of [2][]cost
	for range rounds {
		if err := edit(); err != nil {
			return err
		}
		if gc, own, err = both(); err != nil {
			return err
		}
		of[0], of[1] = append(of[0], gc), append(of[1], own)
	}
	gc, own = median(of[0]), median(of[1])
	row("edited", gc, own)
	if own.elapsed.Seconds() > maxRatio*gc.elapsed.Seconds() {
		faults = append(faults, "the build after an edit is too slow")
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s", strings.Join(faults, "; "))
	}
	return nil
}

// median is the build with the median time.
func median(list []cost) cost {
	slices.SortFunc(list, func(a, b cost) int { return int(a.elapsed - b.elapsed) })
	return list[len(list)/2]
}

// measured builds the program in dir with `command build`.
func measured(command, dir string, env []string) (c cost, err error) {
	cmd := exec.Command(command, "build", "-o", "out-"+filepath.Base(command), ".")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // which the signal waits for
	defer runtime.UnlockOSThread()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return c, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	// Each look reads all of /proc: seldom enough that it does not slow down what it measures.
	for tick := time.Tick(50 * time.Millisecond); ; {
		select {
		case <-tick:
			c.memory = max(c.memory, resident(cmd.Process.Pid))
		case err := <-done:
			c.elapsed = time.Since(start)
			c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			return c, err
		}
	}
}

// resident is the memory of all processes of a group, in bytes.
func resident(group int) (sum int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if e.Name()[0] < '0' || e.Name()[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// After the name in parentheses: state, parent, group ... and as the 22nd the resident pages.
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
		f := strings.Fields(rest)
		if len(f) < 22 || f[2] != strconv.Itoa(group) {
			continue
		}
		pages, _ := strconv.ParseInt(f[21], 10, 64)
		sum += pages * int64(os.Getpagesize())
	}
	return sum
}
