// Package timeline records what a build does when.
//
// A Log has spans: the time that one phase of one package took, in one lane. What runs at the same
// time is in different lanes, so a viewer of traces can draw a lane as a row. A nil *Log records
// nothing, which is what most builds want.
package timeline

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// A Log is the record of one build. It is safe for concurrent use.
type Log struct {
	start time.Time

	mu    sync.Mutex
	spans []span
	busy  []bool // lanes in use
}

// span is what happened in a lane from one moment to another, both since the start.
type span struct {
	pkg, phase string
	lane       int
	from, to   time.Duration
	cpu        time.Duration // of a tool; 0 for what this process does
	note       string
}

// New returns an empty log whose time begins now.
func New() *Log { return &Log{start: time.Now()} }

// A Lane is the place of spans that follow each other or enclose each other.
type Lane struct {
	log *Log
	n   int
}

// Lane returns a lane that nobody uses, until Free.
func (l *Log) Lane() *Lane {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := slices.Index(l.busy, false)
	if n < 0 {
		n = len(l.busy)
		l.busy = append(l.busy, false)
	}
	l.busy[n] = true
	return &Lane{l, n}
}

// Free gives the lane back.
func (n *Lane) Free() {
	if n == nil {
		return
	}
	n.log.mu.Lock()
	defer n.log.mu.Unlock()
	n.log.busy[n.n] = false
}

// A Span is one that has begun.
type Span struct {
	lane *Lane
	span
}

// Begin begins a phase of a package.
func (n *Lane) Begin(pkg, phase string) *Span {
	if n == nil {
		return nil
	}
	return &Span{n, span{pkg: pkg, phase: phase, lane: n.n, from: time.Since(n.log.start)}}
}

// Note adds to the span what is to be told of it.
func (s *Span) Note(format string, args ...any) {
	if s != nil {
		s.note = fmt.Sprintf(format, args...)
	}
}

// Tool says how much processor time a program used that ran for the span.
func (s *Span) Tool(cpu time.Duration) {
	if s != nil {
		s.cpu += cpu
	}
}

// End ends the span. What is ended again stays as it is.
func (s *Span) End() {
	if s == nil || s.to != 0 {
		return
	}
	l := s.lane.log
	s.to = max(time.Since(l.start), s.from+1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spans = append(l.spans, s.span)
}

// event is a line of the trace viewers' format.
type event struct {
	Name  string            `json:"name"`
	Phase string            `json:"ph"`
	Cat   string            `json:"cat,omitempty"`
	Time  float64           `json:"ts"` // microseconds
	Dur   float64           `json:"dur,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	Args  map[string]string `json:"args,omitempty"`
}

// WriteTrace writes the log as JSON that browsers' trace viewers open (chrome://tracing, Perfetto).
func (l *Log) WriteTrace(w io.Writer) error {
	events := []event{}
	for _, s := range l.sorted() {
		e := event{Name: s.phase, Phase: "X", Cat: s.phase, Time: micros(s.from), Dur: micros(s.to - s.from), PID: 1,
			TID: s.lane, Args: map[string]string{}}
		if s.pkg != "" {
			e.Name += " " + s.pkg
			e.Args["package"] = s.pkg
		}
		if s.cpu > 0 {
			e.Args["processor time"] = s.cpu.String()
		}
		if s.note != "" {
			e.Args["note"] = s.note
		}
		events = append(events, e)
	}
	return json.NewEncoder(w).Encode(events)
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// sorted returns the spans by when they began, those that enclose others before these.
func (l *Log) sorted() []span {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := slices.Clone(l.spans)
	slices.SortStableFunc(list, func(a, b span) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(b.to - a.to)
	})
	return list
}

// sum is the time of a phase, of one package or of all.
type sum struct {
	pkg, phase   string
	n            int
	elapsed, cpu time.Duration
	notes        []string
}

// WriteTable writes how long each phase of each package took, a line each in the order in which
// they began, and then each phase of all packages. What spans enclose counts for them and not for
// the span around them.
func (l *Log) WriteTable(w io.Writer) error {
	var each, all []*sum
	at := map[[2]string]*sum{}
	add := func(list *[]*sum, pkg, phase string, s span, own time.Duration) {
		k := at[[2]string{pkg, phase}]
		if k == nil {
			k = &sum{pkg: pkg, phase: phase}
			at[[2]string{pkg, phase}] = k
			*list = append(*list, k)
		}
		k.n++
		k.elapsed += own
		k.cpu += s.cpu
		if s.note != "" && pkg != everything && !slices.Contains(k.notes, s.note) {
			k.notes = append(k.notes, s.note)
		}
	}
	spans := l.sorted()
	own := ownTimes(spans)
	for i, s := range spans {
		add(&each, s.pkg, s.phase, s, own[i])
		add(&all, everything, s.phase, s, own[i])
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "elapsed s\ttool s\tphase\tpackage")
	for _, k := range append(each, all...) {
		tool := ""
		if k.cpu > 0 {
			tool = fmt.Sprintf("%.3f", k.cpu.Seconds())
		}
		if k.pkg == everything {
			k.notes = []string{fmt.Sprint(k.n)}
		}
		fmt.Fprintf(table, "%9.3f\t%s\t%s\t%s", k.elapsed.Seconds(), tool, k.phase, k.pkg)
		if len(k.notes) > 0 {
			fmt.Fprintf(table, "\t%s", strings.Join(k.notes, ", "))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// everything stands for all packages where the name of one is expected.
const everything = "(all)"

// ownTimes returns for each span the time that none of those that it encloses took. The spans are
// sorted.
func ownTimes(spans []span) []time.Duration {
	own := make([]time.Duration, len(spans))
	open := map[int][]int{} // by lane
	for i, s := range spans {
		own[i] = s.to - s.from
		stack := open[s.lane]
		for len(stack) > 0 && spans[stack[len(stack)-1]].to <= s.from {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 {
			own[stack[len(stack)-1]] -= own[i]
		}
		open[s.lane] = append(stack, i)
	}
	return own
}
