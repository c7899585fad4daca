package traceview

import (
	"fmt"
	"strconv"
	"strings"

	"loam/internal/exectrace"
)

// sum adds up the collections of a selection like "0-12,15".
func sum(q question) (any, error) {
	selected, err := parseSelection(q.FormValue("sel"), len(q.trace.Collections))
	if err != nil {
		return nil, err
	}
	return q.trace.Sum(selected), nil
}

// parseSelection reads "0-12,15"; indices must be below n.
func parseSelection(text string, n int) ([]int, error) {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.Atoi(low)
		last, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || first < 0 || first > last || last >= n {
			return nil, fmt.Errorf("selection %q: there are %d collections", part, n)
		}
		for i := first; i <= last; i++ {
			list = append(list, i)
		}
	}
	return list, nil
}

func groups(q question) (any, error) {
	return q.trace.Groups(q.by, q.from, q.to), nil
}

// maxMembers is how many goroutines of a group a page lists.
const maxMembers = 500

func members(q question) (any, error) {
	return q.trace.Members(q.by, q.FormValue("key"), q.from, q.to, maxMembers), nil
}

func latency(q question) (any, error) {
	return q.trace.Latency(q.by, q.FormValue("key"), q.from, q.to), nil
}

var weighs = map[string]exectrace.Weigh{
	"cpu":      exectrace.BySamples,
	"waiting":  exectrace.ByWaiting,
	"syscall":  exectrace.BySyscall,
	"runnable": exectrace.ByRunnable,
}

func flame(q question) (any, error) {
	weigh, ok := weighs[q.FormValue("weigh")]
	if !ok {
		return nil, fmt.Errorf("weigh=%s: cpu, waiting, syscall or runnable", q.FormValue("weigh"))
	}
	g := exectrace.None
	if v := q.FormValue("g"); v != "" {
		var err error
		if g, err = index(v, len(q.trace.Goroutines)); err != nil {
			return nil, err
		}
	}
	return q.trace.Flame(weigh, g, q.from, q.to), nil
}

func stack(q question) (any, error) {
	i, err := index(q.FormValue("i"), len(q.trace.Stacks))
	if err != nil {
		return nil, err
	}
	return q.trace.Stacks[i], nil
}

func index(text string, n int) (int, error) {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= n {
		return 0, fmt.Errorf("index %q: there are %d", text, n)
	}
	return i, nil
}
