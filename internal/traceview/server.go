// Package traceview serves the pages of loam trace: a program in the browser that draws one
// execution trace, and the questions it asks.
//
// The work is shared so that zooming and panning never wait. What has to follow the mouse
// (the lanes of the timeline, the heap's curve) is drawn from columns that the browser
// fetches once; see columns.go. What adds up a window (goroutines, latencies, flame graphs,
// the sums over collections) is asked of this server when the window has come to rest,
// and is computed by internal/exectrace, where the tests are.
//
// The browser's side is in web/, TypeScript on uPlot and d3-flame-graph; assets/ holds what
// `make web` makes of it. Nothing is loaded from elsewhere.
package traceview

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"loam/internal/exectrace"
)

//go:embed assets
var assets embed.FS

// Licenses are the licences of the libraries that the page is made with.
//
//go:embed assets/LICENSES.txt
var Licenses string

// A recording is one trace, ready to be asked.
type recording struct {
	trace   *exectrace.Trace
	columns []byte
	strings []string
	number  int
	took    time.Duration // to read
}

// Server answers the page's requests.
type Server struct {
	source Source
	mux    *http.ServeMux

	recorder sync.Mutex // held while something is recorded
	mutex    sync.RWMutex
	current  *recording
}

// New returns a server for source. Record has to be called before it serves.
func New(source Source) *Server {
	s := &Server{source: source, mux: http.NewServeMux()}
	static, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // the directory is embedded
	}
	s.mux.Handle("GET /", http.FileServerFS(static))
	s.mux.HandleFunc("GET /api/trace", s.serveTrace)
	s.mux.HandleFunc("GET /api/columns", s.serveColumns)
	s.mux.HandleFunc("POST /api/record", s.serveRecord)
	s.handle("GET /api/sum", sum)
	s.handle("GET /api/groups", groups)
	s.handle("GET /api/members", members)
	s.handle("GET /api/latency", latency)
	s.handle("GET /api/flame", flame)
	s.handle("GET /api/stack", stack)
	s.handle("GET /api/profile", profile)
	s.handle("GET /api/taskkinds", taskKinds)
	s.handle("GET /api/tasks", tasks)
	s.handle("GET /api/task", taskStory)
	s.handle("GET /api/regionkinds", regionKinds)
	s.handle("GET /api/regions", regions)
	s.handle("GET /api/messages", messages)
	s.handle("GET /api/utilization", utilization)
	return s
}

// Record takes a trace from the source and shows it from then on; length counts for live
// sources.
func (s *Server) Record(ctx context.Context, length time.Duration) error {
	if !s.recorder.TryLock() {
		return errors.New("a recording is under way")
	}
	defer s.recorder.Unlock()
	body, err := s.source.Record(ctx, length)
	if err != nil {
		return err
	}
	defer body.Close()
	start := time.Now()
	t, err := exectrace.Read(body)
	if err != nil {
		return fmt.Errorf("%s: %w", s.source.Name(), err)
	}
	r := &recording{trace: t}
	r.columns, r.strings = encode(t)
	r.took = time.Since(start)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.current != nil {
		r.number = s.current.number + 1
	}
	s.current = r
	return nil
}

// Trace returns the trace that is shown.
func (s *Server) Trace() *exectrace.Trace { return s.shown().trace }

func (s *Server) shown() *recording {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.current
}

// ServeHTTP refuses requests under another name than this machine's: a page elsewhere could
// otherwise point its own name here and read the trace.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip == nil && host != "localhost" {
		http.Error(w, "loam trace answers to addresses and localhost only", http.StatusForbidden)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// summary is what the page has to know before it draws anything.
type summary struct {
	Source      string                 `json:"source"`
	Live        bool                   `json:"live"`
	Number      int                    `json:"number"` // of the recording
	Duration    int64                  `json:"duration"`
	Events      int                    `json:"events"`
	Incomplete  string                 `json:"incomplete"`
	Exit        string                 `json:"exit"`
	MaxProcs    int                    `json:"maxProcs"`
	Procs       []int64                `json:"procs"`
	Threads     []int64                `json:"threads"`
	Peak        uint64                 `json:"peak"` // heap, bytes
	Samples     int                    `json:"samples"`
	ReadMillis  int64                  `json:"readMillis"`
	Names       []string               `json:"names"`
	Reasons     []string               `json:"reasons"`
	Strings     []string               `json:"strings"`
	Collections []exectrace.Collection `json:"collections"`
	Figures     exectrace.Figures      `json:"figures"`
}

func (s *Server) serveTrace(w http.ResponseWriter, r *http.Request) {
	c := s.shown()
	t := c.trace
	writeJSON(w, summary{
		Source: s.source.Name(), Live: s.source.Live(), Number: c.number,
		Duration: t.Duration, Events: t.Events, Incomplete: t.Incomplete, Exit: s.exit(t), MaxProcs: t.MaxProcs,
		Procs: t.Procs, Threads: t.Threads, Peak: t.PeakHeap(), Samples: len(t.Samples), ReadMillis: c.took.Milliseconds(),
		Names: t.Names, Reasons: t.Reasons, Strings: c.strings,
		Collections: t.Collections, Figures: t.Figures(),
	})
}

// exit says how the program ended, if that was not by coming to its end: as the trace has it, or
// else its source.
func (s *Server) exit(t *exectrace.Trace) string {
	if e, ok := s.source.(interface{ Exit() string }); ok && t.Exit == "" {
		return e.Exit()
	}
	return t.Exit
}

// serveColumns answers for one recording, so that texts and numbers belong together.
func (s *Server) serveColumns(w http.ResponseWriter, r *http.Request) {
	c := s.shown()
	if want := r.FormValue("number"); want != strconv.Itoa(c.number) {
		http.Error(w, "that recording is gone", http.StatusGone)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(c.columns)))
	w.Write(c.columns)
}

func (s *Server) serveRecord(w http.ResponseWriter, r *http.Request) {
	// Browsers send the origin with every POST; other sites may not start recordings.
	if origin := r.Header.Get("Origin"); origin != "" && !strings.HasSuffix(origin, "://"+r.Host) {
		http.Error(w, "not from another site", http.StatusForbidden)
		return
	}
	if !s.source.Live() {
		http.Error(w, "the trace is a file", http.StatusBadRequest)
		return
	}
	seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64)
	if err != nil || seconds <= 0 || seconds > 3600 {
		http.Error(w, "seconds must be a number from 0 to 3600", http.StatusBadRequest)
		return
	}
	if err := s.Record(r.Context(), time.Duration(seconds*float64(time.Second))); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// A question is what a request asks of the trace.
type question struct {
	*http.Request
	trace    *exectrace.Trace
	by       exectrace.By
	from, to int64
}

// handle answers with what f returns as JSON; its errors are the request's fault.
func (s *Server) handle(pattern string, f func(question) (any, error)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		t := s.shown().trace
		q := question{Request: r, trace: t, to: t.Duration + 1}
		var err error
		for name, at := range map[string]*int64{"from": &q.from, "to": &q.to} {
			if v := r.FormValue(name); v != "" && err == nil {
				*at, err = strconv.ParseInt(v, 10, 64)
			}
		}
		if err == nil {
			q.by, err = grouping(r.FormValue("by"))
		}
		var answer any
		if err == nil {
			answer, err = f(q)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if d, ok := answer.(download); ok {
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", `attachment; filename="`+d.name+`"`)
			w.Write(d.data)
			return
		}
		writeJSON(w, answer)
	})
}

// A download is an answer that the browser keeps as a file.
type download struct {
	name string
	data []byte
}

func grouping(name string) (exectrace.By, error) {
	switch name {
	case "", "func":
		return exectrace.ByFunc, nil
	case "statement":
		return exectrace.ByStatement, nil
	}
	return 0, fmt.Errorf("by=%s: func or statement", name)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(v) // an error here is a reader who has gone
}
