// Pacing runs the three versions of examples/feeds, compiled by gc and by Loam, with a sample of
// the heap and of its goal every millisecond. The samples go to out/bench/pacing.tsv, from which
// bench/plot draws one picture a version: the heap should rise to the goal and not above it. The
// table says how far it rose: the median and the largest of the peaks between two collections, as a
// share of the goal then in force.
//
// usage: go run ./bench/pacing [-loam bin/loam] [-n DOCUMENTS] [VARIABLE=VALUE...]
//
// Variables are set for both programs (GOGC=50, LOAMGC=cpu=3%).
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"loam/bench/twice"
)

var modes = []string{"sequential", "each", "pool"}

func main() {
	loam := flag.String("loam", "bin/loam", "the loam command")
	n := flag.Int("n", 4000, "number of documents")
	flag.Parse()
	if err := run(*loam, *n, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pacing:", err)
		os.Exit(1)
	}
}

func run(loam string, n int, env []string) error {
	dir, err := os.MkdirTemp("", "pacing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, documents, err := twice.Feeds(dir, loam, n)
	if err != nil {
		return err
	}
	if err := os.MkdirAll("out/bench", 0o777); err != nil {
		return err
	}
	// Under another name first: half a file is never left.
	const name = "out/bench/pacing.tsv"
	out, err := os.Create(name + ".tmp")
	if err != nil {
		return err
	}
	defer os.Remove(name + ".tmp")
	defer out.Close()
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "version\tcompiler\tsamples\tpeaks\tmedian peak/goal\tlargest\t")
	for _, mode := range modes {
		for i, compiler := range []string{"gc", "Loam"} {
			heap := filepath.Join(dir, "heap")
			if err := command(env, programs[i], "-run", "-mode", mode, "-dir", documents, "-n", strconv.Itoa(n), "-heap", heap); err != nil {
				return err
			}
			samples, err := read(heap)
			if err != nil {
				return err
			}
			for _, s := range samples {
				for _, series := range []struct {
					name  string
					bytes float64
				}{{"heap", s.heap}, {"goal", s.goal}} {
					var v [2]float64
					v[i] = series.bytes / (1 << 20)
					fmt.Fprintf(out, "feeds-%s\t%s\t%g\t%g\t%g\tMB\n", mode, series.name, s.ms, v[0], v[1])
				}
			}
			peaks := peakShares(samples)
			if len(peaks) == 0 {
				return fmt.Errorf("%s, %s: the heap never fell", mode, compiler)
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t\n", mode, compiler, len(samples), len(peaks), peaks[len(peaks)/2], peaks[len(peaks)-1])
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		return err
	}
	return table.Flush()
}

func command(env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v\n%s", name, err, out)
	}
	return nil
}

// A sample of the heap, in bytes, some milliseconds after the start.
type sample struct{ ms, heap, goal float64 }

func read(file string) (list []sample, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var x sample
		if _, err := fmt.Sscan(s.Text(), &x.ms, &x.heap, &x.goal); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, s.Text(), err)
		}
		list = append(list, x)
	}
	return list, s.Err()
}

// peakShares returns, sorted, how much of the goal each peak of the heap was: what it had when it
// then fell by a quarter.
func peakShares(list []sample) (shares []float64) {
	var top sample
	for _, s := range list {
		switch {
		case s.heap >= top.heap:
			top = s
		case s.heap < top.heap*3/4:
			shares = append(shares, top.heap/top.goal)
			top = s
		}
	}
	slices.Sort(shares)
	return shares
}
