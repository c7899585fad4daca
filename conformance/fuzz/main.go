package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// options are the command line.
type options struct {
	loam, out string
	seed      uint64
	funcs     int
	programs  int
	length    time.Duration
	limit     time.Duration // for one run or build
	print     bool
	reduce    string
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&o.out, "out", "out/fuzz", "`directory` for programs that differ")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano())%1e9, "seed of the first program; the next ones count up")
	flag.IntVar(&o.funcs, "funcs", 600, "functions in a program")
	flag.IntVar(&o.programs, "programs", 0, "stop after `n` programs (0: by time)")
	flag.DurationVar(&o.length, "time", 10*time.Minute, "start no program after this `time`")
	flag.DurationVar(&o.limit, "limit", 5*time.Minute, "for one build or run")
	flag.BoolVar(&o.print, "print", false, "only print the program of the seed")
	flag.StringVar(&o.reduce, "reduce", "", "only reduce the program in `file`, which must differ")
	flag.Parse()
	if o.print {
		fmt.Print(generate(o.seed, o.funcs))
		return
	}
	differ, err := o.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if differ {
		os.Exit(1)
	}
}

func (o *options) run() (bool, error) {
	var err error
	if o.loam, err = filepath.Abs(o.loam); err != nil {
		return false, err
	}
	if _, err := os.Stat(o.loam); err != nil {
		return false, fmt.Errorf("%v (make build)", err)
	}
	bench, err := newBench(o)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(bench.dir)
	if o.reduce != "" {
		return true, o.reduceFile(bench)
	}
	fmt.Printf("fuzz: seed %d, %d functions a program\n", o.seed, o.funcs)
	programs, functions, found := 0, 0, 0
	start := time.Now()
	for seed := o.seed; (o.programs == 0 || programs < o.programs) && time.Since(start) < o.length; seed++ {
		text := generate(seed, o.funcs)
		programs++
		diffs, err := bench.try(text, modeOf(seed))
		if err != nil {
			found++
			fmt.Printf("fuzz: %v\n", o.keep(seed, "broken", text, err))
			continue
		}
		functions += o.funcs
		for _, d := range diffs {
			found++
			if err := o.report(bench, seed, text, d); err != nil {
				return true, err
			}
		}
		if programs%10 == 0 {
			fmt.Printf("fuzz: %d programs, %d functions, %d differ, %.0fs\n", programs, functions, found, time.Since(start).Seconds())
		}
	}
	fmt.Printf("fuzz: %d programs, %d functions, %d differ (seeds %d to %d, %.0fs)\n", programs, functions, found, o.seed, o.seed+uint64(programs)-1, time.Since(start).Seconds())
	return found > 0, nil
}

// report prints a difference, writes the program down, and a reduced one next to it.
func (o *options) report(b *bench, seed uint64, text string, d difference) error {
	fmt.Printf("fuzz: DIFFERENT seed %d %s\n  gc:   %s\n  loam: %s\n", seed, d, d.gc, d.loam)
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	base := filepath.Join(o.out, fmt.Sprintf("seed%d-%s", seed, d.function))
	if err := os.WriteFile(base+".full.go", []byte(text), 0o666); err != nil {
		return err
	}
	small, err := reduce(b, text, d)
	if err != nil {
		fmt.Printf("  not reduced: %v\n", err)
		return nil
	}
	fmt.Printf("  reduced: %s.go\n", base)
	return os.WriteFile(base+".go", []byte(small), 0o666)
}

// keep writes down a program that one of the compilers refuses, or that does not end.
func (o *options) keep(seed uint64, kind, text string, cause error) error {
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	name := filepath.Join(o.out, fmt.Sprintf("seed%d-%s.go", seed, kind))
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		return err
	}
	return fmt.Errorf("seed %d (%s): %w", seed, name, cause)
}

func (o *options) reduceFile(b *bench) error {
	text, err := os.ReadFile(o.reduce)
	if err != nil {
		return err
	}
	for _, m := range []mode{{}, {flags: []string{"-gcflags=-N -l"}}} {
		diffs, err := b.try(string(text), m)
		if err != nil {
			return err
		}
		if len(diffs) > 0 {
			small, err := reduce(b, string(text), diffs[0])
			if err != nil {
				return err
			}
			fmt.Print(small)
			return nil
		}
	}
	return fmt.Errorf("%s: no difference", o.reduce)
}
