// Bench compiles a program below bench/ with gc and with Loam, runs the two in turn and prints the
// medians and their ratio (gc / Loam for times and memory, Loam / gc for rates: above 1 Loam is
// better). The medians also go to out/bench/PROGRAM.tsv, from which bench/plot draws. Arguments go to
// the program: asm and code take a regular expression of the figures to measure, goroutines takes its flags.
//
// usage: go run ./bench [-program basics] [-rounds 5] [-loam bin/loam] [-below RATIO] [-each A,B...] [arguments]
//
// With -each the program runs once for each of the words, as its last argument, gc and Loam in turn each
// time: what is compared is measured close together.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"loam/bench/twice"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program runs")
	loam := flag.String("loam", "bin/loam", "the loam command")
	program := flag.String("program", "basics", "the directory below bench to measure")
	below := flag.Float64("below", 0, "print only figures with a smaller ratio, if positive")
	each := flag.String("each", "", "run the program for each of these words, separated by commas")
	flag.Parse()
	runs := [][]string{flag.Args()}
	if *each != "" {
		runs = nil
		for _, w := range strings.Split(*each, ",") {
			runs = append(runs, append(slices.Clone(flag.Args()), w))
		}
	}
	if err := run(*program, *loam, *rounds, *below, runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A figure is one line of the table: samples of gc and of Loam.
type figure struct {
	key     string // what the program prints before the value
	unit    string
	samples [2][]float64
}

func run(name, loam string, rounds int, below float64, runs [][]string) error {
	dir, err := os.MkdirTemp("", "loam-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := twice.Build(dir, loam, "./bench/"+name)
	if err != nil {
		return err
	}
	var figures []*figure
	for _, args := range runs {
		for range rounds {
			for i, p := range programs {
				c := exec.Command(p, args...)
				c.Stderr = os.Stderr
				out, err := c.Output()
				if err != nil {
					return fmt.Errorf("%s: %w", c, err)
				}
				for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
					if figures, err = record(figures, i, s.Text()); err != nil {
						return fmt.Errorf("%s printed %q: %w", c, s.Text(), err)
					}
				}
			}
		}
	}
	return print(name, below, figures)
}

// record takes a line "name value" (nanoseconds) or "topic\tseries\tx\tvalue\tunit".
func record(figures []*figure, compiler int, line string) ([]*figure, error) {
	key, value, unit := "", "", "ns"
	if f := strings.Split(line, "\t"); len(f) == 5 {
		key, value, unit = strings.Join(f[:3], "\t"), f[3], f[4]
	} else {
		key, value, _ = strings.Cut(line, " ")
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(figures, func(f *figure) bool { return f.key == key })
	if i < 0 {
		i = len(figures)
		figures = append(figures, &figure{key: key, unit: unit})
	}
	figures[i].samples[compiler] = append(figures[i].samples[compiler], v)
	return figures, nil
}

func print(name string, below float64, figures []*figure) error {
	if len(figures) == 0 {
		return fmt.Errorf("%s measured nothing", name)
	}
	var tsv bytes.Buffer
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := strings.Count(figures[0].key, "\t") + 1
	fmt.Fprintf(w, "%sgc\tLoam\tunit\tratio\t\n", strings.Repeat("\t", columns))
	for _, f := range figures {
		gc, loam := twice.Median(f.samples[0]), twice.Median(f.samples[1])
		ratio := gc / loam
		if f.unit == "1/s" {
			ratio = loam / gc
		}
		fmt.Fprintf(&tsv, "%s\t%g\t%g\t%s\n", f.key, gc, loam, f.unit)
		if below > 0 && ratio >= below {
			continue
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%s\t%.2f\t\n", f.key, gc, loam, f.unit, ratio)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	file := filepath.Join("out", "bench", name+".tsv")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(file+".tmp", tsv.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}
