// Code measures compiled code by small programs of well-known kinds, one line a figure: name and
// nanoseconds of processor time a run. bench -program code runs it under both compilers in turn.
// With -profile it also writes a profile of what it does, for -pgo.
//
// usage: code [-list] [-profile FILE] [REGEXP]
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"slices"
	"time"

	"loam/bench/cputime"
)

// Each program runs at least so often, and for at least so long.
const (
	runs   = 5
	budget = 300 * time.Millisecond
)

func main() {
	list := flag.Bool("list", false, "print the names of the programs only")
	profile := flag.String("profile", "", "write a profile to this `file`")
	flag.Parse()
	only := regexp.MustCompile(flag.Arg(0))
	if *profile != "" {
		defer startProfile(*profile)()
	}
	for _, b := range benchmarks {
		switch {
		case !only.MatchString(b.name):
		case *list:
			fmt.Println(b.name)
		default:
			measure(b.name, b.f)
		}
	}
}

// startProfile starts the profile in that file. What it returns ends it.
func startProfile(file string) (stop func()) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "code:", err)
			os.Exit(1)
		}
	}
	f, err := os.Create(file)
	fail(err)
	fail(pprof.StartCPUProfile(f))
	return func() {
		pprof.StopCPUProfile()
		fail(f.Close())
	}
}

// measure prints the median of the runs. The shortest run would not do: on a virtual machine the
// clock of processor time subtracts what the host took, and now and then too much.
func measure(name string, f func()) {
	f()
	var times []time.Duration
	for first := cputime.Now(); len(times) < runs || cputime.Now()-first < budget; {
		start := cputime.Now()
		f()
		times = append(times, cputime.Now()-start)
	}
	slices.Sort(times)
	fmt.Printf("%s %d\n", name, times[len(times)/2].Nanoseconds())
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
	{"defer-unlock", deferredUnlock},
	{"type-switch", typeSwitch},
	{"type-switch-many", typeSwitchMany},
	{"channel-free-state", stateMachine},
	{"reflect", reflects},
	{"fasta", fasta},
	{"reverse-complement", reverseComplement},
	{"k-nucleotide", kNucleotide},
	{"regex-redux", regexRedux},
	{"queens", nQueens},
	{"life", life},
	{"range-own", rangeOwn},
	{"range-short", rangeShort},
	{"range-values", rangeValues},
	{"range-backward", rangeBackward},
	{"range-split", rangeSplit},
	{"range-keys", rangeKeys},
	{"range-filter", rangeFilter},
	{"range-tree", rangeTree},
	{"range-nested", rangeNested},
	{"range-pull", rangePull},
	{"tokenizer", tokenize},
	{"parser", parse},
	{"tree-walk", treeWalk},
	{"byte-code", byteCode},
	{"markdown", markdown},
	{"json-by-hand", jsonByHand},
	{"template-by-hand", templateByHand},
	{"b-tree", bTreeInts},
	{"hash-table", hashTable},
	{"dijkstra", dijkstra},
	{"spanning-tree", spanning},
	{"lru", lru},
	{"options", options},
	{"constructors", constructors},
	{"raytracer", raytracer},
	{"fourier", fourier},
	{"blur", blur},
	{"lz", lz},
	{"checksum", checksum},
	{"huge-interpreter", interpret},
	{"huge-translated", runTranslated},
	{"huge-parser", parseTables},
	{"huge-states", runStates},
}

var (
	sink  int
	sinkF float64
)
