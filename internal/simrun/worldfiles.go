package simrun

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"loam/internal/simtrace"
)

// worldFiles are the files that a run of a world reads and writes: each process has its part of
// them. A line that is not the scenario's has the process in front: "n1.2 pick ...".
type worldFiles struct {
	settings []string // that are no files
	log      string
	trace    string
	timeline string
	list     string // "": none
	base     string
}

// begin takes the settings of a run over.
func (f *worldFiles) begin(w *world, more []string) error {
	*f = worldFiles{base: w.base()}
	for _, setting := range more {
		name, value, _ := strings.Cut(setting, "=")
		switch name {
		case "log":
			f.log = value
		case "trace":
			f.trace = value
		case "timeline":
			f.timeline = value
		case "list":
			text, err := os.ReadFile(value)
			if err != nil {
				return err
			}
			f.list = string(text)
			if f.list == "" {
				f.list = "\n"
			}
		default:
			f.settings = append(f.settings, setting)
		}
	}
	w.more = more
	return nil
}

func (f *worldFiles) part(what string, i int) string { return fmt.Sprintf("%s.%s%d", f.base, what, i) }

// of are the settings of process number i.
func (f *worldFiles) of(i int, name string) []string {
	settings := slices.Clone(f.settings)
	if f.log != "" {
		settings = append(settings, "log="+f.part("log", i))
	}
	if f.trace != "" {
		settings = append(settings, "trace="+f.part("trace", i))
	}
	if f.timeline != "" {
		settings = append(settings, "timeline="+f.part("timeline", i))
	}
	if f.list != "" {
		// Lines of others are empty, so that lines have the same numbers.
		var own strings.Builder
		for line := range strings.Lines(f.list) {
			if who, rest := owner(line); who == name {
				own.WriteString(rest)
			} else {
				own.WriteString("\n")
			}
		}
		os.WriteFile(f.part("list", i), []byte(own.String()), 0o666)
		settings = append(settings, "list="+f.part("list", i))
	}
	return settings
}

// owner splits a line of a schedule: whose it is, and the rest. Names of processes have a dot.
func owner(line string) (name, rest string) {
	if first, rest, ok := strings.Cut(line, " "); ok && strings.Contains(first, ".") {
		return first, rest
	}
	return "", line
}

// end puts the files of the processes together, and says which line of the list was not come to.
func (f *worldFiles) end(w *world) error {
	for what, to := range map[string]string{"log": f.log, "trace": f.trace} {
		if to == "" {
			continue
		}
		var all strings.Builder
		for i, p := range w.procs {
			text, err := os.ReadFile(f.part(what, i))
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			os.Remove(f.part(what, i))
			for line := range strings.Lines(string(text)) {
				if p.name != "" {
					all.WriteString(p.name + " ")
				}
				all.WriteString(line)
			}
		}
		if err := os.WriteFile(to, []byte(all.String()), 0o666); err != nil {
			return err
		}
	}
	if err := f.endTimeline(w); err != nil || f.list == "" {
		return err
	}
	known := map[string]bool{}
	for i, p := range w.procs {
		os.Remove(f.part("list", i))
		known[p.name] = true
		w.run.diverges(p.run.Diverged)
	}
	n := 0
	for line := range strings.Lines(f.list) {
		n++
		if name, _ := owner(line); !known[name] {
			w.run.diverges(n)
		}
	}
	return nil
}

// endTimeline makes one trace of those of the processes.
func (f *worldFiles) endTimeline(w *world) error {
	if f.timeline == "" {
		return nil
	}
	var parts []simtrace.Part
	for i, p := range w.procs {
		text, err := os.ReadFile(f.part("timeline", i))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		os.Remove(f.part("timeline", i))
		parts = append(parts, simtrace.Part{Process: cmp.Or(p.name, scenario), Text: text})
	}
	to, err := os.Create(f.timeline)
	if err != nil {
		return err
	}
	defer to.Close()
	return simtrace.Merge(to, parts)
}

// diverges notes a line that the run has not come to.
func (r *Run) diverges(line int) {
	if line > 0 && (r.Diverged == 0 || line < r.Diverged) {
		r.Diverged = line
	}
}
