package traceview

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"loam/internal/exectrace"
)

// Columns are how tables of millions of rows get into the browser: one array of numbers a
// field, which JavaScript can look into without parsing anything. The message is
//
//	length of the header in bytes, uint32, little endian
//	header: JSON, [{"name", "type": "f64"|"i32"|"u8", "offset", "length"}…], offsets from the
//	        end of the header, which is padded with spaces to a multiple of 8 bytes
//	the arrays, little endian, each at a multiple of 8 bytes
type columns struct {
	Header []column
	data   []byte
}

type column struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
}

func (c *columns) add(name, kind string, length int) {
	for len(c.data)%8 != 0 {
		c.data = append(c.data, 0)
	}
	c.Header = append(c.Header, column{name, kind, len(c.data), length})
}

func addFloats[T any](c *columns, name string, rows []T, field func(*T) float64) {
	c.add(name, "f64", len(rows))
	for i := range rows {
		c.data = binary.LittleEndian.AppendUint64(c.data, math.Float64bits(field(&rows[i])))
	}
}

func addInts[T any](c *columns, name string, rows []T, field func(*T) int32) {
	c.add(name, "i32", len(rows))
	for i := range rows {
		c.data = binary.LittleEndian.AppendUint32(c.data, uint32(field(&rows[i])))
	}
}

func addBytes[T any](c *columns, name string, rows []T, field func(*T) byte) {
	c.add(name, "u8", len(rows))
	for i := range rows {
		c.data = append(c.data, field(&rows[i]))
	}
}

// firsts returns where each P's part of ranges, which are ordered by P, begins; its last
// element is the number of ranges.
func firsts(ranges []exectrace.Range, procs int) []int32 {
	first := make([]int32, procs+1)
	for _, r := range ranges {
		first[r.Proc+1]++
	}
	for p := range procs {
		first[p+1] += first[p]
	}
	return first
}

// encode writes t's tables. strings holds the texts that columns refer to.
func encode(t *exectrace.Trace) (data []byte, strings []string) {
	c := &columns{data: make([]byte, 0, 40*len(t.Spans))}
	texts := map[string]int32{}
	text := func(s string) int32 {
		i, ok := texts[s]
		if !ok {
			i = int32(len(strings))
			texts[s] = i
			strings = append(strings, s)
		}
		return i
	}
	same := func(v *int32) int32 { return *v }

	type goroutine = exectrace.Goroutine
	addFloats(c, "g.id", t.Goroutines, func(g *goroutine) float64 { return float64(g.ID) })
	addFloats(c, "g.begin", t.Goroutines, func(g *goroutine) float64 { return float64(g.Begin) })
	addFloats(c, "g.end", t.Goroutines, func(g *goroutine) float64 { return float64(g.End) })
	addInts(c, "g.func", t.Goroutines, func(g *goroutine) int32 { return text(g.Func) })
	addInts(c, "g.statement", t.Goroutines, func(g *goroutine) int32 { return text(g.Statement) })
	addInts(c, "g.first", t.Goroutines, func(g *goroutine) int32 { return int32(g.First) })
	addInts(c, "g.last", t.Goroutines, func(g *goroutine) int32 { return int32(g.Last) })

	type span = exectrace.Span
	addFloats(c, "span.start", t.Spans, func(s *span) float64 { return float64(s.Start) })
	addFloats(c, "span.end", t.Spans, func(s *span) float64 { return float64(s.End) })
	addInts(c, "span.g", t.Spans, func(s *span) int32 { return s.G })
	addInts(c, "span.proc", t.Spans, func(s *span) int32 { return s.Proc })
	addInts(c, "span.thread", t.Spans, func(s *span) int32 { return s.Thread })
	addInts(c, "span.by", t.Spans, func(s *span) int32 { return s.By })
	addInts(c, "span.byStack", t.Spans, func(s *span) int32 { return s.ByStack })
	addInts(c, "span.stack", t.Spans, func(s *span) int32 { return s.Stack })
	addInts(c, "span.reason", t.Spans, func(s *span) int32 { return int32(s.Reason) })
	addBytes(c, "span.state", t.Spans, func(s *span) byte { return byte(s.State) })

	addInts(c, "proc.span", t.OnProc, same)
	addInts(c, "proc.first", t.ProcFirst, func(i *int) int32 { return int32(*i) })
	addInts(c, "thread.span", t.OnThread, same)
	addInts(c, "thread.first", t.ThreadFrom, func(i *int) int32 { return int32(*i) })
	addRanges(c, "use", t.ProcSpans, len(t.Procs))
	addRanges(c, "mark", t.Marks, len(t.Procs))
	addRanges(c, "range", t.Ranges, 0)

	type region = exectrace.Region
	addFloats(c, "region.start", t.Regions, func(r *region) float64 { return float64(r.Start) })
	addFloats(c, "region.end", t.Regions, func(r *region) float64 { return float64(r.End) })
	addInts(c, "region.name", t.Regions, func(r *region) int32 { return text(r.Name) })
	addInts(c, "region.g", t.Regions, func(r *region) int32 { return r.G })
	addInts(c, "region.depth", t.Regions, func(r *region) int32 { return r.Depth })
	addInts(c, "region.task", t.Regions, func(r *region) int32 { return r.Task })

	type point = exectrace.Point
	for name, points := range map[string][]point{"heap": t.Heap, "goal": t.Goal} {
		addFloats(c, name+".time", points, func(p *point) float64 { return float64(p.Time) })
		addFloats(c, name+".value", points, func(p *point) float64 { return float64(p.Value) })
	}
	type population = exectrace.Population
	addFloats(c, "population.time", t.Population, func(p *population) float64 { return float64(p.Time) })
	addInts(c, "population.runnable", t.Population, func(p *population) int32 { return int32(p.Runnable) })
	addInts(c, "population.running", t.Population, func(p *population) int32 { return int32(p.Running) })
	addInts(c, "population.syscall", t.Population, func(p *population) int32 { return int32(p.Syscall) })
	addFloats(c, "sample.time", t.Samples, func(s *exectrace.Sample) float64 { return float64(s.Time) })
	return c.bytes(), strings
}

// addRanges writes ranges, with an index by P if there are procs.
func addRanges(c *columns, name string, ranges []exectrace.Range, procs int) {
	type span = exectrace.Range
	addFloats(c, name+".start", ranges, func(r *span) float64 { return float64(r.Start) })
	addFloats(c, name+".end", ranges, func(r *span) float64 { return float64(r.End) })
	addInts(c, name+".name", ranges, func(r *span) int32 { return int32(r.Name) })
	addInts(c, name+".g", ranges, func(r *span) int32 { return r.G })
	if procs > 0 {
		addInts(c, name+".first", firsts(ranges, procs), func(v *int32) int32 { return *v })
	} else {
		addInts(c, name+".proc", ranges, func(r *span) int32 { return r.Proc })
	}
}

func (c *columns) bytes() []byte {
	header, err := json.Marshal(c.Header)
	if err != nil {
		panic(err) // strings and integers can be written
	}
	for (4+len(header))%8 != 0 {
		header = append(header, ' ')
	}
	out := make([]byte, 0, 4+len(header)+len(c.data))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	return append(append(out, header...), c.data...)
}
