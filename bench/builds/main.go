// Builds measures what builds cost, by gc and by Loam in turn: programs of several kinds, built
// from nothing (empty caches), by Loam also with a pack of std and with its own backend, again
// without a change, and after edits: of the main package, of a leaf that many packages import, of
// a package in the middle, of a test, of a comment. Of each build it measures the elapsed time, the
// processor time of all its processes, the highest sum of their resident memory (libraries they
// share counted in each) and the bytes of the cache.
//
//	go run ./bench/builds [-quick] [-loam bin/loam] [-rounds 3] [-cold=false] [-long] [-keep]
//	                     [-to out/bench] [PROGRAM...]
//
// Programs are named by regular expressions; those that take minutes only by name or with -long,
// and -quick takes one round of the two smallest. The medians go to standard output, the figures to
// out/bench/build.tsv.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"loam/bench/figures"
)

func main() {
	b := new(bench)
	flag.StringVar(&b.loam, "loam", "bin/loam", "the loam command")
	flag.IntVar(&b.rounds, "rounds", 3, "how many builds of a kind, but for those from nothing: one")
	flag.BoolVar(&b.cold, "cold", true, "begin with empty caches; otherwise with the user's")
	flag.BoolVar(&b.long, "long", false, "all programs, also those that take minutes")
	keep := flag.Bool("keep", false, "keep the figures in the bench's file that are not measured now")
	quick := flag.Bool("quick", false, "one round of hello and http, with the user's caches")
	to := flag.String("to", filepath.Join("out", "bench"), "the directory of the bench's file")
	flag.Parse()
	chosen := flag.Args()
	if *quick {
		b.rounds, b.cold, chosen = 1, false, append(chosen, "hello", "http")
	}
	if err := b.run(*to, *keep, chosen); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// bench is a run of this command.
type bench struct {
	loam       string
	rounds     int
	cold, long bool
	pack       string // of std, once it was made
	figures    *figures.Bench
}

// kinds are the kinds of builds, in the order of measurement. An edit is named after what it
// changes. Those that begin with instant are Loam's with -O=instant, in caches of their own.
var kinds = []string{"cold", "packed", "instant", "instant main", "unchanged", "main", "leaf", "middle", "test", "comment"}

// names of gc and Loam.
var compilers = [2]string{"gc", "loam"}

func (b *bench) run(to string, keep bool, patterns []string) (err error) {
	if b.loam, err = filepath.Abs(b.loam); err != nil {
		return err
	}
	chosen, err := choose(patterns, b.long)
	if err != nil {
		return err
	}
	if b.figures, err = figures.New("build", b.loam, to, keep); err != nil {
		return err
	}
	fmt.Printf("%-10s %-12s %28s   %28s   %s\n", "program", "build", "gc", "loam", "loam / gc: time, processor, memory; MB of caches")
	defer func() {
		if b.pack != "" {
			os.RemoveAll(filepath.Dir(b.pack))
		}
	}()
	for _, p := range chosen {
		if err := b.program(p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return b.figures.Write(to)
}

// choose returns the programs that patterns name, or all that are not long.
func choose(patterns []string, long bool) (list []program, err error) {
	for _, p := range programs {
		if len(patterns) == 0 && (long || !p.long) {
			list = append(list, p)
		}
		for _, pattern := range patterns {
			re, err := regexp.Compile("^(?:" + pattern + ")$")
			if err != nil {
				return nil, err
			}
			if re.MatchString(p.name) {
				list = append(list, p)
				break
			}
		}
	}
	if len(list) == 0 {
		err = errors.New("no such program")
	}
	return list, err
}

// program measures the builds of one program.
func (b *bench) program(p program) error {
	dir, err := os.MkdirTemp("", "loam-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "source")
	edits, err := p.write(source)
	if err != nil {
		return err
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	caches, pack, opt := filepath.Join(dir, "caches"), "off", ""
	both := func() (costs [2]cost, err error) {
		env, of := env, [2]string{filepath.Join(caches, "go"), filepath.Join(caches, "loam")}
		if b.cold {
			env = append(env[:len(env):len(env)], "GOCACHE="+of[0], "LOAMCACHE="+of[1], "LOAMPACK="+pack, "LOAMOPT="+opt)
		}
		for i, command := range []string{"go", b.loam} {
			args := append([]string{p.verb}, p.args...)
			if p.verb == "build" {
				args = append([]string{"build", "-o", filepath.Join(dir, "out-"+compilers[i])}, p.args...)
			}
			if costs[i], err = measured(command, args, source, env); err != nil {
				return costs, err
			}
			if b.cold {
				costs[i].cache = size(of[i])
			}
		}
		return costs, nil
	}
	// packed is both with empty caches and a pack.
	packed := func() (costs [2]cost, err error) {
		name, err := b.std()
		if err != nil {
			return costs, err
		}
		defer func(before string) { caches, pack = before, "off" }(caches)
		caches, pack = filepath.Join(dir, "packed"), name
		defer os.RemoveAll(caches)
		return both()
	}
	// instant is both in caches of its own.
	instant := func() (costs [2]cost, err error) {
		defer func(before string) { caches, opt = before, "" }(caches)
		caches, opt = filepath.Join(dir, "instant"), "instant"
		return both()
	}
	count := 0
	for _, kind := range kinds {
		edit, build := edits[strings.TrimPrefix(kind, "instant ")], both
		rounds := b.rounds
		switch kind {
		case "cold":
			rounds = 1
			if !b.cold {
				if _, err := both(); err != nil { // fills the user's
					return err
				}
				continue
			}
		case "packed":
			if !b.cold || !p.packed {
				continue
			}
			build = packed
		case "instant":
			if !b.cold {
				continue
			}
			build = func() ([2]cost, error) {
				if err := os.RemoveAll(filepath.Join(dir, "instant")); err != nil {
					return [2]cost{}, err
				}
				return instant()
			}
		case "instant main":
			if !b.cold || edit == nil {
				continue
			}
			build = instant
		case "unchanged":
		default:
			if edit == nil {
				continue
			}
		}
		var of [2][]cost
		for range rounds {
			if edit != nil {
				count++
				if err := edit(count); err != nil {
					return err
				}
			}
			costs, err := build()
			if err != nil {
				return err
			}
			of[0], of[1] = append(of[0], costs[0]), append(of[1], costs[1])
		}
		b.report(p.name, kind, of)
	}
	return nil
}

// std returns a pack of std, which it makes once.
func (b *bench) std() (string, error) {
	if b.pack == "" {
		dir, err := os.MkdirTemp("", "loam-bench-pack-")
		if err != nil {
			return "", err
		}
		b.pack = filepath.Join(dir, "std.pack")
		pack := exec.Command(b.loam, "pack", "-o", b.pack)
		pack.Stderr = os.Stderr
		if err := pack.Run(); err != nil {
			return "", fmt.Errorf("loam pack: %w", err)
		}
	}
	return b.pack, nil
}

// report prints a line of the table and keeps the figures.
func (b *bench) report(name, kind string, of [2][]cost) {
	for _, m := range []struct {
		what, unit string
		value      func(c cost) float64
	}{
		{"elapsed", "s", func(c cost) float64 { return c.elapsed.Seconds() }},
		{"processor time", "s", func(c cost) float64 { return c.cpu.Seconds() }},
		{"memory", "MB", func(c cost) float64 { return float64(c.memory >> 20) }},
		{"cache", "MB", func(c cost) float64 { return float64(c.cache >> 20) }},
	} {
		if m.what == "cache" && kind != "cold" && kind != "instant" {
			continue
		}
		f := figures.Figure{Topic: name, Series: kind, X: m.what, Unit: m.unit, Rounds: len(of[0])}
		for i, at := range []*figures.Sample{&f.GC, &f.Loam} {
			var values []float64
			for _, c := range of[i] {
				values = append(values, m.value(c))
			}
			*at = figures.Of(values)
		}
		b.figures.Add(f)
	}
	gc, own := median(of[0]), median(of[1])
	fmt.Printf("%-10s %-12s %v   %v   %.2f %.2f %.2f; %d %d\n", name, kind, gc, own,
		own.elapsed.Seconds()/gc.elapsed.Seconds(), own.cpu.Seconds()/gc.cpu.Seconds(),
		float64(own.memory)/float64(max(gc.memory, 1)), gc.cache>>20, own.cache>>20)
}

// median is the build with the median time.
func median(list []cost) cost {
	slices.SortFunc(list, func(a, b cost) int { return int(a.elapsed - b.elapsed) })
	return list[len(list)/2]
}

// cost is what one build took.
type cost struct {
	elapsed, cpu  time.Duration
	memory, cache int64 // bytes
}

func (c cost) String() string {
	return fmt.Sprintf("%7.2f s (%6.2f s) %5d MB", c.elapsed.Seconds(), c.cpu.Seconds(), c.memory>>20)
}
