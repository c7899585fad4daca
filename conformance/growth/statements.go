package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// counted are the packages whose statements count: Loam's own, and those that read and check a
// program's text.
const counted = "loam/...,go/..."

// buildCounted builds a command loam that counts the statements it runs.
func (r *runner) buildCounted() error {
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-trimpath",
		"-o", r.counting(), "./cmd/loam")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%.2000s", err, out)
	}
	return nil
}

// counting is the command loam that counts.
func (r *runner) counting() string { return filepath.Join(r.dir, "loam") }

// statements returns how many statements a build of the shape runs.
func (r *runner) statements() (int64, error) {
	root, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	counts := filepath.Join(r.dir, "counts")
	if err := os.RemoveAll(counts); err != nil {
		return 0, err
	}
	if err := os.Mkdir(counts, 0o777); err != nil {
		return 0, err
	}
	_, err = r.build(r.counting(), "LOAMROOT="+root, "GOCOVERDIR="+counts, "LOAM_CLANG="+filepath.Join(r.dir, "clang"))
	if err != nil {
		return 0, err
	}
	text := filepath.Join(r.dir, "counts.txt")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o", text).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%v\n%.2000s", err, out)
	}
	f, err := os.Open(text)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r.last, err = read(f)
	var all int64
	for _, n := range r.last {
		all += n
	}
	return all, err
}

// work is how many statements ran, by block: a place as a profile of coverage names it.
type work map[string]int64

// read reads a profile of coverage: of each block, its statements times how often it was run.
func read(profile io.Reader) (work, error) {
	ran := work{}
	lines := bufio.NewScanner(profile)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("a profile of coverage has the line %q", line)
		}
		statements, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, err
		}
		times, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, err
		}
		if statements*times > 0 {
			ran[fields[0]] += statements * times
		}
	}
	if len(ran) == 0 {
		return nil, errors.New("a build ran no statements")
	}
	return ran, lines.Err()
}

// where prints the blocks that run most often beyond what the shape's size explains: more than
// twice as often at twice the size.
func where(one, two work) {
	extra := func(block string) int64 { return two[block] - 2*one[block] }
	blocks := slices.SortedFunc(maps.Keys(two), func(a, b string) int {
		return cmp.Or(cmp.Compare(extra(b), extra(a)), cmp.Compare(a, b))
	})
	for _, block := range blocks[:min(len(blocks), 12)] {
		fmt.Printf("\t%12d %12d %s\n", one[block], two[block], block)
	}
}
