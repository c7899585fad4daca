// Cores says what the run-time system's frequent operations cost on a machine with many cores,
// which need not be at hand. It runs a program with as many Ps as the machine has cores, lets one
// of its threads do an operation step by step, while the others stand still, and takes down which
// cache lines each instruction reads or writes; then another P's thread. The lines that both use,
// of which one is written, are what cores share. A model of cores and lines then has all of them
// repeat the operation at once.
//
// It is a module of its own so that the compiler does not depend on a disassembler.
//
//	go run -C bench/cores . -loam ../../bin/loam -to ../../out/bench [NAME...]
//	go run -C bench/cores . -lines channel      which lines those are, by their variables
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"loam/bench/figures"
)

// names are the operations, in the order of the page; times is how often paths does each.
var (
	names = []string{"allocation", "refill", "switch", "channel", "spawn", "timer", "mutex", "system call", idle}
	times = map[string]int{"allocation": 600, "refill": 40, "switch": 20, "channel": 20, "spawn": 50, "timer": 20,
		"mutex": 20, "system call": 20, idle: 1}
)

// idle is the operation that ends with its thread asleep.
const idle = "going idle"

// machines are the models. A transfer is what was published for such machines: of one socket with
// few cores, of one with many, and of two sockets.
var machines = []machine{
	{cores: 8, transfer: 50, atomic: 6},
	{cores: 64, transfer: 80, atomic: 6},
	{cores: 256, transfer: 150, atomic: 6},
}

// instruction is what an instruction takes, in nanoseconds, if its data is at hand.
const instruction = 0.15

func main() {
	loam := flag.String("loam", "../../bin/loam", "the loam command")
	to := flag.String("to", "", "the directory for cores.tsv")
	rounds := flag.Int("rounds", 3, "how often each operation is traced")
	lines := flag.Bool("lines", false, "print the lines that cores share")
	flag.Parse()
	if err := run(*loam, *to, *rounds, *lines, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "cores:", err)
		os.Exit(1)
	}
}

func run(loam, to string, rounds int, lines bool, chosen []string) error {
	if len(chosen) == 0 {
		chosen = names
	}
	for _, name := range chosen {
		if times[name] == 0 {
			return fmt.Errorf("no operation is named %q", name)
		}
	}
	dir, err := os.MkdirTemp("", "cores")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bench, err := figures.New("cores", loam, to, false)
	if err != nil {
		return err
	}
	results := [2]map[string][]result{{}, {}}
	for i, compiler := range []string{"go", loam} {
		program := filepath.Join(dir, "paths-"+strconv.Itoa(i))
		build := exec.Command(compiler, "build", "-o", program, "./paths")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("%s build: %w", compiler, err)
		}
		for _, m := range machines {
			for round := range rounds {
				if err := measure(program, m, chosen, lines && round == 0, results[i]); err != nil {
					return err
				}
			}
		}
	}
	for _, name := range chosen {
		for _, series := range []string{"time", "lines written"} {
			for _, m := range machines {
				x := strconv.Itoa(m.cores)
				f := figures.Figure{Topic: name, Series: series, X: x, Rounds: rounds}
				if series == "time" {
					f.Unit = "ns"
				}
				f.GC = sample(results[0][name+"/"+x], series == "time")
				f.Loam = sample(results[1][name+"/"+x], series == "time")
				bench.Add(f)
				fmt.Printf("%s\t%s\t%s\t%.4g\t%.4g\t%s\n", name, series, x, f.GC.Median, f.Loam.Median, f.Unit)
			}
		}
	}
	if to == "" {
		return nil
	}
	return bench.Write(to)
}

// sample is of the times of some results, or of the lines written.
func sample(list []result, time bool) figures.Sample {
	var values []float64
	for _, r := range list {
		if time {
			values = append(values, r.ns)
		} else {
			values = append(values, r.writes)
		}
	}
	return figures.Of(values)
}

// A result is what one operation costs: time, and how often a shared line is written.
type result struct{ ns, writes float64 }

// measure traces the operations with a P for each core, and asks the model.
func measure(program string, m machine, chosen []string, lines bool, results map[string][]result) error {
	global, err := variablesOf(program)
	if err != nil {
		return err
	}
	for _, name := range chosen {
		mine, other, err := tracePair(program, name, m.cores)
		if err != nil {
			return fmt.Errorf("%s, %d cores: %w", name, m.cores, err)
		}
		op := shared(mine, other, global, instruction, m.atomic)
		n := float64(times[name])
		key := name + "/" + strconv.Itoa(m.cores)
		results[key] = append(results[key], result{m.cost(op, 20) / n, float64(writesOf(op)) / n})
		if lines {
			fmt.Printf("%s, %d cores, %s: %d instructions\n", name, m.cores, filepath.Base(program), len(mine))
			fmt.Print(strings.Join(describe(program, mine, other), ""))
		}
	}
	return nil
}

// tracePair traces an operation on two Ps.
func tracePair(program, name string, procs int) (mine, other []step, err error) {
	var windows [][]step
	for range tries {
		windows, err = trace(program, name, procs)
		if err == nil && len(windows) == 2 {
			return windows[0], windows[1], nil
		}
	}
	return nil, nil, fmt.Errorf("%d windows: %w", len(windows), err)
}

// tries: a window does not end if its P takes one of the loops of the others, which have just been
// asked to make way.
const tries = 8
