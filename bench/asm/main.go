// Asm measures the packages of which upstream writes parts in assembly, one line a figure: name and
// nanoseconds of processor time an operation. bench -program asm runs it under both compilers in turn.
//
// usage: asm [REGEXP]
package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"loam/bench/cputime"
)

// batch is how long one measurement runs; the best of batches is printed, because what else the machine
// does can only add to it.
const (
	batch   = 4 * time.Millisecond
	batches = 7
)

var only *regexp.Regexp

func main() {
	if len(os.Args) > 1 {
		only = regexp.MustCompile(os.Args[1])
	}
	bytesBenchmarks()
	hashBenchmarks()
	cipherBenchmarks()
	bigBenchmarks()
	mathBenchmarks()
	// What follows prepares much, so it wants to be meant.
	if only == nil || strings.Contains(only.String(), "-sign") || strings.Contains(only.String(), "-verify") || strings.Contains(only.String(), "-ecdh") {
		curveBenchmarks()
	}
	if only == nil || strings.Contains(only.String(), "map") {
		mapBenchmarks()
	}
}

// measure calls f(n), which does its work n times.
func measure(name string, f func(n int)) {
	if only != nil && !only.MatchString(name) {
		return
	}
	n := 1
	for {
		start := cputime.Now()
		f(n)
		d := cputime.Now() - start
		if d > batch/2 {
			n = max(1, int(float64(n)*float64(batch)/float64(d)))
			break
		}
		n *= 2
	}
	best := time.Duration(1 << 62)
	for range batches {
		start := cputime.Now()
		f(n)
		best = min(best, cputime.Now()-start)
	}
	fmt.Printf("%s %.3f\n", name, float64(best.Nanoseconds())/float64(n))
}

// Results go here, so that no compiler drops the work. What is added up is added up in a variable of the loop's first: one in memory takes
// 5 cycles an addition, with which the short functions would all be alike.
var (
	sinkInt   int
	sinkBool  bool
	sinkBytes []byte
)
