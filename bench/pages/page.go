package main

import (
	"cmp"
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
	short string            // what is measured, for the list of pages
	makes string            // the target that measures it
	takes string            // how long that takes, on two cores
	about string            // what is measured, in one paragraph
	means map[string]string // what a topic is; nil where names say it
	of    string            // what x is a number of, where it is the same for all topics
	drawn string            // only figures with this x are drawn, if it is not empty
}

// pages are the benches that have a page, in the order of the contents.
var pages = []pageOf{
	{
		name: "goroutines", title: "Goroutines",
		short: "goroutines, channels, timers, locks, network", makes: "bench", takes: "8 minutes",
		about: "What goroutines cost: the experiments of the articles that Loam began with, and the usual patterns of communication. x is the last number of a row.",
		means: map[string]string{
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
		},
	},
	{
		name: "memory", title: "Memory",
		short: "allocation with its collection ([notes](memory.md))", makes: "bench-memory", takes: "6 minutes",
		about: "Allocation together with its collection: one load a process, with time, processor time, peak memory, and the pauses of its cycles, both stops of a cycle together.",
		means: map[string]string{
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
		},
	},
	{
		name: "feeds", title: "Feeds",
		short: "a program that makes garbage ([feeds.md](feeds.md))", makes: "bench-feeds", takes: "2 minutes",
		about: "4,000 documents are read, decoded and forgotten, by the program of examples/feeds, in three ways: how long it takes, what its collections take, and how large its heap becomes.",
		means: map[string]string{
			"sequential": "one document after the other",
			"each":       "a goroutine for each document, all started at once",
			"pool":       "a goroutine for each processor",
		},
	},
	{
		name: "build", title: "Builds",
		short: "builds: time, processor time and memory", makes: "bench-build", takes: "10 minutes",
		about: "Programs of several kinds, built from nothing (cold), by Loam also with a pack of the standard library (packed) and with its own backend (instant), again without a change, and after an edit of the main package, of a leaf that many packages import, of a package in the middle, of a test, of a comment. Time, processor time and memory are those of all processes of a build together.",
		drawn: "elapsed",
	},
	{
		name: "asm", title: "Assembly, maps and strings",
		short: "what std writes in assembly, and maps", makes: "bench-asm", takes: "2 minutes",
		about: "What upstream writes in assembly, and what maps and strings cost, in processor time.",
	},
	{
		name: "code", title: "Programs of well-known kinds",
		short: "compiled code, by small programs of known kinds", makes: "bench-code", takes: "4 minutes",
		about: "Generated code: small programs of kinds that other comparisons use, in processor time.",
	},
	{
		name: "sqlite", title: "C translated to Go",
		short: "C translated to Go: SQLite", makes: "bench-sqlite", takes: "3 minutes",
		about: "Statements of modernc.org/sqlite, which is C translated to Go, over a table of 100,000 rows in memory, in processor time.",
	},
	{
		name: "cgo", title: "Calls between Go and C",
		short: "calls between Go and C, and SQLite as C", makes: "bench-cgo", takes: "3 minutes",
		about: "Calls from Go to C and back, alone and from many goroutines, and SQLite as C, by github.com/mattn/go-sqlite3 in memory.",
	},
	{
		name: "race", title: "The race detector",
		short: "what `-race` costs, in time and memory", makes: "bench-race", takes: "6 minutes",
		about: "Programs of well-known kinds, built with -race: processor time and peak memory, and how many times as much that is as without -race with the same compiler.",
		means: map[string]string{
			"locked counters": "eight goroutines count in a struct under one lock",
			"channels":        "pointers go through eight goroutines, over buffered channels",
			"maps":            "words are counted by maps, which are added up under a lock",
			"sorting":         "slices of structs are sorted, by slices.SortFunc and sort.Slice",
			"trees":           "binary trees are made and counted, by eight goroutines",
			"matrices":        "matrices are multiplied, a part of the rows by each of eight goroutines",
			"json":            "documents are encoded and decoded",
			"text":            "text is split, formatted and joined",
			"atomics":         "a list is shared by compare-and-swap, and counted",
			"http":            "a net/http server and its clients over loopback",
		},
	},
	{
		name: "waiting", title: "Programs that mostly wait",
		short: "programs that mostly wait", makes: "bench-waiting", takes: "4 minutes",
		about: "Processor time in a second, and how late things are.",
		means: map[string]string{
			"tickers":     "x tickers of 1 to 50 ms",
			"connections": "x connections on which a byte comes every 1 to 50 ms, and is answered",
			"deadlines":   "the same, with a deadline for each read",
			"timeouts":    "x pairs of goroutines, one of which sends to the other every 1 to 50 ms, and starts a timer anew for each",
			"afterfunc":   "x timers, started at once, that come due within half a second",
		},
	},
	{
		name: "cores", title: "Many cores", of: " cores",
		short: "frequent operations on 8, 64 and 256 cores, by a model", makes: "bench-cores", takes: "6 minutes",
		about: "What an operation costs if all cores of a machine do it at once, by a model. A program with a P for each core is traced instruction by instruction on two of its Ps: which cache lines the operation reads and writes, and which of them both use, comes from the run-time systems as they are. The model moves lines between cores, and lets those wait that find a lock held. Its times are assumptions: 0.15 ns for an instruction, 6 ns for an atomic one, and 50, 80 and 150 ns for a line's way between two of 8, 64 and 256 cores. The rows \"lines written\" need none of these: so often does an operation take a shared line away from other cores.",
		means: map[string]string{
			"allocation":  "an object of 32 bytes",
			"refill":      "an object of 2 KB, of which four fill a span",
			"switch":      "a runtime.Gosched of the only goroutine of a P",
			"channel":     "a round trip over two unbuffered channels, on one P",
			"spawn":       "a goroutine that calls wg.Done, ten at a time",
			"timer":       "Reset and Stop of a timer",
			"mutex":       "Lock and Unlock of a mutex that nobody else uses",
			"system call": "a read of /dev/zero",
			"going idle":  "the only goroutine of a P sleeps, until its thread does",
		},
	},
	{
		name: "servers", title: "Servers that people run", of: " clients",
		short: "RPC, HTTP, a broker, stores, of pinned modules", makes: "bench-servers", takes: "10 minutes",
		about: "Servers of pinned modules and their clients over loopback, in one process: requests a second, how long they take, the processor time of a request, server and client together, and the peak memory.",
		means: map[string]string{
			"grpc-unary":  "calls of google.golang.org/grpc with 128 bytes, there and back",
			"grpc-stream": "messages of 128 bytes over a stream a client, there and back",
			"fasthttp":    "github.com/valyala/fasthttp, server and client",
			"http-json":   "net/http with a JSON request and a JSON answer",
			"https-json":  "the same over TLS",
			"broker":      "a request through an embedded nats-server to a subscriber, and its answer",
			"key-value":   "go.etcd.io/bbolt with 100,000 keys; one request in ten writes, without waiting for the disk",
			"sql":         "modernc.org/sqlite with 100,000 rows; one request in ten writes",
		},
	},
}

// many is how many bars a chart may have; above that they are ranked, by thin ones.
const many = 24

// page makes a bench's page and its charts.
func page(files map[string]string, p pageOf, b figures.Bench) {
	var text strings.Builder
	fmt.Fprintf(&text, "# Benchmark: %s\n\n%s\n", p.title, wrap(p.about, 100))
	text.WriteString("Medians of gc and Loam, measured close together, with the least and the most of the rounds in\n" +
		"parentheses. A ratio above 1 means that Loam is better. [benchmarks.md](../benchmarks.md) has notes.\n\n")
	for _, line := range b.Machine {
		name, value, _ := strings.Cut(line, ": ")
		if name == "command" {
			value = "`" + value + "`"
		}
		fmt.Fprintf(&text, "%s", wrap("* "+name+": "+value, 100))
	}
	if b.Figures[0].Series == "" { // a bench whose figures have a name only
		text.WriteString("\n" + wrap(overall(b.Figures), 100) + "\n")
		picture(files, &text, p, p.title, b.Figures)
		table(&text, p, b.Figures)
		files["bench/"+p.name+".md"] = text.String()
		return
	}
	for _, topic := range topicsOf(b.Figures) {
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
		picture(files, &text, p, topic, own)
		table(&text, p, own)
	}
	files["bench/"+p.name+".md"] = text.String()
}

// picture draws the figures, if any can be compared, and refers to the picture.
func picture(files map[string]string, text *strings.Builder, p pageOf, title string, all []figures.Figure) {
	var rows []bar
	for _, f := range all {
		if !math.IsNaN(f.Ratio()) && (p.drawn == "" || f.X == p.drawn) {
			rows = append(rows, barOf(p.label(f, true), f))
		}
	}
	if len(rows) == 0 {
		return
	}
	file := "bench/img/" + p.name
	if slug(title) != slug(p.title) {
		file += "-" + slug(title)
	}
	if len(rows) > many {
		rows = means(all)
		files[file+".svg"] = ranking(title, rows, light)
		files[file+"-dark.svg"] = ranking(title, rows, dark)
	} else {
		files[file+".svg"] = chart(title, rows, ofPage, light)
		files[file+"-dark.svg"] = chart(title, rows, ofPage, dark)
	}
	name := "./" + strings.TrimPrefix(file, "bench/")
	fmt.Fprintf(text, "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"%s-dark.svg\">\n"+
		"  <img alt=\"%s, gc and Loam\" src=\"%s.svg\">\n</picture>\n\n", name, title, name)
}

// means are one bar a series, or a topic where there is none: the geometric mean over x.
func means(all []figures.Figure) (rows []bar) {
	var counts []int
	for _, f := range all {
		name := f.Series
		if name == "" {
			name = f.Topic
		}
		ratio := f.Ratio()
		if math.IsNaN(ratio) {
			continue
		}
		i := slices.IndexFunc(rows, func(r bar) bool { return r.label == name })
		if i < 0 {
			i = len(rows)
			rows, counts = append(rows, bar{label: name}), append(counts, 0)
		}
		rows[i].share += math.Log(1 / ratio) // a sum of logarithms, so far
		counts[i]++
	}
	for i := range rows {
		rows[i].share = math.Exp(rows[i].share / float64(counts[i]))
	}
	return rows
}

// overall says in a sentence or two how the figures are on the whole, and where Loam is slower.
func overall(all []figures.Figure) string {
	var ratios []float64
	sum := 0.0 // of logarithms
	var slower []figures.Figure
	for _, f := range all {
		if r := f.Ratio(); !math.IsNaN(r) {
			ratios = append(ratios, r)
			sum += math.Log(r)
			if r < 0.95 {
				slower = append(slower, f)
			}
		}
	}
	text := fmt.Sprintf("The median of the %d ratios is %.2f, their geometric mean %.2f.", len(ratios),
		figures.Of(ratios).Median, math.Exp(sum/float64(len(ratios))))
	if len(slower) == 0 {
		return text + " None is below 0.95."
	}
	slices.SortStableFunc(slower, func(a, b figures.Figure) int { return cmp.Compare(a.Ratio(), b.Ratio()) })
	var words []string
	for _, f := range slower {
		words = append(words, fmt.Sprintf("%s %.2f", f.Topic, f.Ratio()))
	}
	return text + " Below 0.95 are " + strings.Join(words, ", ") + "."
}

func topicsOf(all []figures.Figure) (topics []string) {
	for _, f := range all {
		if !slices.Contains(topics, f.Topic) {
			topics = append(topics, f.Topic)
		}
	}
	return topics
}

// label is a figure's name within its topic.
func (p pageOf) label(f figures.Figure, chart bool) string {
	s := f.Series
	if s == "" {
		s = f.Topic
	}
	if f.X != "" && !(chart && f.X == p.drawn) {
		s += ", " + number(f.X) + p.of
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

func table(text *strings.Builder, p pageOf, all []figures.Figure) {
	text.WriteString("| | gc | Loam | ratio |\n| --- | ---: | ---: | ---: |\n")
	for _, f := range all {
		ratio := ""
		if r := f.Ratio(); !math.IsNaN(r) {
			ratio = fmt.Sprintf("%.2f", r)
		}
		fmt.Fprintf(text, "| %s | %s | %s | %s |\n", p.label(f, false), sample(f.GC, f.Unit), sample(f.Loam, f.Unit), ratio)
	}
}

// sample writes a median with its spread, in the median's unit.
func sample(s figures.Sample, unit string) string {
	value := quantity(s.Median, unit)
	if s.Low == s.High {
		return value
	}
	_, scale := scaled(s.Median, unit)
	return fmt.Sprintf("%s (%s to %s)", value, digits(s.Low*scale), digits(s.High*scale))
}

// quantity writes a value with three digits and a unit that suits it.
func quantity(v float64, unit string) string {
	suited, scale := scaled(v, unit)
	return strings.TrimSpace(digits(v*scale) + " " + strings.TrimPrefix(suited, "1"))
}

// scaled is the unit that suits a value, and what the value is multiplied by.
func scaled(v float64, unit string) (suited string, scale float64) {
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
		base := ladder[at].of
		for i := len(ladder) - 1; i >= 0; i-- {
			if v*base >= ladder[i].of || i == 0 {
				return ladder[i].unit, base / ladder[i].of
			}
		}
	}
	return unit, 1
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
