package pprof

func init() {
	const name = "usage"
	profileDescriptions[name] = "What goroutines used: time on a processor, in system calls and runnable, and memory, by function, go statement and labels. " +
		"The first GET request starts the counting, which ends a minute after the last one. You can specify a duration in the seconds GET parameter."
	profileSupportsDelta[name] = true
}
