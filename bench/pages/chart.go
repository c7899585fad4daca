package main

import (
	"fmt"
	"html"
	"strings"

	"loam/bench/figures"
)

// A bar is one row of a chart: what Loam takes as a share of what gc takes, and the values.
type bar struct {
	label    string
	share    float64 // below 1 where Loam is better
	gc, loam string
}

func barOf(label string, f figures.Figure) bar {
	return bar{label, 1 / f.Ratio(), quantity(f.GC.Median, f.Unit), quantity(f.Loam.Median, f.Unit)}
}

// A theme has the colours of a chart. Charts have no background: the page's shows.
type theme struct{ text, faint, gc, loam string }

var (
	light = theme{"#1f2328", "#656d76", "#c4ccd4", "#00758f"}
	dark  = theme{"#e6edf3", "#9198a1", "#4a545e", "#4fc3dc"}
)

const (
	chartWidth = 560 // so that a phone's screen need not make it small
	barsAt     = 190 // left edge of the bars
	barsWidth  = 180 // of gc's
	mostShare  = 1.2 // a longer bar is cut
	rowHeight  = 36
	barHeight  = 12
)

// chart draws the rows as pairs of bars: gc's is always as long, Loam's is its share of that.
func chart(title string, rows []bar, t theme) string {
	var b strings.Builder
	height := 64 + rowHeight*len(rows)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, sans-serif" font-size="14">`+"\n",
		chartWidth, height, chartWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	text := func(x, y int, anchor, colour, more, s string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="%s" fill="%s"%s>%s</text>`+"\n", x, y, anchor, colour, more, html.EscapeString(s))
	}
	rect := func(x, y int, w float64, colour string) {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`+"\n", x, y, w, barHeight, colour)
	}
	text(0, 18, "start", t.text, ` font-weight="600"`, title)
	rect(barsAt, 30, barHeight, t.gc)
	text(barsAt+18, 41, "start", t.faint, "", "gc")
	rect(barsAt+60, 30, barHeight, t.loam)
	text(barsAt+78, 41, "start", t.faint, "", "Loam")
	for i, r := range rows {
		y := 56 + i*rowHeight
		text(barsAt-12, y+17, "end", t.text, "", r.label)
		rect(barsAt, y, barsWidth, t.gc)
		rect(barsAt, y+barHeight+1, barsWidth*min(max(r.share, 0.004), mostShare), t.loam)
		at := barsAt + int(barsWidth*mostShare) + 12
		text(at, y+11, "start", t.faint, "", r.gc)
		text(at, y+25, "start", t.text, "", fmt.Sprintf("%s  (%s)", r.loam, times(1/r.share)))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// times writes how much better Loam is.
func times(ratio float64) string {
	if ratio >= 10 {
		return fmt.Sprintf("%.0f×", ratio)
	}
	if ratio >= 2 {
		return fmt.Sprintf("%.1f×", ratio)
	}
	return fmt.Sprintf("%.2f×", ratio)
}

// picked are the figures of the picture in README.md, by bench, topic, series and x.
var picked = []struct{ label, bench, topic, series, x string }{
	{"switch of goroutines", "goroutines", "switch", "Gosched", "2"},
	{"goroutine, start to end", "goroutines", "spawn", "2 P", "1"},
	{"channel round trip", "goroutines", "pingpong", "2 P", "1"},
	{"30 million small objects", "memory", "alloc32", "time", ""},
	{"pause of a collection, p99", "memory", "alloc32", "pause p99", ""},
	{"HTTP, 100 clients", "goroutines", "http", "requests", "100"},
	{"build, nothing changed", "build", "unchanged", "elapsed", ""},
}

// summary are the rows of that picture, as far as they have been measured.
func summary(benches map[string]figures.Bench) (rows []bar) {
	for _, p := range picked {
		for _, f := range benches[p.bench].Figures {
			if f.Topic == p.topic && f.Series == p.series && f.X == p.x {
				rows = append(rows, barOf(p.label, f))
			}
		}
	}
	return rows
}
