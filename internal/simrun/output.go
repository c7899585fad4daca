package simrun

import (
	"regexp"
	"strings"
)

// What runs print: what the program says, and between that, if the run is explained (Explain), what
// the schedule does at which step.

var (
	stepBegins = regexp.MustCompile(`^(?:\S+\| )?simulation: (step \d+|the run begins \d+ ns before midnight)`)
	stepEnds   = regexp.MustCompile(`^(?:\S+\| )?simulation: the run goes on$`)
	emptyLine  = regexp.MustCompile(`^(?:\S+\| ?)?$`)
)

// Apart tells what a program has said from the explanations in a run's output. An explanation is
// its lines.
func Apart(output string) (said []string, steps [][]string) {
	var step []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		switch {
		case stepBegins.MatchString(line):
			if step != nil {
				steps = append(steps, step)
			}
			step = []string{line}
			// An explanation begins with an empty line.
			if n := len(said); n > 0 && emptyLine.MatchString(said[n-1]) {
				said = said[:n-1]
			}
		case step == nil:
			said = append(said, line)
		case stepEnds.MatchString(line):
			steps, step = append(steps, step), nil
		default:
			step = append(step, line)
		}
	}
	if step != nil {
		steps = append(steps, step)
	}
	return said, steps
}
