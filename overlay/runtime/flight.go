package runtime

import (
	"internal/bytealg"
	"internal/runtime/exithook"
	"loam/rt/sched"
	"loam/rt/sys"
)

// LOAMFLIGHT makes a program keep the last seconds of a trace of itself in memory, and write them
// to a file when something happens that a rule names: a goroutine that can run waits too long for a
// P, the world is stopped for too long, or a hundredth of the regions of a name (runtime/trace)
// take too long. It is a list of name=value:
//
//	file=NAME             written are NAME.1, NAME.2 and so on
//	runnable=TIME         rules; a TIME is a number and ns, us, ms, s or m
//	pause=TIME
//	region=NAME:TIME
//	window=TIME           how much of the past is kept, by default 5s
//	apart=TIME            how long after a file none is written, by default 10s
//	most=N                files that are written at all, by default 10
//
// Like LOAMTRACE it takes the place of the program's own traces, and is not passed on.

const (
	flightEnv   = "LOAMFLIGHT"
	flightNames = "apart, file, most, pause, region, runnable, window"
)

// flight is the recorder.
var flight flightRecorder

// A flightRecorder's settings do not change once it runs.
type flightRecorder struct {
	file                           string
	window, apart, runnable, pause int64
	most                           int64
	regions                        []regionRule

	kept mutex // guards these
	head []byte
	old  []flightGeneration // complete, the oldest first
	now  flightGeneration

	judged     mutex // guards these
	regionsAt  int64 // when regions were last judged
	written    int64 // files
	writtenAt  int64 // when the last one was
	lastFailed bool  // it could not be written: said once
}

// startFlight starts the recorder if there is to be one. It runs on the first goroutine, before the
// initialisers.
func startFlight() {
	settings := gogetenv(flightEnv)
	if settings == "" || sys.Simulated {
		return
	}
	f := &flight
	f.window, f.apart, f.most = 5e9, 10e9, 10
	for rest := settings; rest != ""; {
		setting := rest
		if i := bytealg.IndexByteString(rest, ','); i >= 0 {
			setting, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		if setting != "" {
			setFlight(setting)
		}
	}
	switch {
	case f.file == "":
		refuseFlight("no file=NAME")
	case f.runnable == 0 && f.pause == 0 && f.regions == nil:
		refuseFlight("no rule: runnable=TIME, pause=TIME or region=NAME:TIME")
	}
	traceTaken = true
	if err := StartTrace(); err != nil {
		refuseFlight("with " + traceFileEnv + " all is written anyway")
	}
	if f.runnable != 0 {
		keepUsage()
		sched.LongWaits(f.runnable)
	}
	sched.LongPauses(f.pause)
	f.now.began = nanotime()
	sched.NewSystem(keepFlight)
	sched.NewSystem(watchFlight)
	exithook.Add(exithook.Hook{RunOnFailure: true, F: func() { f.judge(true) }})
}

func setFlight(setting string) {
	f := &flight
	eq := bytealg.IndexByteString(setting, '=')
	if eq < 0 {
		refuseFlight("no setting " + setting + "; it is a list of name=value with the names " + flightNames)
	}
	name, value := setting[:eq], setting[eq+1:]
	duration := func(s string) int64 {
		ns, ok := parseDuration(s)
		if !ok {
			refuseFlight(setting + ": a time is a number and ns, us, ms, s or m")
		}
		return ns
	}
	switch name {
	case "file":
		f.file = value
	case "runnable":
		f.runnable = duration(value)
	case "pause":
		f.pause = duration(value)
	case "window":
		f.window = duration(value)
	case "apart":
		f.apart = duration(value)
	case "most":
		n, ok := sys.ParseUint(value)
		if !ok || n == 0 || n > 1e6 {
			refuseFlight(setting + ": most has to be a number from 1 on")
		}
		f.most = int64(n)
	case "region":
		colon := len(value) - 1
		for colon >= 0 && value[colon] != ':' {
			colon--
		}
		if colon <= 0 {
			refuseFlight(setting + ": a region is NAME:TIME")
		}
		f.regions = append(f.regions, regionRule{name: value[:colon], limit: duration(value[colon+1:]), begun: make(map[uint64][]int64)})
	default:
		refuseFlight("no setting " + setting + "; it is a list of name=value with the names " + flightNames)
	}
}

func refuseFlight(why string) {
	sys.PrintString(flightEnv + ": " + why + "\n")
	sys.Exit(2)
}

// parseDuration reads a whole number of a unit, above 0 and below a day.
func parseDuration(s string) (ns int64, ok bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	unit := int64(0)
	switch s[end:] {
	case "ns":
		unit = 1
	case "us", "µs":
		unit = 1e3
	case "ms":
		unit = 1e6
	case "s":
		unit = 1e9
	case "m":
		unit = 60e9
	}
	n, ok := sys.ParseUint(s[:end])
	const day = 24 * 3600 * 1e9
	if !ok || unit == 0 || n == 0 || n > uint64(day/unit) {
		return 0, false
	}
	return int64(n) * unit, true
}
