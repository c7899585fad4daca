package main

import (
	"errors"
	"flag"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"sync"
	"time"

	"loam/conformance/suite"
)

// options are the command line.
type options struct {
	loam, out string
	release   string // of Go
	seed      uint64
	funcs     int
	programs  int
	workers   int
	length    time.Duration
	limit     time.Duration // for one run or build
	print     bool
	split     int
	reduce    string
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&o.out, "out", "out/fuzz", "`directory` for programs that differ")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano())%1e9, "seed of the first program; the next ones count up")
	flag.IntVar(&o.funcs, "funcs", 600, "functions in a program")
	flag.IntVar(&o.programs, "programs", 0, "stop after `n` programs (0: by time)")
	flag.IntVar(&o.workers, "p", 1, "programs at a time")
	flag.DurationVar(&o.length, "time", 10*time.Minute, "start no program after this `time`")
	flag.DurationVar(&o.limit, "limit", 20*time.Minute, "for one build or run")
	flag.BoolVar(&o.print, "print", false, "only print the program of the seed")
	flag.StringVar(&o.reduce, "reduce", "", "only reduce the program in `file`, which must differ")
	flag.IntVar(&o.split, "split", 0, "with -reduce: the program differs with the functions below number `n` in a package of their own")
	flag.Parse()
	var err error
	if o.release, err = suite.Release(); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if o.print {
		fmt.Print(generate(o.seed, o.funcs, o.modern()))
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

// modern reports whether programs use what modernRelease has.
func (o *options) modern() bool { return version.Compare(o.release, modernRelease) >= 0 }

func (o *options) run() (bool, error) {
	var err error
	if o.loam, err = filepath.Abs(o.loam); err != nil {
		return false, err
	}
	if _, err := os.Stat(o.loam); err != nil {
		return false, fmt.Errorf("%v (make build)", err)
	}
	if o.reduce != "" {
		b, err := newBench(o)
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(b.dir)
		return true, o.reduceFile(b)
	}
	t := &tally{options: o, start: time.Now()}
	fmt.Printf("fuzz: seed %d, %d functions a program\n", o.seed, o.funcs)
	errs := make(chan error)
	for range o.workers {
		go func() { errs <- t.work() }()
	}
	for range o.workers {
		err = errors.Join(err, <-errs)
	}
	t.print()
	return t.found > 0, err
}

// tally is the state of a run that its workers share.
type tally struct {
	*options
	start time.Time

	mu                         sync.Mutex
	programs, functions, found int
}

// next returns the seed of the next program, if there is to be one.
func (t *tally) next() (uint64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.options.programs > 0 && t.programs >= t.options.programs || time.Since(t.start) > t.length {
		return 0, false
	}
	t.programs++
	return t.seed + uint64(t.programs) - 1, true
}

// work generates programs and compares until next says no.
func (t *tally) work() error {
	b, err := newBench(t.options)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	for {
		seed, more := t.next()
		if !more {
			return nil
		}
		text := generate(seed, t.funcs, t.modern())
		diffs, err := b.try(text, modeOf(seed, t.funcs))
		if err != nil {
			fmt.Printf("fuzz: %v\n", t.keep(seed, "broken", text, err))
		}
		for _, d := range diffs {
			if err := t.report(b, seed, text, d); err != nil {
				return err
			}
		}
		t.mu.Lock()
		t.found += len(diffs)
		if err == nil {
			t.functions += t.funcs
		} else {
			t.found++
		}
		show := t.programs%10 == 0
		t.mu.Unlock()
		if show {
			t.print()
		}
	}
}

func (t *tally) print() {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Printf("fuzz: seeds %d to %d: %d functions compared, %d differ, %.0fs\n", t.seed, t.seed+uint64(t.programs)-1,
		t.functions, t.found, time.Since(t.start).Seconds())
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
	for _, m := range []mode{{split: o.split}, {flags: []string{"-gcflags=all=-N -l"}, split: o.split}} {
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
