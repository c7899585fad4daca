package runtime

import (
	"loam/rt/sched"
	"loam/rt/sys"
)

// startSettings applies the settings of GODEBUG that count at the start only. A name that it does
// not know may be a setting of the standard library or of a package that reads GODEBUG itself. A
// program that is asked for behaviour that its release of Go has not any more does not start.
func startSettings(env string) {
	for env != "" {
		var field string
		field, env = sys.Cut(env, ',')
		key, value := sys.Cut(field, '=')
		if since := removedSince(key, value); since != 0 {
			fatal(`removed GODEBUG "` + key + `" set to old value "` + value +
				`" in environment (https://go.dev/doc/godebug#go-1` + itoa(int64(since)) + `)`)
		}
		if n, ok := parseInt(value); ok {
			switch key {
			case "memprofilerate":
				MemProfileRate = n
			case "tracebackancestors":
				tracebackAncestors = n
			case "asyncpreemptoff":
				sched.OnlyAtEntries = n != 0
			}
		}
	}
}
