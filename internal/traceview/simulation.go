package traceview

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"

	"loam"
	"loam/internal/simtrace"
)

// Simulation is the page of one or two simulated runs.
type Simulation struct {
	runs       []simulatedRun
	difference *simtrace.Difference // of two
	mux        *http.ServeMux
}

// simulatedRun is a run as the page wants it.
type simulatedRun struct {
	Name, Note string
	Goroutines []simulatedGoroutine
	Events     []simulatedEvent
	Stacks     [][]simulatedFrame
}

// simulatedGoroutine has a label, which is the same for it in all runs.
type simulatedGoroutine struct {
	*simtrace.Goroutine
	Label uint64
}

// simulatedFrame has the line of the source, "" if it cannot be read.
type simulatedFrame struct {
	simtrace.Frame
	Source string
}

type simulatedEvent struct {
	simtrace.Event
	Deviates bool
}

// NewSimulation returns a server for runs, one or two, that come from files of these names.
func NewSimulation(names []string, runs []*simtrace.Trace) *Simulation {
	s := &Simulation{mux: http.NewServeMux()}
	l, src := labels{}, sources{}
	for i, t := range runs {
		r := simulatedRun{Name: names[i], Note: t.Note}
		for _, g := range t.Goroutines {
			r.Goroutines = append(r.Goroutines, simulatedGoroutine{g, l.of(i, g)})
		}
		for _, frames := range t.Stacks {
			list := make([]simulatedFrame, len(frames))
			for i, f := range frames {
				list[i] = simulatedFrame{f, src.line(f.File)}
			}
			r.Stacks = append(r.Stacks, list)
		}
		for _, e := range t.Events {
			r.Events = append(r.Events, simulatedEvent{e, e.Deviates()})
		}
		s.runs = append(s.runs, r)
	}
	if len(runs) == 2 {
		d := simtrace.Compare(runs[0], runs[1])
		s.difference = &d
	}
	static, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // the directory is embedded
	}
	s.mux.Handle("GET /", http.FileServerFS(static))
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, static, "simulation.html")
	})
	s.mux.HandleFunc("GET /api/simulation", s.serve)
	return s
}

// labels are the numbers by which goroutines are called: those that they have in the first run in
// which they are. Goroutines of two runs are the same if their names are (simtrace.Goroutine). If
// another one has the number already, it is the next that is free.
type labels struct {
	named map[labelled]uint64
	taken map[labelled]bool
}

// labelled is a goroutine of a process by its name, or a number there.
type labelled struct {
	process string
	id      uint64
}

func (l *labels) of(run int, g *simtrace.Goroutine) uint64 {
	if l.named == nil {
		l.named, l.taken = map[labelled]uint64{}, map[labelled]bool{}
	}
	name := labelled{g.Process, g.Name}
	if label, ok := l.named[name]; ok {
		return label
	}
	label := g.Number
	for run > 0 && l.taken[labelled{g.Process, label}] {
		label++
	}
	l.named[name], l.taken[labelled{g.Process, label}] = label, true
	return label
}

// sources are the lines of files.
type sources map[string][]string

// line is the one that place names, FILE:LINE.
func (s sources) line(place string) string {
	file, number, _ := cutLast(place, ":")
	name := file
	lines, known := s[file]
	if !known {
		read := os.ReadFile
		if own, ok := strings.CutPrefix(name, "$LOAMROOT/"); ok { // of a program built with -trimpath
			name = own
			read = func(name string) ([]byte, error) { return fs.ReadFile(loam.RuntimeSources(), name) }
		}
		if text, err := read(name); err == nil && strings.HasSuffix(name, ".go") {
			lines = strings.Split(string(text), "\n")
		}
		s[file] = lines
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// cutLast splits s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func (s *Simulation) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Simulation) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(struct {
		Runs       []simulatedRun
		Difference *simtrace.Difference
	}{s.runs, s.difference})
}
