package sim

// Strategy is a way to choose schedules.
type Strategy uint8

const (
	// Mixed takes one of the next three, by the seed.
	Mixed Strategy = iota
	// Uniform lets any goroutine go on, and takes goroutines off at random.
	Uniform
	// Priorities runs the goroutine with the highest priority, and lowers a priority at few random
	// points (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with
	// probabilistic guarantees of finding bugs", 2010).
	Priorities
	// Starve lets one goroutine wait for a while whatever the others do, and then another.
	Starve
	// Listed makes the decisions of a list and the defaults otherwise: Replay.
	Listed
)

// names are what LOAMSIM calls the strategies.
var names = [...]string{Mixed: "mixed", Uniform: "uniform", Priorities: "pct", Starve: "starve", Listed: "list"}

func (s Strategy) String() string { return names[s] }

// Settings is what LOAMSIM asks for: a list of name=value, separated by commas.
type Settings struct {
	Seed     uint64
	Strategy Strategy
	Changes  uint64 // changes of priority in a run, for Priorities
	Procs    uint64 // what NumCPU and GOMAXPROCS say
	Start    int64  // the wall clock at the start, in seconds since 1970
	Steps    uint64 // decisions after which a run is taken for one that gets nowhere
	Stall    uint64 // nanoseconds that the machine stands still at most
	Report   int64  // descriptor that gets the report at the end; -1: none
	Log      string // file that gets the deviations; "": none
	Trace    string // file that gets a line for all that happens
	Timeline string // file that gets who had the turn when, for loam trace
	Cover    string // file of a Coverage that runs share
	List     string // file that Listed reads
	Explain  bool   // print the stacks of both goroutines at each deviation
	Leaks    bool   // goroutines that nobody can wake are a failure at the end
	Choices  bool   // write, beside the deviations of a list, what else could have been done
	Serve    bool   // be the server of fork: see rt/sched
	Alone    bool   // the run has a process of its own: see rt/sched
	AtTest   bool   // the run begins with the first test, not with main.main
	Disk     string // file that has the disk, which survives the process; "": memory has it
	Crashed  bool   // the machine has lost its power since the disk was used last
	World    string // file of the memory that machines share (rt/cluster); "": there is one machine
	Machine  uint64 // number of this process among theirs
	Child    bool   // another process of the machine has started this one

	Faults
}

// firstDay is the midnight with which 1 January 2026 begins.
const firstDay = 1767225600

// defaults of Settings.
func defaults() Settings {
	return Settings{Procs: 4, Changes: 3, Start: firstDay, Steps: 20_000_000, Stall: longStall, Report: -1}
}

// Parse reads the value of LOAMSIM. bad is the part that is wrong, "" if none is.
func Parse(text string) (s Settings, bad string) {
	s = defaults()
	for len(text) > 0 {
		end := 0
		for end < len(text) && text[end] != ',' {
			end++
		}
		part := text[:end]
		text = text[min(end+1, len(text)):]
		if part != "" && !s.set(part) {
			return s, part
		}
	}
	if s.List != "" {
		s.Strategy = Listed
	} else if s.Strategy == Listed {
		return s, "strategy=list"
	}
	return s, ""
}

// set takes one name=value over.
func (s *Settings) set(part string) bool {
	eq := 0
	for eq < len(part) && part[eq] != '=' {
		eq++
	}
	if eq == len(part) {
		return false
	}
	name, value := part[:eq], part[eq+1:]
	number, isNumber := parseNumber(value)
	switch name {
	case "strategy":
		for i, n := range names {
			if n == value {
				s.Strategy = Strategy(i)
				return true
			}
		}
		return false
	case "log":
		s.Log = value
		return value != ""
	case "trace":
		s.Trace = value
		return value != ""
	case "timeline":
		s.Timeline = value
		return value != ""
	case "list":
		s.List = value
		return value != ""
	case "cover":
		s.Cover = value
		return value != ""
	case "begin":
		s.AtTest = value == "test"
		return s.AtTest || value == "main"
	case "disk":
		s.Disk = value
		return value != ""
	case "env":
		return true // rt/sys has read it
	case "world":
		s.World = value
		return value != ""
	}
	if known, ok := s.Faults.set(name, value); known {
		return ok
	}
	if !isNumber {
		return false
	}
	switch name {
	case "seed":
		s.Seed = number
	case "changes":
		s.Changes = min(number, maxChanges)
	case "procs":
		s.Procs = number
		return number > 0 && number <= 1024
	case "time":
		s.Start = int64(number)
		return number < 1<<33
	case "steps":
		s.Steps = number
		return number > 0
	case "stall":
		s.Stall = number
	case "report":
		s.Report = int64(number)
		return number < 1<<20
	case "explain":
		s.Explain = number != 0
	case "leaks":
		s.Leaks = number != 0
	case "choices":
		s.Choices = number != 0
	case "crashed":
		s.Crashed = number != 0
	case "machine":
		s.Machine = number
	case "child":
		s.Child = number != 0
	case "alone":
		s.Alone = number != 0
	case "serve":
		s.Serve = number != 0
	default:
		return false
	}
	return true
}

// SettingNames are the names of all settings, for messages.
const SettingNames = "alone, begin, changes, child, choices, cover, crashed, disk, env, explain, leaks, list, log, machine, procs, report, " +
	"seed, serve, stall, steps, strategy, time, timeline, trace, world, " + FaultNames

// Wants says what the value of a setting has to be, "" if there is no setting of that name.
func Wants(name string) string {
	switch name {
	case "seed":
		return "a number from 0 to 18446744073709551615, in decimal or with 0x in front"
	case "strategy":
		return "mixed, uniform, pct or starve (list goes with list=FILE)"
	case "begin":
		return "main or test"
	case "log", "trace", "timeline", "list", "cover", "disk", "world":
		return "the name of a file"
	case "names":
		return "name:address;name:address"
	case "procs":
		return "a number from 1 to 1024"
	case "steps":
		return "a number of decisions, at least 1"
	case "time":
		return "seconds since 1970"
	case "stall", "disktime", "latency", "partitions", "sigterm":
		return "a number of nanoseconds"
	case "explain", "leaks", "choices", "crashed", "child", "alone", "serve":
		return "0 or 1"
	case "report":
		return "the number of a file descriptor"
	case "changes", "machine", "diskerrors", "shortwrites", "diskroom", "bandwidth", "resets", "pieces", "loss", "duplicates", "reorder":
		return "a number"
	}
	return ""
}

// parseNumber reads an unsigned number in decimal, or in hexadecimal with 0x in front.
func parseNumber(s string) (n uint64, ok bool) {
	base := uint64(10)
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		base, s = 16, s[2:]
	}
	for i := 0; i < len(s); i++ {
		d := digit(s[i])
		if d >= base || n > (1<<64-1-d)/base {
			return 0, false
		}
		n = n*base + d
	}
	return n, s != ""
}

// digit is the value of a hexadecimal digit, or more than any.
func digit(c byte) uint64 {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0')
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 99
}
