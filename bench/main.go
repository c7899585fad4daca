// Bench compiles a program below bench/ with gc and with Loam, runs the two in turn and prints the
// medians and their ratio (gc time / Loam time: above 1 Loam is faster). Arguments go to the
// program: asm and code take a regular expression of the figures to measure.
//
// usage: go run ./bench [-program basics|asm|code] [-rounds 5] [-loam bin/loam] [-below RATIO] [arguments]
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
	"strings"
	"text/tabwriter"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program runs")
	loam := flag.String("loam", "bin/loam", "the loam command")
	program := flag.String("program", "basics", "the directory below bench to measure")
	below := flag.Float64("below", 0, "print only figures with a smaller ratio, if positive")
	flag.Parse()
	if err := run(*program, *rounds, *loam, *below, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(program string, rounds int, loam string, below float64, args []string) error {
	dir, err := os.MkdirTemp("", "loam-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs := []string{filepath.Join(dir, "gc"), filepath.Join(dir, "loam")}
	for i, compiler := range []string{"go", loam} {
		c := exec.Command(compiler, "build", "-o", programs[i], "./bench/"+program)
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	var names []string
	samples := [2]map[string][]float64{{}, {}}
	for range rounds {
		for i, p := range programs {
			out, err := exec.Command(p, args...).Output()
			if err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
			for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
				var name string
				var ns float64
				if _, err := fmt.Sscan(s.Text(), &name, &ns); err != nil {
					return fmt.Errorf("%s printed %q", p, s.Text())
				}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
				samples[i][name] = append(samples[i][name], ns)
			}
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, strings.Join([]string{"", "gc ns", "Loam ns", "gc/Loam", ""}, "\t"))
	for _, n := range names {
		gc, l := median(samples[0][n]), median(samples[1][n])
		if below > 0 && gc/l >= below {
			continue
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.2f\t\n", n, gc, l, gc/l)
	}
	return w.Flush()
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
