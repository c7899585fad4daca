// Package suite has what the conformance runners share: the command under test, a pool of
// workers, samples that are the same in each run, and the words of a summary.
//
// A runner holds what fails against a list, exactly in both directions: what fails and is not
// listed is a failure, and so is what is listed and passes.
package suite

import (
	"fmt"
	"go/version"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Command returns the absolute path of the loam command, which has to exist.
func Command(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%v (make build)", err)
	}
	return path, nil
}

// Release is the release of Go whose SDK the go command takes, such as "go1.27".
func Release() (string, error) {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOVERSION: %v", err)
	}
	return version.Lang(strings.TrimSpace(string(out))), nil
}

// Fields splits a line of a list of failures, nil if it is empty, a comment, or about another
// release of Go: a line may begin with the only release that it is about.
func Fields(line, release string) []string {
	f := strings.Fields(line)
	if len(f) == 0 || f[0][0] == '#' {
		return nil
	}
	if lang := version.Lang(f[0]); lang != "" {
		if lang != release {
			return nil
		}
		f = f[1:]
	}
	return f
}

// Sample returns n of the items, always the same ones, in the order of their names; all of them
// if n is 0.
func Sample[T any](items []T, n int, name func(T) string) []T {
	if n <= 0 || n >= len(items) {
		return items
	}
	items = slices.Clone(items)
	sort.Slice(items, func(i, j int) bool { return rank(name(items[i])) < rank(name(items[j])) })
	items = items[:n]
	sort.Slice(items, func(i, j int) bool { return name(items[i]) < name(items[j]) })
	return items
}

// rank orders names in a way that has nothing to do with their alphabet. FNV's high bits mix
// poorly for short strings; they are folded.
func rank(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	x := h.Sum64()
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9
}

// Each calls do for each item, in as many goroutines as there are workers.
func Each[T any](items []T, workers int, do func(T)) {
	queue := make(chan T)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for item := range queue {
				do(item)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	running.Wait()
}

// Percent is 100 for a part of nothing.
func Percent(part, all int) float64 {
	if all == 0 {
		return 100
	}
	return 100 * float64(part) / float64(all)
}

// Counts spells how many there are of each class: "2 bug, 1 todo".
func Counts(classes map[string]int) string {
	var seen []string
	for class, n := range classes {
		seen = append(seen, fmt.Sprintf("%d %s", n, class))
	}
	sort.Strings(seen)
	return strings.Join(seen, ", ")
}

// Exit ends the command of a suite: with 1 if something is not as it should be, and with 2 and a
// message if that could not be found out.
func Exit(name string, ok bool, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}
