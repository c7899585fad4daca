package runtime

import (
	"loam/rt/sched"
	"unsafe"
)

// The run-time system's own figures have no event in the format of traces. They are in Loam's as
// messages of the program's log, in two categories that internal/exectrace reads and other tools
// show as such:
//
//	loam/metric       NAME VALUE      a metric under /loam/ at this moment
//	loam/stackgrowth  COUNT FUNCTION  how often calls of the function needed a further stack segment,
//	                                  while that is counted
//
// They are written when a trace begins and before each of its generations ends.

const (
	metricCategory = "loam/metric"
	growthCategory = "loam/stackgrowth"
)

func traceFigures() {
	for _, m := range loamMetrics() {
		sched.TraceLog(0, metricCategory, m)
	}
	counts := make(map[string]int64)
	for _, r := range pprof_hopRecords() {
		if len(r.Stack) > 0 {
			counts[frameAt(r.Stack[0]).Function] += r.Count
		}
	}
	for name, n := range counts {
		sched.TraceLog(0, growthCategory, itoa(n)+" "+name)
	}
}

// loamMetrics returns the metrics under /loam/ as messages.
func loamMetrics() (list []string) {
	var samples []metricSample
	for _, m := range theMetrics().all {
		if hasPrefix(m.name, "/loam/") {
			samples = append(samples, metricSample{name: m.name})
		}
	}
	if len(samples) == 0 {
		return nil
	}
	readMetrics(unsafe.Pointer(&samples[0]), len(samples), cap(samples))
	for i := range samples {
		switch s := &samples[i]; s.value.kind {
		case metricUint64:
			list = append(list, s.name+" "+itoa(int64(s.value.scalar)))
		case metricFloat64:
			list = append(list, s.name+" "+fixedPoint(*(*float64)(unsafe.Pointer(&s.value.scalar))))
		}
	}
	return list
}

// fixedPoint formats a number with six decimals.
func fixedPoint(f float64) string {
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	whole := int64(f)
	rest := itoa(1e6 + int64((f-float64(whole))*1e6))
	return sign + itoa(whole) + "." + rest[1:]
}
