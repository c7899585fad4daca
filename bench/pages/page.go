package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"loam/bench/figures"
)

// A pageOf says what a bench's page has besides its figures.
type pageOf struct {
	name  string
	title string
	about string            // what is measured, in one paragraph
	means map[string]string // what a topic is; nil where names say it
}

// pages are the benches that have a page, in the order of the contents.
var pages = []pageOf{
	{"goroutines", "Goroutines", "What goroutines cost: the experiments of the articles that Loam began with, and the usual patterns of communication.", map[string]string{
		"switch":   "a runtime.Gosched, among x goroutines on one P",
		"spawn":    "a goroutine that calls wg.Done, a hundred at a time",
		"work":     "a goroutine that takes n square roots and sends the sum; x goroutines",
		"idle":     "x goroutines parked on a channel: to start one, its resident bytes, to end it",
		"depth":    "a fresh goroutine that recurses x calls deep",
		"wide":     "1000 goroutines, 1000 calls deep at the same time",
		"pingpong": "a round trip over two unbuffered channels",
		"buffered": "an item through a channel with x places",
		"fanin":    "an item from x goroutines to one",
		"fanout":   "an item from one goroutine to x",
		"select":   "a receive by a select of x cases",
		"mutex":    "Lock and Unlock, by x goroutines in turn; and Lock, 200 ns, Unlock, 200 ns",
		"timers":   "AfterFunc and Stop; Reset; a timer that fires; a goroutine that sleeps",
		"echo":     "requests over loopback by x clients: rate, median and 99th percentile of the time",
		"http":     "the same with net/http",
	}},
	{"memory", "Memory", "Allocation together with its collection: one load a process, with time, processor time, peak memory, and the pauses of its cycles, both stops of a cycle together.", map[string]string{
		"alloc32":  "30 million objects of 32 bytes",
		"alloc1k":  "3 million objects of 1 KB",
		"trees":    "binary trees, by two goroutines",
		"graph":    "2 million vertices, whose edges move",
		"cache":    "a map of a million strings, which are replaced",
		"json":     "decoding JSON",
		"xml":      "decoding XML",
		"buffers":  "256 KB from goroutine to goroutine",
		"pool":     "Get and Put of sync.Pool, by four goroutines",
		"parked":   "a million goroutines that wait",
		"running":  "10,000 goroutines that run, and 4 GB of objects",
		"graph1g":  "a graph of 1 GB",
		"cache10m": "a map of ten million strings",
	}},
	{"build", "Builds", "A program that serves HTTP, built from nothing, without a change, and after an edit of its main package. Memory is that of all processes of a build together.", nil},
	{"asm", "Assembly, maps and strings", "What upstream writes in assembly, and what maps and strings cost, in processor time.", nil},
	{"code", "Programs of well-known kinds", "Generated code: small programs of kinds that other comparisons use, in processor time.", nil},
	{"waiting", "Programs that mostly wait", "Processor time in a second, and how late things are, of x tickers, x connections on which a byte comes now and then, and x goroutines with a timeout.", nil},
	{"servers", "Servers that people run", "Servers of pinned modules and their clients over loopback, each a process: requests a second, how long they take, processor time a request of server and client, and peak memory.", nil},
}

// page makes a bench's page and its charts.
func page(files map[string]string, p pageOf, b figures.Bench) {
	var text strings.Builder
	fmt.Fprintf(&text, "# Benchmark: %s\n\n%s\n", p.title, wrap(p.about, 100))
	text.WriteString("Medians of gc and Loam, measured in turn, with the least and the most of the rounds in\n" +
		"parentheses. A ratio above 1 means that Loam is better. [benchmarks.md](../benchmarks.md) has notes.\n\n")
	for _, line := range b.Machine {
		name, value, _ := strings.Cut(line, ": ")
		if name == "command" {
			value = "`" + value + "`"
		}
		fmt.Fprintf(&text, "%s", wrap("* "+name+": "+value, 100))
	}
	topics := topicsOf(b.Figures)
	if len(topics) > 20 { // a bench whose figures have a name only
		text.WriteString("\n")
		table(&text, b.Figures)
		files["bench/"+p.name+".md"] = text.String()
		return
	}
	for _, topic := range topics {
		var own []figures.Figure
		for _, f := range b.Figures {
			if f.Topic == topic {
				own = append(own, f)
			}
		}
		fmt.Fprintf(&text, "\n## %s\n\n", topic)
		if about := p.means[topic]; about != "" {
			text.WriteString(wrap("What is measured: "+about+".", 100) + "\n")
		}
		var rows []bar
		for _, f := range own {
			if !math.IsNaN(f.Ratio()) {
				rows = append(rows, barOf(label(f), f))
			}
		}
		if len(rows) > 0 {
			file := "bench/img/" + p.name + "-" + slug(topic)
			files[file+".svg"] = chart(topic, rows, light)
			files[file+"-dark.svg"] = chart(topic, rows, dark)
			name := "./" + strings.TrimPrefix(file, "bench/")
			fmt.Fprintf(&text, "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"%s-dark.svg\">\n"+
				"  <img alt=\"%s, gc and Loam\" src=\"%s.svg\">\n</picture>\n\n", name, topic, name)
		}
		table(&text, own)
	}
	files["bench/"+p.name+".md"] = text.String()
}

func topicsOf(all []figures.Figure) (topics []string) {
	for _, f := range all {
		if !slices.Contains(topics, f.Topic) {
			topics = append(topics, f.Topic)
		}
	}
	return topics
}

func label(f figures.Figure) string {
	s := f.Series
	if s == "" {
		s = f.Topic
	}
	if f.X != "" {
		s += ", " + number(f.X)
	}
	return s
}

// number puts commas into long whole numbers.
func number(s string) string {
	if _, err := strconv.Atoi(s); err != nil {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func table(text *strings.Builder, all []figures.Figure) {
	text.WriteString("| | gc | Loam | ratio |\n| --- | ---: | ---: | ---: |\n")
	for _, f := range all {
		ratio := ""
		if r := f.Ratio(); !math.IsNaN(r) {
			ratio = fmt.Sprintf("%.2f", r)
		}
		fmt.Fprintf(text, "| %s | %s | %s | %s |\n", label(f), sample(f.GC, f.Unit), sample(f.Loam, f.Unit), ratio)
	}
}

// sample writes a median with its spread.
func sample(s figures.Sample, unit string) string {
	value := quantity(s.Median, unit)
	if s.Low == s.High {
		return value
	}
	return fmt.Sprintf("%s (%s to %s)", value, quantity(s.Low, unit), quantity(s.High, unit))
}

// quantity writes a value with three digits and a unit that suits it.
func quantity(v float64, unit string) string {
	type step struct {
		unit string
		of   float64
	}
	for _, ladder := range [][]step{
		{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}},
		{{"B", 1}, {"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}},
	} {
		at := slices.IndexFunc(ladder, func(s step) bool { return s.unit == unit })
		if at < 0 {
			continue
		}
		base := v * ladder[at].of
		for i := len(ladder) - 1; i >= 0; i-- {
			if base >= ladder[i].of || i == 0 {
				return digits(base/ladder[i].of) + " " + ladder[i].unit
			}
		}
	}
	return strings.TrimSpace(digits(v) + " " + strings.TrimPrefix(unit, "1"))
}

func digits(v float64) string {
	switch a := math.Abs(v); {
	case a == 0:
		return "0"
	case a >= 1000:
		return number(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func slug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s)
}

// wrap breaks a paragraph into lines.
func wrap(text string, width int) string {
	var b strings.Builder
	length := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case length == 0:
		case length+1+n > width:
			b.WriteString("\n")
			if strings.HasPrefix(text, "* ") {
				b.WriteString("  ")
			}
			length = 2
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String() + "\n"
}
