package exectrace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Loam's run-time system puts figures that Go's trace format has no event for into the
// trace as log messages, which other tools show as such. There are two categories:
//
//	loam/metric       NAME VALUE      a metric of runtime/metrics under /loam/, at this moment
//	loam/stackgrowth  COUNT FUNCTION  how often calls of the function needed a further segment
//
// Values are decimal, counted since the program began.
const (
	metricCategory = "loam/metric"
	growthCategory = "loam/stackgrowth"

	// The last message of a program that did not come to its end says why.
	exitCategory = "loam/exit"
)

// A Figure is one of the run-time system's own metrics: its first and last value in the
// trace, and the values in between.
type Figure struct {
	Name   string    `json:"name"`
	First  float64   `json:"first"`
	Last   float64   `json:"last"`
	Times  []int64   `json:"times"`
	Values []float64 `json:"values"`
}

// Growth is how often the calls of a function hopped to a further stack segment.
type Growth struct {
	Func  string  `json:"func"`
	Count float64 `json:"count"`
}

// Figures are what Loam's run-time system told about itself; both lists are empty in
// traces of gc.
type Figures struct {
	Metrics []Figure `json:"metrics"`
	Growth  []Growth `json:"growth"`
}

// Figures collects the log messages that hold figures.
func (t *Trace) Figures() Figures {
	f := Figures{Metrics: []Figure{}, Growth: []Growth{}}
	metrics := map[string]*Figure{}
	growth := map[string]float64{}
	for _, l := range t.Logs {
		switch l.Category {
		case metricCategory:
			name, text, _ := strings.Cut(l.Message, " ")
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue
			}
			m := metrics[name]
			if m == nil {
				m = &Figure{Name: name, First: v}
				metrics[name] = m
			}
			m.Last = v
			m.Times = append(m.Times, l.Time)
			m.Values = append(m.Values, v)
		case growthCategory:
			count, name, _ := strings.Cut(l.Message, " ")
			if v, err := strconv.ParseFloat(count, 64); err == nil {
				growth[name] = v // counted from the beginning: the last one has all
			}
		}
	}
	for _, m := range metrics {
		f.Metrics = append(f.Metrics, *m)
	}
	slices.SortFunc(f.Metrics, func(a, b Figure) int { return cmp.Compare(a.Name, b.Name) })
	for name, count := range growth {
		f.Growth = append(f.Growth, Growth{name, count})
	}
	slices.SortFunc(f.Growth, func(a, b Growth) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Func, b.Func))
	})
	return f
}
