package traceview

import (
	"bytes"
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
	"network":  exectrace.ByNetwork,
	"sync":     exectrace.BySync,
	"syscall":  exectrace.BySyscall,
	"runnable": exectrace.ByRunnable,
}

// part reads what a flame graph or a profile is of.
func (q question) part() (exectrace.Weigh, exectrace.Part, error) {
	p := exectrace.Part{From: q.from, To: q.to, By: q.by, Key: q.FormValue("key"), Region: q.FormValue("region")}
	weigh, ok := weighs[q.FormValue("weigh")]
	if !ok {
		return 0, p, fmt.Errorf("weigh=%s: cpu, waiting, network, sync, syscall or runnable", q.FormValue("weigh"))
	}
	return weigh, p, nil
}

func flame(q question) (any, error) {
	weigh, p, err := q.part()
	if err != nil {
		return nil, err
	}
	return q.trace.Flame(weigh, p), nil
}

// profile answers with a profile.
func profile(q question) (any, error) {
	weigh, p, err := q.part()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if err := q.trace.WriteProfile(&data, weigh, p); err != nil {
		return nil, err
	}
	return download{"loam-trace-" + q.FormValue("weigh") + ".pb.gz", data.Bytes()}, nil
}

func taskKinds(q question) (any, error)   { return q.trace.TaskKinds(q.from, q.to), nil }
func regionKinds(q question) (any, error) { return q.trace.RegionKinds(q.from, q.to), nil }

func tasks(q question) (any, error) {
	return q.trace.TasksOf(q.FormValue("task"), q.from, q.to, maxMembers), nil
}

func regions(q question) (any, error) {
	return q.trace.RegionsOf(q.FormValue("region"), q.from, q.to, maxMembers), nil
}

func taskStory(q question) (any, error) {
	i, err := index(q.FormValue("i"), len(q.trace.Tasks))
	if err != nil {
		return nil, err
	}
	return q.trace.TaskStory(i, maxMoments), nil
}

func messages(q question) (any, error) { return q.trace.Messages(q.from, q.to, maxMoments), nil }

// maxMoments is how many messages, or things that happened in a task, a page lists.
const maxMoments = 2000

var works = map[string]exectrace.Work{
	"stops": exectrace.Stops, "background": exectrace.Background, "assists": exectrace.Assists, "sweeps": exectrace.Sweeps,
}

func utilization(q question) (any, error) {
	var work exectrace.Work
	for name := range strings.SplitSeq(q.FormValue("work"), ",") {
		w, ok := works[name]
		if !ok && name != "" {
			return nil, fmt.Errorf("work=%s: stops, background, assists, sweeps", name)
		}
		work |= w
	}
	return q.trace.Utilization(work, q.from, q.to), nil
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
