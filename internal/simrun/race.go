package simrun

import (
	"slices"
	"strings"
)

// raceKind is the kind of a run that ended at a data race, "" if it did not: a race is the same if
// its two accesses are in the same places, whichever came first.
func raceKind(output string) string {
	_, report, ok := strings.Cut(output, "WARNING: DATA RACE\n")
	if !ok {
		return ""
	}
	var places []string
	for report != "" && len(places) < 2 {
		var line string
		line, report, _ = strings.Cut(report, "\n")
		if !strings.Contains(line, " by goroutine ") {
			continue
		}
		// The function that makes the access, and where.
		_, report, _ = strings.Cut(report, "\n")
		line, report, _ = strings.Cut(report, "\n")
		if _, said, ok := strings.Cut(line, "| "); ok { // by a machine of a world
			line = said
		}
		place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		places = append(places, place)
	}
	slices.Sort(places)
	return "DATA RACE: " + strings.Join(places, " and ")
}
