package pprof

import (
	"bufio"
	"fmt"
	"internal/profilerecord"
	"io"
	"slices"
	"text/tabwriter"
	_ "unsafe" // for linkname
)

// The profile "stackgrowth": where goroutines went on on a further stack segment.

//go:linkname hopRecords runtime.pprof_hopRecords
func hopRecords() []profilerecord.BlockProfileRecord

//go:linkname profileHops runtime.pprof_profileHops
func profileHops() (before bool)

func init() {
	lockProfiles()
	profiles.m["stackgrowth"] = &Profile{
		name:  "stackgrowth",
		count: func() int { return len(hopRecords()) },
		write: writeStackGrowth,
	}
	unlockProfiles()
}

// writeStackGrowth writes the hops counted so far. If none were counted yet because nobody had
// asked, counting begins with this call.
func writeStackGrowth(w io.Writer, debug int) error {
	on := profileHops()
	p := hopRecords()
	slices.SortStableFunc(p, func(a, b profilerecord.BlockProfileRecord) int { return int(b.Count - a.Count) })
	if debug > 0 {
		return printHops(w, p, on)
	}
	b := newProfileBuilder(w)
	b.pbValueType(tagProfile_PeriodType, "hops", "count")
	b.pb.int64Opt(tagProfile_Period, 1)
	b.pbValueType(tagProfile_SampleType, "frames", "bytes")
	b.pbValueType(tagProfile_SampleType, "hops", "count")
	var locs []uint64
	for _, r := range p {
		locs = b.appendLocsForStack(locs[:0], r.Stack)
		b.pbSample([]int64{r.Cycles, r.Count}, locs, nil)
	}
	return b.build()
}

func printHops(w io.Writer, p []profilerecord.BlockProfileRecord, on bool) error {
	b := bufio.NewWriter(w)
	tw := tabwriter.NewWriter(b, 1, 8, 1, '\t', 0)
	fmt.Fprintf(tw, "stack growth profile: %d stacks with hops; hops, bytes of frames, @ stack\n", len(p))
	if !on {
		fmt.Fprintf(tw, "# counting begins now; with LOAMDEBUG=stackprofile=1 it begins with the program\n")
	}
	for _, r := range p {
		fmt.Fprintf(tw, "%d %d @", r.Count, r.Cycles)
		for _, pc := range r.Stack {
			fmt.Fprintf(tw, " %#x", pc)
		}
		fmt.Fprint(tw, "\n")
		printStackRecord(tw, r.Stack, true)
	}
	tw.Flush()
	return b.Flush()
}
