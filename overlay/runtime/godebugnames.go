package runtime

import (
	"internal/godebugs"
	"loam/rt/sys"
)

// Which names GODEBUG may have. A user who mistypes one is told at the start: a setting that does
// nothing looks like one that shows nothing.

const (
	// settingsHere are those that Loam's run-time system acts on, besides cpu.*, which package
	// internal/cpu checks.
	settingsHere = "checkfinalizers gctrace inittrace memprofilerate panicnil scheddetail schedtrace tracebackancestors tracebacklabels"
	// settingsOfGC are those that only gc's run-time system has a use for; the same environment may
	// be meant for both.
	settingsOfGC = "adaptivestackstart asyncpreemptoff cgocheck clobberfree disablethp dontfreezetheworld efence " +
		"gccheckmark gcpacertrace gcshrinkstackoff gcstoptheworld harddecommit invalidptr madvdontneed profstackdepth sbrk scavtrace " +
		"traceadvanceperiod traceallocfree tracecheckstackownership tracefpunwindoff"
	// settingsUnlisted are those of the standard library and the go command that are missing in
	// internal/godebugs.
	settingsUnlisted = "cmdgonetlimit execwait fuzzdebug gofsystrace gofsystracelog gofsystracestack goindex gotoolchainexec multipartfiles toolchaintrace"
)

// startSettings applies the settings of GODEBUG that count at the start only, and warns of names
// that nobody knows. A program that is asked for behaviour that its release of Go has not any more
// does not start.
func startSettings(env string) {
	for env != "" {
		var field string
		field, env = sys.Cut(env, ',')
		key, value := sys.Cut(field, '=')
		if since := removedSince(key, value); since != 0 {
			fatal(`removed GODEBUG "` + key + `" set to old value "` + value + `" in environment (https://go.dev/doc/godebug#go-1` + itoa(int64(since)) + `)`)
		}
		if n, ok := parseInt(value); ok {
			switch key {
			case "memprofilerate":
				MemProfileRate = n
			case "tracebackancestors":
				tracebackAncestors = n
			}
		}
		if key == "" || hasPrefix(key, "cpu.") || isListed(settingsHere, key) || isListed(settingsOfGC, key) || isListed(settingsUnlisted, key) || isGodebug(key) {
			continue
		}
		sys.BeginLine()
		sys.PrintString("GODEBUG: no setting " + key + "; the run-time system knows " + settingsHere + "; the standard library")
		for i := range godebugs.All {
			sys.PrintString(" ")
			sys.PrintString(godebugs.All[i].Name)
		}
		sys.EndLine()
	}
}

func isGodebug(name string) bool {
	if godebugs.Lookup(name) != nil {
		return true
	}
	for i := range godebugs.Removed {
		if godebugs.Removed[i].Name == name {
			return true
		}
	}
	return false
}

// isListed says whether name is one of the words of list.
func isListed(list, name string) bool {
	for list != "" {
		var word string
		if word, list = sys.Cut(list, ' '); word == name {
			return true
		}
	}
	return false
}
