package main

import (
	"fmt"
	"math"
	"strings"

	"loam/bench/figures"
)

// picked are the figures of the first picture in README.md, by bench, topic, series and x.
var picked = []struct{ label, bench, topic, series, x string }{
	{"switch of goroutines", "goroutines", "switch", "Gosched", "2"},
	{"goroutine", "goroutines", "spawn", "2 P", "1"},
	{"channel round trip", "goroutines", "pingpong", "2 P", "1"},
	{"30 M small objects", "memory", "alloc32", "time", ""},
	{"pause, p99", "memory", "alloc32", "pause p99", ""},
	{"HTTP, 100 clients", "goroutines", "http", "requests", "100"},
	{"build, no change", "build", "http", "unchanged", "elapsed"},
}

// served are the servers of the second picture and of the table, with what they are.
var served = []struct{ topic, label string }{
	{"grpc-unary", "gRPC, calls"},
	{"grpc-stream", "gRPC, streams"},
	{"fasthttp", "fasthttp"},
	{"http-json", "net/http, JSON"},
	{"https-json", "the same, TLS"},
	{"broker", "nats"},
	{"key-value", "bbolt"},
	{"sql", "SQLite in Go"},
}

// clients is the number of clients that README's figures of servers are of.
const clients = "50"

func find(b figures.Bench, topic, series, x string) (f figures.Figure, ok bool) {
	for _, f := range b.Figures {
		if f.Topic == topic && f.Series == series && f.X == x {
			return f, !math.IsNaN(f.Ratio())
		}
	}
	return f, false
}

// readme makes README's pictures and its table, as far as their figures have been measured.
func readme(files map[string]string, benches map[string]figures.Bench, text string) error {
	var rows, servers []bar
	for _, p := range picked {
		if f, ok := find(benches[p.bench], p.topic, p.series, p.x); ok {
			rows = append(rows, barOf(p.label, f))
		}
	}
	var table strings.Builder
	table.WriteString("| " + clients + " clients | gc, 1/s | Loam, 1/s | ratio | p99 | CPU | memory |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, s := range served {
		f, ok := find(benches["servers"], s.topic, "requests", clients)
		if !ok {
			continue
		}
		servers = append(servers, barOf(s.label, f))
		fmt.Fprintf(&table, "| %s | %s | %s | %.2f |", s.label, digits(f.GC.Median), digits(f.Loam.Median), f.Ratio())
		for _, series := range []string{"p99", "processor time", "peak memory"} {
			ratio := ""
			if f, ok := find(benches["servers"], s.topic, series, clients); ok {
				ratio = fmt.Sprintf("%.2f", f.Ratio())
			}
			fmt.Fprintf(&table, " %s |", ratio)
		}
		table.WriteString("\n")
	}
	for name, rows := range map[string][]bar{"summary": rows, "servers": servers} {
		if len(rows) == 0 {
			continue
		}
		title := map[string]string{
			"summary": "Time, as a share of gc's: shorter is better",
			"servers": "Time a request, " + clients + " clients: shorter is better",
		}[name]
		files["img/"+name+".svg"] = chart(title, rows, ofReadme, light)
		files["img/"+name+"-dark.svg"] = chart(title, rows, ofReadme, dark)
	}
	if text == "" || len(servers) == 0 {
		return nil
	}
	filled, err := fill(text, "servers", table.String())
	if err != nil {
		return fmt.Errorf("README.md %w", err)
	}
	files["../README.md"] = filled
	return nil
}

// list writes the list of pages in benchmarks.md, with links to those that there are.
func list(benches map[string]figures.Bench) string {
	var text strings.Builder
	text.WriteString("| page | what is measured | command | takes |\n| --- | --- | --- | --- |\n")
	for _, p := range pages {
		name := p.name
		if _, ok := benches[p.name]; ok {
			name = fmt.Sprintf("[%s](bench/%[1]s.md)", p.name)
		}
		fmt.Fprintf(&text, "| %s | %s | `make %s` | %s |\n", name, p.short, p.makes, p.takes)
	}
	return text.String()
}

// fill puts what is made into its place in a document.
func fill(document, place, made string) (string, error) {
	begin, end := "<!-- made: "+place+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(document, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("has no lines %q and %q", strings.TrimSpace(begin), end)
	}
	return before + begin + "\n" + made + "\n" + end + after, nil
}
