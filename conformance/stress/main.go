// Stress runs programs over and over under settings that make rare interleavings common: few and
// many processors, a collector that runs all the time, freed memory that is poisoned, marks that
// are verified, a scheduler that decides at random. A run fails if it does not end as the program's
// first run under gc did (exit status and output). At the end, or when interrupted, it says how
// many runs passed and how much CPU time they took under which settings.
//
// usage: go run ./conformance/stress [-time 10m] [-cpu 3h] [-runs N] [-loam bin/loam] [-seed N]
// [-std sync,net/http] [file.go...]
//
// The programs are the files and, with -std, the tests of packages of the standard library, without
// those that are known to fail (conformance/std-failures.txt); these have to pass. With neither it
// takes GOROOT/test's channel, stress and collector programs. They run in rounds, one at a time;
// every ten minutes it says how far it is. Each failure is printed with its environment and kept in
// out/stress; tests of std that failed run again by themselves, as gc compiles them too, since a
// busy machine and a collector that never rests make some miss their deadlines.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

var (
	length = flag.Duration("time", 10*time.Minute, "how long to run")
	budget = flag.Duration("cpu", 0, "end after so much CPU time of the programs (0: no limit)")
	rounds = flag.Int("runs", 0, "run each program so many times (0: no limit)")
	loam   = flag.String("loam", "bin/loam", "the loam command")
	std    = flag.String("std", "", "packages of std, separated by commas, whose tests are programs too")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the order and settings")
	limit  = flag.Duration("limit", 2*time.Minute, "for one run")
)

func main() {
	flag.Parse()
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	dir, err := os.MkdirTemp("", "loam-stress-")
	if err != nil {
		fatal(err)
	}
	ok := stress(ctx, dir)
	os.RemoveAll(dir)
	if !ok {
		os.Exit(1)
	}
}

// stress reports whether all runs passed, and that there were some.
func stress(ctx context.Context, dir string) bool {
	programs := build(ctx, dir)
	fmt.Printf("%d programs, seed %d\n", len(programs), *seed)
	r := rand.New(rand.NewPCG(*seed, 1))
	runs, failed := 0, 0
	spent := cpuTimes{}
	end, report := time.Now().Add(*length), time.Now()
	for round := 0; len(programs) > 0 && (*rounds == 0 || round < *rounds); round++ {
		for _, i := range r.Perm(len(programs)) {
			p := programs[i]
			env := p.settings(r)
			why, cpu := p.run(ctx, env)
			if ctx.Err() != nil || !time.Now().Before(end) || *budget != 0 && spent[total] >= *budget {
				return summary(programs, runs, failed, spent)
			}
			runs++
			p.runs++
			p.cpu += cpu
			spent.add(env, cpu)
			if why != "" {
				failed++
				p.failed++
				keep(p, env, why, failed)
			}
			if time.Since(report) > 10*time.Minute {
				report = time.Now()
				fmt.Printf("%s: %d passed, %d failed; %v of CPU time\n", report.Format(time.TimeOnly), runs-failed, failed, spent)
			}
		}
	}
	return summary(programs, runs, failed, spent)
}

func summary(programs []*program, runs, failed int, spent cpuTimes) bool {
	for _, p := range programs {
		if p.pkg != "" || p.failed > 0 {
			fmt.Printf("%s: %d runs, %d failed, %v of CPU time\n", p.name, p.runs, p.failed, p.cpu.Round(time.Second))
		}
	}
	fmt.Printf("%d passed, %d failed; %v of CPU time\n", runs-failed, failed, spent)
	return failed == 0 && runs > 0
}

// build makes the programs that the command line asks for.
func build(ctx context.Context, dir string) []*program {
	files := flag.Args()
	if len(files) == 0 && *std == "" {
		files = defaults()
	}
	var programs []*program
	for _, f := range files {
		if p := prepare(ctx, f, dir); p != nil {
			programs = append(programs, p)
		}
	}
	for _, pkg := range strings.FieldsFunc(*std, func(r rune) bool { return r == ',' }) {
		programs = append(programs, prepareTests(pkg, dir))
	}
	return programs
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "stress:", err)
	os.Exit(1)
}
