// Bench compiles a program below bench/ with gc and with Loam, runs the two in turn and prints the
// medians and their ratio (gc / Loam for times and memory, Loam / gc for rates: above 1 Loam is
// better). The medians also go to out/bench/PROGRAM.tsv, with the least and the most, from which
// bench/pages makes a page and bench/plot draws. Arguments go to the program: asm and code take a
// regular expression of the figures to measure, goroutines takes its flags.
//
// usage: go run ./bench [-program basics] [-quick] [-rounds N] [-each A,B...] [-loam bin/loam]
// [-below RATIO] [-pgo FILE] [-to out/bench] [-keep] [arguments]
//
// A program runs once for each word of its plan, or of -each, as its last argument, gc and Loam in
// turn each time: what is compared is measured close together. Code runs once for each of its
// rows, gc's and Loam's at the same time (pair.go). -quick takes one round of what its plan has for
// that. With -keep figures that are not measured now stay in the file, if they are of the same
// machine and compilers. With -pgo both compilers get that profile. Code writes one:
//
//	go build -o /tmp/code ./bench/code && /tmp/code -profile /tmp/code.prof
//	go run ./bench -program code -pgo /tmp/code.prof -to out/pgo
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"loam/bench/figures"
)

func main() {
	rounds := flag.Int("rounds", 0, "how often each program runs, if not as often as its plan says")
	loam := flag.String("loam", "bin/loam", "the loam command")
	program := flag.String("program", "basics", "the directory below bench to measure")
	below := flag.Float64("below", 0, "print only figures with a smaller ratio, if positive")
	each := flag.String("each", "", "run the program for each of these words, separated by commas")
	quick := flag.Bool("quick", false, "one round of a part")
	keep := flag.Bool("keep", false, "keep the figures in the bench's file that are not measured now")
	profile := flag.String("pgo", "", "the profile that both compilers are guided by, if any")
	to := flag.String("to", filepath.Join("out", "bench"), "the directory of the bench's file")
	flag.Parse()
	if err := run(*program, *loam, *profile, *to, *quick, *rounds, *each, *below, *keep, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A figure is one line of the table: samples of gc and of Loam.
type figure struct {
	// topic, series and x; a program that prints a name and a value has only the first
	key     [3]string
	unit    string
	samples [2][]float64
}

func run(name, loam, profile, to string, quick bool, rounds int, each string, below float64, keep bool, args []string) error {
	p, err := planOf(name, quick)
	if err != nil {
		return err
	}
	if rounds > 0 {
		p.rounds = rounds
	}
	if each != "" {
		p.each = each
	}
	bench, err := figures.New(name, loam, to, keep)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "loam-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var guided []string
	if profile != "" {
		if profile, err = filepath.Abs(profile); err != nil {
			return err
		}
		guided = []string{"-pgo=" + profile}
	}
	built, err := p.build(dir, loam, "./bench/"+name, guided)
	if err != nil {
		return err
	}
	var measured []*figure
	runs, err := p.runs(built[0][0], args)
	if err != nil {
		return err
	}
	for _, args := range runs {
		for round := range p.rounds {
			outs, err := p.all(built, args, round)
			if err != nil {
				return err
			}
			for i, out := range outs {
				for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
					if measured, err = record(measured, i, s.Text()); err != nil {
						return fmt.Errorf("%s printed %q: %w", built[0][i], s.Text(), err)
					}
				}
			}
		}
	}
	return finish(bench, measured, below, to)
}

// record takes a line "name value" (nanoseconds) or "topic\tseries\tx\tvalue\tunit".
func record(measured []*figure, compiler int, line string) ([]*figure, error) {
	var key [3]string
	value, unit := "", "ns"
	if f := strings.Split(line, "\t"); len(f) == 5 {
		key, value, unit = [3]string(f[:3]), f[3], f[4]
	} else {
		key[0], value, _ = strings.Cut(line, " ")
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(measured, func(f *figure) bool { return f.key == key })
	if i < 0 {
		i = len(measured)
		measured = append(measured, &figure{key: key, unit: unit})
	}
	measured[i].samples[compiler] = append(measured[i].samples[compiler], v)
	return measured, nil
}

// finish prints the table and writes the bench's file.
func finish(bench *figures.Bench, measured []*figure, below float64, to string) error {
	if len(measured) == 0 {
		return fmt.Errorf("%s measured nothing", bench.Name)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := 1
	if measured[0].key[1] != "" {
		columns = len(measured[0].key)
	}
	fmt.Fprintf(w, "%sgc\tLoam\tunit\tratio\t\n", strings.Repeat("\t", columns))
	for _, m := range measured {
		f := figures.Figure{Topic: m.key[0], Series: m.key[1], X: m.key[2], Unit: m.unit, Rounds: len(m.samples[0])}
		f.GC, f.Loam = figures.Of(m.samples[0]), figures.Of(m.samples[1])
		bench.Add(f)
		if below > 0 && f.Ratio() >= below {
			continue
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%s\t%.2f\t\n", strings.Join(m.key[:columns], "\t"), f.GC.Median, f.Loam.Median, m.unit, f.Ratio())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return bench.Write(to)
}
