package metrics

import "sort"

// Loam's own metrics; overlay/runtime/loammetrics.go computes them.
func init() {
	allDesc = append(allDesc, []Description{
		{"/loam/gc/assist:cpu-seconds", "CPU time that goroutines spent marking because they allocated faster than marking went on. The same as /cpu/classes/gc/mark/assist:cpu-seconds.", KindFloat64, true},
		{"/loam/gc/assists:assists", "Count of times that an allocation had to mark.", KindUint64, true},
		{"/loam/gc/limit/container:bytes", "Memory limit of the process's cgroup, or the least of those above it; 0 if there is none, or GOMEMLIMIT is set.", KindUint64, false},
		{"/loam/gc/limit/used:fractions", "Which part of the memory limit was in use at the end of the last collection; 0 without a limit. Above 0.9 collections follow each other fast, above 1 the limit cannot be kept.", KindFloat64, false},
		{"/loam/gc/pacer/error:fractions", "By which part of its goal the heap at the end of the last collection's marking missed the goal: above 0 if it had grown beyond, below 0 if the collection came early.", KindFloat64, false},
		{"/loam/gc/pacer/goal:bytes", "Heap size at which the next collection should end. The same as /gc/heap/goal:bytes.", KindUint64, false},
		{"/loam/gc/pacer/trigger:bytes", "Heap size at which the next collection starts.", KindUint64, false},
		{"/loam/gc/retries:stops", "Count of stops of the world at the end of marking that found more than fits into a pause, and let the program go on.", KindUint64, true},
		{"/loam/leaks/age:seconds", "How long the goroutine has waited that waits longest of those that the last search for leaks has found, from the first collection on that met it in its wait; 0 if none was found.", KindFloat64, false},
		{"/loam/leaks/found:goroutines", "Count of goroutines that the last search for leaks has found: by the profile goroutineleak, or LOAMDEBUG=leaks.", KindUint64, false},
		{"/loam/pool/evictions:values", "Count of values in sync.Pools that collections have dropped.", KindUint64, true},
		{"/loam/pool/hits:gets", "Count of sync.Pool.Get calls that found a value where the same P had put it.", KindUint64, true},
		{"/loam/pool/misses:gets", "Count of sync.Pool.Get calls that found no value, and called New if there was one.", KindUint64, true},
		{"/loam/pool/puts:values", "Count of values given to sync.Pools.", KindUint64, true},
		{"/loam/pool/steals:gets", "Count of sync.Pool.Get calls that took a value from where another P had put it.", KindUint64, true},
		{"/loam/pool/victims:gets", "Count of sync.Pool.Get calls that took a value put before the last collection.", KindUint64, true},
		{"/loam/sched/hand-offs:switches", "Count of switches to a goroutine that the goroutine before it on the P had made ready.", KindUint64, true},
		{"/loam/sched/idles:idles", "Count of times that a P had nothing to do and was given up; many more than goroutines that waited mean that threads look around in vain.", KindUint64, true},
		{"/loam/sched/preemptions:preemptions",
			"Count of times that a goroutine had to leave its P because its time slice was over or the world was to stop.", KindUint64, true},
		{"/loam/sched/quota/cut:periods", "Count of periods in which the CPU quota of the process's cgroup, or of one above it, was used up: its threads did not run until the next one.", KindUint64, true},
		{"/loam/sched/quota/total:periods", "Count of periods of that quota in which anything ran; 0 without a quota.", KindUint64, true},
		{"/loam/sched/quota/waits:seconds", "How long threads waited for the next period, by all quotas together. A program sees it as pauses that no clock of its own explains.", KindFloat64, true},
		{"/loam/sched/steals:steals", "Count of times that a P without work took goroutines from another one.", KindUint64, true},
		{"/loam/sched/switches:switches", "Count of times that a goroutine began to run on a P.", KindUint64, true},
		{"/loam/stack/hops:hops", "Count of calls that went on on a further stack segment of their goroutine.", KindUint64, true},
		{"/loam/stack/segments/allocs:segments",
			"Count of stack segments taken from those of all Ps; what a P keeps for itself it takes and gives back uncounted.", KindUint64, true},
		{"/loam/stack/segments/mapped:bytes", "Address space of all stack segments, used and free. Memory is committed as it is touched.", KindUint64, false},
		{"/loam/stack/segments/releases:segments", "Count of stack segments given back to those of all Ps.", KindUint64, true},
		{"/loam/stack/segments/trims:goroutines",
			"Count of times that a collection took segments from a waiting goroutine that it did not stand on.", KindUint64, true},
		{"/loam/stack/starting-sizes:bytes", "Distribution of the go statements that have run by the size of the stack that their next goroutine starts on, as the run-time system has learned it.", KindFloat64Histogram, false},
		{"/loam/usage/calls:seconds", "How long goroutines were in system calls behind which they found a P at once, while what goroutines use was taken down.", KindFloat64, true},
		{"/loam/usage/runs:seconds", "How long goroutines ran on Ps while that was taken down.", KindFloat64, true},
		{"/loam/usage/waits:seconds", "How long goroutines that could run waited for a P while that was taken down.", KindFloat64, true},
	}...)
	sort.Slice(allDesc, func(i, j int) bool { return allDesc[i].Name < allDesc[j].Name })
}
