package pprof

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	_ "unsafe" // for linkname
)

// The profile "usage": what goroutines used.

// A goroutineUse is rt/usage's Use. Times are in nanoseconds.
type goroutineUse struct {
	run, wait, calls int64
	turns, bytes     uint64
}

// A usageRow is package runtime's type of that name.
type usageRow struct {
	id     uint64
	state  string
	use    goroutineUse
	stack  []uintptr
	labels []string
}

//go:linkname usage
func usage() (rows []usageRow, before bool)

func init() {
	lockProfiles()
	profiles.m["usage"] = &Profile{
		name:  "usage",
		count: func() int { rows, _ := usage(); return len(usageGroups(rows)) },
		write: writeUsage,
	}
	unlockProfiles()
}

// usageGroups adds rows up that have the same stack and labels, those that ran longest first.
func usageGroups(rows []usageRow) []usageRow {
	var groups []usageRow
	at := make(map[string]int)
	for _, r := range rows {
		key := fmt.Sprintf("%x %q", r.stack, r.labels)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, usageRow{stack: r.stack, labels: r.labels})
		}
		u := &groups[i].use
		u.run += r.use.run
		u.wait += r.use.wait
		u.calls += r.use.calls
		u.turns += r.use.turns
		u.bytes += r.use.bytes
	}
	sortUsage(groups)
	return groups
}

func sortUsage(rows []usageRow) {
	slices.SortStableFunc(rows, func(a, b usageRow) int {
		switch {
		case a.use.run != b.use.run:
			if a.use.run > b.use.run {
				return -1
			}
			return 1
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
}

// writeUsage writes what was used so far, by groups, or with debug by goroutines. If nothing was
// taken down yet because nobody had asked, that begins with this call.
func writeUsage(w io.Writer, debug int) error {
	rows, on := usage()
	if debug > 0 {
		return printUsage(w, rows, on)
	}
	b := newProfileBuilder(w)
	b.pbValueType(tagProfile_PeriodType, "run", "nanoseconds")
	b.pb.int64Opt(tagProfile_Period, 1)
	b.pbValueType(tagProfile_SampleType, "turns", "count")
	b.pbValueType(tagProfile_SampleType, "allocated", "bytes")
	b.pbValueType(tagProfile_SampleType, "calls", "nanoseconds")
	b.pbValueType(tagProfile_SampleType, "wait", "nanoseconds")
	b.pbValueType(tagProfile_SampleType, "run", "nanoseconds")
	var locs []uint64
	for _, r := range usageGroups(rows) {
		locs = b.appendLocsForStack(locs[:0], r.stack)
		u := r.use
		b.pbSample([]int64{int64(u.turns), int64(u.bytes), u.calls, u.wait, u.run}, locs, func() {
			for i := 0; i < len(r.labels); i += 2 {
				b.pbLabel(tagSample_Label, r.labels[i], r.labels[i+1], 0)
			}
		})
	}
	return b.build()
}

// printUsage writes a line for each goroutine, and for those of a group that ended: loam top reads
// them.
func printUsage(w io.Writer, rows []usageRow, on bool) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "usage profile: %d lines; run ns, wait ns, calls ns, turns, bytes, goroutine, state, function, go statement, labels\n", len(rows))
	if !on {
		fmt.Fprintf(b, "# it begins now; with LOAMDEBUG=usage=1 it begins with the program\n")
	}
	sortUsage(rows)
	for _, r := range rows {
		u := r.use
		fmt.Fprintf(b, "%d\t%d\t%d\t%d\t%d\t%d\t%s", u.run, u.wait, u.calls, u.turns, u.bytes, r.id, r.state)
		f, place := usagePlaces(r.stack)
		fmt.Fprintf(b, "\t%s\t%s\t", f, place)
		for i := 0; i < len(r.labels); i += 2 {
			if i > 0 {
				b.WriteString(" ")
			}
			fmt.Fprintf(b, "%q:%q", r.labels[i], r.labels[i+1])
		}
		b.WriteString("\n")
	}
	return b.Flush()
}

// usagePlaces names the function and where the go statement is.
func usagePlaces(stack []uintptr) (function, statement string) {
	function, statement = "-", "-"
	if len(stack) == 0 {
		return function, statement
	}
	frames := runtime.CallersFrames(stack)
	first, more := frames.Next()
	function = first.Function
	if more {
		f, _ := frames.Next()
		statement = fmt.Sprintf("%s:%d", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
	}
	return function, statement
}
