// Simbugs says which of a collection of bugs simulated runs find (docs/simulation.md). testdata has
// a directory for each: bug.go is a program that fails, deadlocks or leaves a goroutine behind,
// mostly under some schedules only, and fixed.go is its twin without the bug. The first line of
// either is the kind of the bug and, behind a colon, what it is.
//
// Each bug is looked for under the seeds from 1 on with the strategy that the seed chooses, and
// with each strategy by itself. Each twin is run under all seeds, and must never fail. Simbugs
// exits with 1 when a twin does, or when too few bugs are found.
//
// Bugs of the kind "Data race" fail in no run: what is wrong is that two accesses are not ordered.
// They are built to look for that (-sim.race), and so are all twins.
//
// With -race there is another column: gc's race detector runs the bug again and again for as long
// as the twin's seeds took. It sees no goroutine that is left behind.
//
// usage: simbugs [-loam bin/loam] [-seeds 1000] [-race] [-run regexp]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"text/tabwriter"
)

// enough is which share of the bugs has to be found.
const enough = 0.95

func main() {
	loam := flag.String("loam", "bin/loam", "the loam `command`")
	root := flag.String("dir", "bench/simbugs/testdata", "the collection's `directory`")
	seeds := flag.Uint64("seeds", 1000, "how many seeds each program runs under")
	race := flag.Bool("race", false, "run the programs with gc's race detector, too (needs a C compiler)")
	pattern := flag.String("run", "", "only the bugs whose name matches `regexp`")
	flag.Parse()
	if err := run(os.Stdout, *loam, *root, *pattern, *seeds, *race); err != nil {
		fmt.Fprintln(os.Stderr, "simbugs:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, loam, root, pattern string, seeds uint64, race bool) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	bugs, err := collect(root, re)
	if err != nil {
		return err
	}
	if race {
		if _, err := exec.LookPath("cc"); err != nil {
			fmt.Fprintln(out, "no C compiler, so no race detector:", err)
			race = false
		}
	}
	temp, err := os.MkdirTemp("", "simbugs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	results := make([]result, len(bugs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				t := try{loam: loam, temp: filepath.Join(temp, bugs[i].name), seeds: seeds, race: race}
				results[i] = t.run(bugs[i])
			}
		})
	}
	for i := range bugs {
		next <- i
	}
	close(next)
	wg.Wait()
	return report(out, results, race)
}

// report prints the table and what it amounts to.
func report(out io.Writer, results []result, race bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "bug\tkind\tseed")
	for _, s := range strategies[1:] {
		fmt.Fprint(w, "\t"+s)
	}
	if race {
		fmt.Fprint(w, "\trace detector")
	}
	fmt.Fprintln(w, "\tas\ttwin")
	found, byRace, bad := 0, 0, 0
	for _, r := range results {
		if r.err != nil {
			fmt.Fprintf(w, "%s\t%s\t%v\n", r.bug.name, r.bug.kind, r.err)
			bad++
			continue
		}
		fmt.Fprintf(w, "%s\t%s", r.bug.name, r.bug.kind)
		for _, seed := range r.seeds {
			fmt.Fprint(w, "\t"+number(seed))
		}
		if race {
			fmt.Fprint(w, "\t", r.race)
		}
		twin := "fine"
		if r.twin != nil {
			twin = fmt.Sprintf("seed %d: %s", r.twin.Seed, showed(r.twin))
			bad++
		}
		fmt.Fprintf(w, "\t%s\t%s\n", r.as, twin)
		if r.seeds[0] != 0 {
			found++
		}
		if r.race.found() {
			byRace++
		}
	}
	w.Flush()
	fmt.Fprintf(out, "%d of %d bugs found (%.0f %%)\n", found, len(results), 100*float64(found)/float64(max(1, len(results))))
	if race {
		fmt.Fprintf(out, "%d by the race detector or a crash of the gc program in the same time\n", byRace)
	}
	switch {
	case bad > 0:
		return fmt.Errorf("%d programs are reported that have no bug, or could not be run", bad)
	case float64(found) < enough*float64(len(results)):
		return fmt.Errorf("%d bugs were not found", len(results)-found)
	}
	return nil
}

func number(seed uint64) string {
	if seed == 0 {
		return "-"
	}
	return fmt.Sprint(seed)
}
