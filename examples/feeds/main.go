// Command feeds counts how often a topic occurs in some thousand RSS feeds, in one of three
// ways: one document after the other, one goroutine a document, or a pool of one goroutine
// a processor. The work is what many servers do: read a file, decode it into freshly
// allocated structs, look at them, forget them. So it shows what the garbage collector
// costs when nearly everything is garbage at once.
//
//	feeds -mode sequential|each|pool [-n 4000] [-dir DIR]
//
// The feeds are generated, always the same ones, into a temporary directory or into DIR,
// where a later run finds them again. The counts are checked against what the generator
// put in. The program then prints one line with
//
//	program_ms   time from the first document to the last
//	gc_ms        time in which a collection was under way
//	gc_share     the second as a share of the first
//	collections  how many there were
//	mean_us      gc_ms for each of them
//	peak_kb      largest heap seen (live and dead objects), sampled every 10 ms
//
// Only the run-time system knows when a collection begins and ends, and GODEBUG=gctrace=1 is how it
// tells. The program therefore runs itself a second time with this setting and reads what that
// process writes to its standard error. With -run it does the work itself and leaves gc_ms,
// gc_share and mean_us out; table, the program that compares two compilers, uses that; there -heap
// FILE writes samples of the heap and its goal. With -trace FILE the search is recorded as an
// execution trace, with -cpuprofile FILE as a CPU profile, whose samples are then in the trace,
// too.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"loam/examples/feeds/gctrace"
)

var (
	mode     = flag.String("mode", "pool", "sequential, each (a goroutine a document) or pool (a goroutine a processor)")
	n        = flag.Int("n", 4000, "number of documents")
	dir      = flag.String("dir", "", "where the documents are, or are put if there are none (default: a temporary directory)")
	here     = flag.Bool("run", false, "work in this process, without the collections' times")
	traceTo  = flag.String("trace", "", "write an execution trace of the search to this `file`")
	cpuTo    = flag.String("cpuprofile", "", "write a CPU profile of the search to this `file`")
	heapTo   = flag.String("heap", "", "with -run: sample the heap every millisecond into this `file`")
	onlyMake = flag.Bool("generate", false, "only make sure that the documents are there")
)

func main() {
	flag.Parse()
	if err := feeds(); err != nil {
		fmt.Fprintln(os.Stderr, "feeds:", err)
		os.Exit(1)
	}
}

func feeds() error {
	search, ok := searches[*mode]
	if !ok || flag.NArg() > 0 || *n < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if *dir == "" {
		tmp, err := os.MkdirTemp("", "feeds")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		*dir = tmp
	}
	want, err := generate(*dir, *n)
	if err != nil || *onlyMake {
		return err
	}
	if !*here {
		return supervise()
	}
	stop, err := record(*traceTo, *cpuTo)
	if err != nil {
		return err
	}
	figures, err := measure(search, *dir, *n, want)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	fmt.Printf("feeds mode=%s procs=%d documents=%d found=%d items=%d program_ms=%.1f collections=%d pause_us=%d peak_kb=%d\n",
		*mode, runtime.GOMAXPROCS(0), *n, want.documents, want.items,
		float64(figures.program.Microseconds())/1e3, figures.collections, figures.pause.Microseconds(), figures.peak>>10)
	return nil
}

// supervise runs the work in a process of its own and adds what its collections tell.
func supervise() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, "-run", "-mode", *mode, "-n", strconv.Itoa(*n), "-dir", *dir, "-trace", *traceTo, "-cpuprofile", *cpuTo)
	cmd.Env = append(os.Environ(), gctrace.Setting)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	total, rest := gctrace.Parse(errs.String())
	os.Stderr.WriteString(rest)
	if err != nil {
		return err
	}
	line := strings.TrimSpace(out.String())
	program, err := strconv.ParseFloat(gctrace.Field(line, "program_ms"), 64)
	if err != nil {
		return fmt.Errorf("unexpected output %q", line)
	}
	gc := float64(total.Clock.Microseconds()) / 1e3
	fmt.Printf("%s gc_ms=%.1f gc_share=%.4f mean_us=%.0f\n", line, gc, gc/program, float64(total.Mean().Nanoseconds())/1e3)
	return nil
}
