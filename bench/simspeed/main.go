// Simspeed says how many seeds a second one core runs a test under (docs/simulation.md): of
// wall-clock time, and of the processor time of the runs and their server, which other work on the
// machine disturbs less.
//
// usage: simspeed [-loam bin/loam] [-seeds 4000] [-flag -sim=1] [FILE]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"loam/internal/simrun"
)

func main() {
	loam := flag.String("loam", "bin/loam", "the loam `command`")
	seeds := flag.Uint64("seeds", 4000, "how many seeds it runs under")
	how := flag.String("flag", "-sim=1", "the `flag` that the test is built with")
	keep := flag.String("o", "", "keep the test's program in `file`")
	flag.Parse()
	file := filepath.Join("bench", "simspeed", "testdata", "ten_test.go")
	if flag.NArg() > 0 {
		file = flag.Arg(0)
	}
	if err := measure(*loam, *how, file, *keep, *seeds); err != nil {
		fmt.Fprintln(os.Stderr, "simspeed:", err)
		os.Exit(1)
	}
}

func measure(loam, how, file, keep string, seeds uint64) error {
	temp, err := os.MkdirTemp("", "simspeed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	exe := keep
	if exe == "" {
		exe = filepath.Join(temp, "test")
	}
	if out, err := exec.Command(loam, "test", "-c", how, "-o", exe, file).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	p := simrun.Program{Path: exe, Args: []string{"-test.run=^Test"}, Settings: "leaks=1", AtTest: true, Temp: temp, Seconds: 20}
	began, used := time.Now(), processorTime()
	found, err := p.Hunt(1, seeds, time.Time{}, 1, nil)
	if err != nil {
		return err
	}
	if f := found.Failure; f != nil {
		return fmt.Errorf("seed %d fails: %s", f.Seed, f.Output)
	}
	took, used := time.Since(began), processorTime()-used
	rate := func(d time.Duration) float64 { return float64(found.Runs) / d.Seconds() }
	fmt.Printf("%d runs, %d ways, %d decisions a run: %.0f seeds/s, %.0f a second of processor time\n",
		found.Runs, found.Hashes, found.Decisions/found.Runs, rate(took), rate(used))
	return nil
}

// processorTime is that of this process and of its children that have ended.
func processorTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}
