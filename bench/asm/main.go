// Asm measures the packages of which upstream writes parts in assembly, and maps, in nanoseconds of
// processor time an operation. Each result is a line: topic, series, x, value, unit. The regular
// expression selects by series-x. bench -program asm runs it under both compilers in turn.
//
// usage: asm [REGEXP]
package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"loam/bench/cputime"
)

// batch is how long one measurement runs; the best of batches is printed, because what else the
// machine does can only add to it.
const (
	batch   = 4 * time.Millisecond
	batches = 7
)

var only *regexp.Regexp

// topic is that of what is being measured.
var topic string

func main() {
	if len(os.Args) > 1 {
		only = regexp.MustCompile(os.Args[1])
	}
	topic = "bytes and strings"
	bytesBenchmarks()
	topic = "hashes"
	hashBenchmarks()
	topic = "ciphers"
	cipherBenchmarks()
	topic = "integers of many words"
	bigBenchmarks()
	topic = "math"
	mathBenchmarks()
	// What follows prepares much, so it wants to be meant.
	if only == nil || strings.Contains(only.String(), "-sign") || strings.Contains(only.String(), "-verify") ||
		strings.Contains(only.String(), "-ecdh") {
		topic = "public keys"
		curveBenchmarks()
	}
	if only == nil || strings.Contains(only.String(), "map") {
		topic = "maps"
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
	series, x := name, ""
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			series, x = name[:i], name[i+1:]
		}
	}
	fmt.Printf("%s\t%s\t%s\t%.3f\tns\n", topic, series, x, float64(best.Nanoseconds())/float64(n))
}

// Results go here, so that no compiler drops the work. What is added up is added up in a variable
// of the loop's first: one in memory takes 5 cycles an addition, with which the short functions
// would all be alike.
var (
	sinkInt   int
	sinkBool  bool
	sinkBytes []byte
)
