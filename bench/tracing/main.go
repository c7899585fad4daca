// Tracing measures what an execution trace costs the program that is traced: the three versions of
// examples/feeds, compiled by gc and by Loam, each without and with a trace of the search. The four
// take turns, first each in another round, so that whatever else the machine does hits all of them.
// The figures are medians of the rounds: milliseconds without and with, their quotient, and the
// size of the trace; then Loam's quotient by gc's, and Loam's time with a trace by gc's.
//
// usage: go run ./bench/tracing [-loam bin/loam] [-rounds 5] [-n DOCUMENTS] [-cpu] [MODE...]
//
// With -cpu the time is that of the processors (user and system), for a machine that is not quiet.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"loam/bench/twice"
	"loam/examples/feeds/gctrace"
)

var (
	loam   = flag.String("loam", "bin/loam", "the loam command")
	rounds = flag.Int("rounds", 5, "how often each program runs")
	n      = flag.Int("n", 4000, "number of documents")
	cpu    = flag.Bool("cpu", false, "measure processor time")
)

var compilers = [2]string{"gc", "Loam"}

func main() {
	flag.Parse()
	modes := flag.Args()
	if len(modes) == 0 {
		modes = []string{"sequential", "each", "pool"}
	}
	if err := run(modes); err != nil {
		fmt.Fprintln(os.Stderr, "tracing:", err)
		os.Exit(1)
	}
}

func run(modes []string) error {
	if *rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one", *rounds)
	}
	dir, err := os.MkdirTemp("", "tracing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, documents, err := twice.Feeds(dir, *loam, *n)
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %-9s %8s %8s %8s %9s\n", "version", "compiler", "off ms", "on ms", "cost", "trace MB")
	for _, mode := range modes {
		if err := compare(programs, mode, documents, filepath.Join(dir, "trace")); err != nil {
			return err
		}
	}
	return nil
}

// compare runs one version and prints its three lines of the table.
func compare(programs [2]string, mode, documents, trace string) error {
	var times [2][2][]float64 // by compiler, and whether a trace is taken
	var size [2]int64
	for round := range *rounds {
		for turn := range 4 {
			turn = (turn + round) % 4
			compiler, on := turn/2, turn%2
			args := []string{"-run", "-mode", mode, "-n", strconv.Itoa(*n), "-dir", documents}
			if on == 1 {
				args = append(args, "-trace", trace)
			}
			ms, err := measure(programs[compiler], args)
			if err != nil {
				return err
			}
			times[compiler][on] = append(times[compiler][on], ms)
			if on == 1 {
				st, err := os.Stat(trace)
				if err != nil {
					return err
				}
				size[compiler] = st.Size()
			}
		}
	}
	var cost, with [2]float64
	for i, name := range compilers {
		without := twice.Median(times[i][0])
		with[i] = twice.Median(times[i][1])
		cost[i] = with[i] / without
		fmt.Printf("%-12s %-9s %8.0f %8.0f %8.3f %9.1f\n", mode, name, without, with[i], cost[i], float64(size[i])/1e6)
	}
	fmt.Printf("%-12s %-9s %8s %8.2f %8.2f %9.2f\n", "", "Loam / gc", "", with[1]/with[0], cost[1]/cost[0], float64(size[1])/float64(size[0]))
	return nil
}

// measure runs a program once and returns how long its search took, or what the process used of
// processors.
func measure(program string, args []string) (ms float64, err error) {
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s %q: %v\n%s", program, args, err, errs.String())
	}
	if *cpu {
		return 1e3 * (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
	}
	return strconv.ParseFloat(gctrace.Field(out.String(), "program_ms"), 64)
}
