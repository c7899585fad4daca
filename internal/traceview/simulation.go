package traceview

import (
	"encoding/json"
	"io/fs"
	"net/http"

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
	Goroutines []*simtrace.Goroutine
	Events     []simulatedEvent
	Stacks     [][]simtrace.Frame
}

type simulatedEvent struct {
	simtrace.Event
	Deviates bool
}

// NewSimulation returns a server for runs, one or two, that come from files of these names.
func NewSimulation(names []string, runs []*simtrace.Trace) *Simulation {
	s := &Simulation{mux: http.NewServeMux()}
	for i, t := range runs {
		r := simulatedRun{Name: names[i], Note: t.Note, Goroutines: t.Goroutines, Stacks: t.Stacks}
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

func (s *Simulation) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Simulation) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(struct {
		Runs       []simulatedRun
		Difference *simtrace.Difference
	}{s.runs, s.difference})
}
