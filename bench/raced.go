package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"loam/bench/twice"
)

// build builds the program with gc and with Loam, and a raced one with -race as well.
func (p plan) build(dir, loam, pkg string, flags []string) (built [][2]string, err error) {
	build := twice.Build
	if p.hasC {
		build = twice.BuildC
	}
	programs, err := build(dir, loam, pkg, flags...)
	if err != nil || !p.raced {
		return [][2]string{programs}, err
	}
	dir = filepath.Join(dir, "raced")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	raced, err := twice.BuildRaced(dir, loam, pkg, flags...)
	return [][2]string{programs, raced}, err
}

// all runs what build has built, and returns what gc's and Loam's print.
func (p plan) all(built [][2]string, args []string, round int) (outs [2][]byte, err error) {
	if outs, err = p.once(built[0], args, round); err != nil || !p.raced {
		return outs, err
	}
	raced, err := p.once(built[1], args, round)
	for i := range outs {
		if err == nil {
			outs[i], err = withRaces(outs[i], raced[i])
		}
	}
	return outs, err
}

// withRaces adds to the figures of a program that was built with -race how many times as much that
// is as without: both have printed lines "topic\tseries\tx\tvalue\tunit". The series of those is
// called "slowdown" for a time, "more memory" for memory.
func withRaces(plain, raced []byte) ([]byte, error) {
	values := map[string]float64{}
	for line := range strings.Lines(string(plain)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("no figure: %q", line)
		}
		v, err := strconv.ParseFloat(f[3], 64)
		if err != nil || v <= 0 {
			return nil, fmt.Errorf("no value: %q", line)
		}
		values[f[0]+"\t"+f[1]+"\t"+f[2]] = v
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(raced)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("no figure: %q", line)
		}
		v, err := strconv.ParseFloat(f[3], 64)
		before := values[f[0]+"\t"+f[1]+"\t"+f[2]]
		if err != nil || before == 0 {
			return nil, fmt.Errorf("no value, or none without -race: %q", line)
		}
		series := "slowdown"
		if f[4] == "MB" {
			series = "more memory"
		}
		fmt.Fprintf(&out, "%s\n%s\t%s\t%s\t%g\ttimes\n", strings.Join(f, "\t"), f[0], series, f[2], v/before)
	}
	return out.Bytes(), nil
}
