// Package figures keeps what benchmarks have measured: one file a bench, in out/bench/NAME.tsv,
// with a line for each figure and, above them, lines that begin with # and say on what machine and
// by which command. The pages below docs/bench and all plots are made from these files
// (bench/pages, bench/plot).
package figures

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// A Sample is the median of what one compiler's program has measured, with the least and the most.
type Sample struct{ Median, Low, High float64 }

// Of is the Sample of some values, which it sorts.
func Of(values []float64) Sample {
	if len(values) == 0 {
		return Sample{}
	}
	slices.Sort(values)
	n := len(values)
	return Sample{(values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]}
}

// A Figure is one line: what was measured, for gc and for Loam.
type Figure struct {
	Topic, Series, X string
	Unit             string
	GC, Loam         Sample
	Rounds           int
}

// MoreIsBetter reports whether the figure is a rate.
func (f Figure) MoreIsBetter() bool { return strings.HasSuffix(f.Unit, "/s") }

// Ratio is above 1 where Loam is better. It is NaN if nothing can be said.
func (f Figure) Ratio() float64 {
	gc, loam := f.GC.Median, f.Loam.Median
	if f.MoreIsBetter() {
		gc, loam = loam, gc
	}
	if gc <= 0 || loam <= 0 {
		return math.NaN()
	}
	return gc / loam
}

func (f Figure) same(o Figure) bool {
	return f.Topic == o.Topic && f.Series == o.Series && f.X == o.X && f.Unit == o.Unit
}

// A Bench is what a file holds.
type Bench struct {
	Name    string
	Machine []string // lines without #: machine, compilers, and a command for each run
	Figures []Figure
}

// New begins a bench, on this machine and by this command. With keep it begins with what the
// bench's file in dir holds, which has to be of the same machine and compilers.
func New(name, loam, dir string, keep bool) (*Bench, error) {
	b := &Bench{Name: name, Machine: machine(loam)}
	if !keep {
		return b, nil
	}
	old, err := Read(filepath.Join(dir, name+".tsv"))
	if os.IsNotExist(err) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	return b, b.Keep(old)
}

// Keep takes over the figures of an earlier run, and its commands.
func (b *Bench) Keep(old Bench) error {
	now := b.Machine
	b.Machine = old.Machine
	for _, line := range now {
		if slices.Contains(old.Machine, line) {
			continue
		}
		if !strings.HasPrefix(line, "command: ") {
			return fmt.Errorf("%s has figures of another machine or compiler, not of %q: measure all again", b.Name+".tsv", line)
		}
		b.Machine = append(b.Machine, line)
	}
	b.Figures = old.Figures
	return nil
}

// Add adds a figure, in place of that with the same name.
func (b *Bench) Add(f Figure) {
	if i := slices.IndexFunc(b.Figures, f.same); i >= 0 {
		b.Figures[i] = f
		return
	}
	b.Figures = append(b.Figures, f)
}

// Write writes the bench's file in dir.
func (b *Bench) Write(dir string) error {
	file := filepath.Join(dir, b.Name+".tsv")
	var text bytes.Buffer
	for _, line := range b.Machine {
		fmt.Fprintf(&text, "# %s\n", line)
	}
	for _, f := range b.Figures {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%g\t%g\t%s\t%g\t%g\t%g\t%g\t%d\n", f.Topic, f.Series, f.X, f.GC.Median, f.Loam.Median,
			f.Unit, f.GC.Low, f.GC.High, f.Loam.Low, f.Loam.High, f.Rounds)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(file+".tmp", text.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}

// Read reads a file that Write wrote.
func Read(file string) (b Bench, err error) {
	b.Name = strings.TrimSuffix(filepath.Base(file), ".tsv")
	data, err := os.ReadFile(file)
	if err != nil {
		return b, err
	}
	for n, s := 1, bufio.NewScanner(bytes.NewReader(data)); s.Scan(); n++ {
		if line, ok := strings.CutPrefix(s.Text(), "# "); ok {
			b.Machine = append(b.Machine, line)
			continue
		}
		f, err := parse(strings.Split(s.Text(), "\t"))
		if err != nil {
			return b, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		b.Figures = append(b.Figures, f)
	}
	return b, nil
}

func parse(field []string) (f Figure, err error) {
	if len(field) != 11 {
		return f, fmt.Errorf("%d fields, not 11", len(field))
	}
	f.Topic, f.Series, f.X, f.Unit = field[0], field[1], field[2], field[5]
	for i, at := range []*float64{&f.GC.Median, &f.Loam.Median, nil, &f.GC.Low, &f.GC.High, &f.Loam.Low, &f.Loam.High} {
		if at == nil {
			continue
		}
		if *at, err = strconv.ParseFloat(field[3+i], 64); err != nil {
			return f, err
		}
	}
	f.Rounds, err = strconv.Atoi(field[10])
	return f, err
}

// machine says what the figures are measured on, and by which command. It warns of other work.
func machine(loam string) []string {
	model := "an unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				model = strings.TrimSpace(strings.TrimLeft(name, " \t:"))
				break
			}
		}
	}
	kernel := "Linux"
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		kernel += " " + strings.TrimSpace(string(release))
	}
	sdk := "an unknown Go"
	if out, err := exec.Command("go", "env", "GOVERSION").Output(); err == nil {
		sdk = strings.TrimSpace(string(out))
	}
	compiler := "Loam"
	if out, err := exec.Command(loam, "version").Output(); err == nil {
		compiler, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	}
	if now, err := os.ReadFile("/proc/loadavg"); err == nil {
		if load, err := strconv.ParseFloat(strings.Fields(string(now))[0], 64); err == nil && load > 0.5 {
			fmt.Fprintf(os.Stderr, "%s: the machine does other things, its load is %.1f\n", filepath.Base(os.Args[0]), load)
		}
	}
	return []string{
		fmt.Sprintf("machine: %s, %d CPUs, %s", model, runtime.NumCPU(), kernel),
		fmt.Sprintf("compilers: gc of %s; %s", sdk, compiler),
		"command: " + command(),
	}
}

// command is what the program was called with, as go run has it.
func command() string {
	words := []string{"go", "run", os.Args[0]}
	if info, ok := debug.ReadBuildInfo(); ok {
		words[2] = strings.Replace(info.Path, info.Main.Path, ".", 1)
	}
	for _, w := range os.Args[1:] {
		if strings.ContainsAny(w, " |'*$") {
			w = "'" + w + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}
