package pprof

func init() {
	const name = "stackgrowth"
	profileDescriptions[name] = "Stack traces of calls that went on on a further stack segment. The first GET request starts the counting. " +
		"You can specify a duration in the seconds GET parameter."
	profileSupportsDelta[name] = true
}
