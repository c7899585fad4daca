// Code measures compiled code by small programs of well-known kinds, one line a figure: name and
// nanoseconds of processor time a run. bench -program code runs it under both compilers in turn.
//
// usage: code [REGEXP]
package main

import (
	"fmt"
	"os"
	"regexp"
	"time"

	"loam/bench/cputime"
)

// Each program runs at least so often, and for at least so long.
const (
	runs   = 5
	budget = 300 * time.Millisecond
)

func main() {
	only := regexp.MustCompile("")
	if len(os.Args) > 1 {
		only = regexp.MustCompile(os.Args[1])
	}
	for _, b := range benchmarks {
		if only.MatchString(b.name) {
			measure(b.name, b.f)
		}
	}
}

// measure prints the best of some runs: what else the machine does can only add to it (by its use of caches and memory).
func measure(name string, f func()) {
	f()
	best := time.Duration(1 << 62)
	for n, first := 0, cputime.Now(); n < runs || cputime.Now()-first < budget; n++ {
		start := cputime.Now()
		f()
		best = min(best, cputime.Now()-start)
	}
	fmt.Printf("%s %d\n", name, best.Nanoseconds())
}

var benchmarks = []struct {
	name string
	f    func()
}{
	{"nbody", nbody},
	{"spectralnorm", spectralNorm},
	{"fannkuch", fannkuch},
	{"mandelbrot", mandelbrot},
	{"matrix", matrix},
	{"matrix-rows", matrixRows},
	{"sieve", sieve},
	{"fib", func() { sink += fib(30) }},
	{"closure", closures},
	{"interface", interfaces},
	{"generic", generics},
	{"struct-copy", structCopy},
	{"division", division},
	{"bounds", bounds},
	{"crc-table", crcTable},
	{"dp-levenshtein", levenshtein},
	{"btree", binaryTrees},
	{"linked-list", linkedList},
	{"append", appends},
	{"map-int", mapInt},
	{"map-string", mapString},
	{"word-count", wordCount},
	{"sort-ints", sortInts},
	{"sort-slice", sortSlice},
	{"sort-interface", sortInterface},
	{"heap", heapSort},
	{"builder", builder},
	{"concat", concat},
	{"split", splitJoin},
	{"utf8", utf8Loop},
	{"itoa", itoa},
	{"parsefloat", parseFloat},
	{"formatfloat", formatFloat},
	{"sprintf", sprintf},
	{"scanner", scanLines},
	{"regexp", regexps},
	{"json-marshal", jsonMarshal},
	{"json-unmarshal", jsonUnmarshal},
	{"template", templates},
	{"gzip", gzipData},
	{"gunzip", gunzipData},
	{"base64", base64Data},
	{"bigint-pi", bigPi},
	{"rand", random},
	{"defer", deferred},
	{"type-switch", typeSwitch},
	{"channel-free-state", stateMachine},
	{"reflect", reflects},
}

var (
	sink  int
	sinkF float64
)
