// Command table runs examples/feeds, compiled by gc and by Loam, and prints one table that
// compares them.
//
//	go run ./examples/feeds/table -loam bin/feeds-loam -gc bin/feeds-go
//
// [-rounds 5] [-n 4000] [-to out/bench]
//
// The two programs take turns, so that whatever else the machine does hits both; each figure is the
// median of the rounds. The ratio is Loam's figure divided by gc's: below 1 Loam needs less. With
// -to the figures also go to a file, of which bench/pages makes a page.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"loam/bench/figures"
	"loam/examples/feeds/gctrace"
)

var (
	loam   = flag.String("loam", "", "feeds compiled by Loam")
	gc     = flag.String("gc", "", "feeds compiled by gc")
	rounds = flag.Int("rounds", 5, "how often each program runs each version")
	n      = flag.Int("n", 4000, "number of documents")
	to     = flag.String("to", "", "a directory for the file feeds.tsv")
)

var modes = []struct{ flag, name string }{
	{"sequential", "one after the other"},
	{"each", "goroutine a document"},
	{"pool", "goroutine a processor"},
}

// columns of the table, in the order of values; series and unit are for the file.
var columns = []struct {
	head         string
	format       string
	series, unit string
}{
	{"program ms", "%.0f", "time", "ms"},
	{"GC ms", "%.0f", "collections under way", "ms"},
	{"GC share %", "%.1f", "their share of the time", "%"},
	{"collections", "%.0f", "collections", ""},
	{"mean GC ms", "%.2f", "mean of a collection", "ms"},
	{"peak heap MB", "%.1f", "peak heap", "MB"},
}

type values [6]float64

func main() {
	flag.Parse()
	if *loam == "" || *gc == "" || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := compare(); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func compare() error {
	dir, err := os.MkdirTemp("", "feeds")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command(*gc, "-generate", "-dir", dir, "-n", strconv.Itoa(*n)).CombinedOutput(); err != nil {
		return fmt.Errorf("generating documents: %v\n%s", err, out)
	}
	programs := []struct{ path, name string }{{*gc, "gc"}, {*loam, "Loam"}}
	runs := make([][][]values, len(modes)) // mode, program, round
	for m := range modes {
		runs[m] = make([][]values, len(programs))
	}
	for round := range *rounds {
		for m, mode := range modes {
			for p := range programs {
				// The two take turns in going first.
				p = (p + round) % len(programs)
				progress("round %d of %d: %-12s %-6s", round+1, *rounds, mode.flag, programs[p].name)
				f, err := run(programs[p].path, mode.flag, dir)
				if err != nil {
					return err
				}
				runs[m][p] = append(runs[m][p], f)
			}
		}
	}
	progress("%40s\r", "")
	var rows [][]string
	for m, mode := range modes {
		var medians [2]values
		for p, program := range programs {
			medians[p] = median(runs[m][p])
			rows = append(rows, row(mode.name, program.name, medians[p]))
		}
		rows = append(rows, ratios(medians[0], medians[1]))
	}
	fmt.Printf("The topic in %d feeds; medians of %d rounds\n\n", *n, *rounds)
	print(rows)
	if *to == "" {
		return nil
	}
	return write(runs)
}

// write keeps what was measured in a file, with its spread.
func write(runs [][][]values) error {
	bench, err := figures.New("feeds", "bin/loam", *to, false)
	if err != nil {
		return err
	}
	for m, mode := range modes {
		for i, c := range columns {
			var samples [2][]float64
			for p := range samples {
				for _, v := range runs[m][p] {
					samples[p] = append(samples[p], v[i])
				}
			}
			bench.Add(figures.Figure{Topic: mode.flag, Series: c.series, Unit: c.unit,
				GC: figures.Of(samples[0]), Loam: figures.Of(samples[1]), Rounds: *rounds})
		}
	}
	return bench.Write(*to)
}

// progress writes over the same line of the terminal, if there is one.
func progress(format string, args ...any) {
	if st, err := os.Stderr.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprintf(os.Stderr, "\r"+format, args...)
	}
}

// run measures one program once.
func run(path, mode, dir string) (f values, err error) {
	cmd := exec.Command(path, "-run", "-mode", mode, "-n", strconv.Itoa(*n), "-dir", dir)
	cmd.Env = append(os.Environ(), gctrace.Setting)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	total, rest := gctrace.Parse(errs.String())
	if err != nil {
		return f, fmt.Errorf("%s -mode %s: %v\n%s", path, mode, err, rest)
	}
	number := func(key string) float64 {
		v, e := strconv.ParseFloat(gctrace.Field(out.String(), key), 64)
		if e != nil && err == nil {
			err = fmt.Errorf("%s -mode %s: no %s in %q", path, mode, key, out.String())
		}
		return v
	}
	program, collections, peak := number("program_ms"), number("collections"), number("peak_kb")
	gc := float64(total.Clock.Nanoseconds()) / 1e6
	share := 0.0
	if program > 0 {
		share = 100 * gc / program
	}
	return values{program, gc, share, collections, float64(total.Mean().Nanoseconds()) / 1e6, peak / 1024}, err
}

func median(list []values) (m values) {
	for i := range m {
		var v []float64
		for _, f := range list {
			v = append(v, f[i])
		}
		slices.Sort(v)
		m[i] = (v[(len(v)-1)/2] + v[len(v)/2]) / 2
	}
	return m
}

func row(mode, program string, f values) []string {
	r := []string{mode, program}
	for i, v := range f {
		r = append(r, fmt.Sprintf(columns[i].format, v))
	}
	return r
}

func ratios(gc, loam values) []string {
	r := []string{"", "Loam / gc"}
	for i := range gc {
		if gc[i] == 0 {
			r = append(r, "-")
		} else {
			r = append(r, fmt.Sprintf("%.2f", loam[i]/gc[i]))
		}
	}
	return r
}

// print writes the table: text to the left, numbers to the right, a blank line between
// the versions.
func print(rows [][]string) {
	head := []string{"version", "compiler"}
	for _, c := range columns {
		head = append(head, c.head)
	}
	all := append([][]string{head}, rows...)
	width := make([]int, len(head))
	for _, r := range all {
		for i, cell := range r {
			width[i] = max(width[i], len(cell))
		}
	}
	for k, r := range all {
		if k%3 == 1 && k > 1 {
			fmt.Println()
		}
		var line strings.Builder
		for i, cell := range r {
			if i < 2 {
				fmt.Fprintf(&line, "%-*s  ", width[i], cell)
			} else {
				fmt.Fprintf(&line, "%*s  ", width[i], cell)
			}
		}
		fmt.Println(strings.TrimRight(line.String(), " "))
		if k == 0 {
			total := 0
			for _, w := range width {
				total += w + 2
			}
			fmt.Println(strings.Repeat("-", total-2))
		}
	}
}
