package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

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

// A layout has the measures of a chart with two bars a row.
type layout struct {
	width     int
	barsAt    int // left edge of the bars
	barsWidth int // of gc's
	fontSize  int
}

var (
	// A phone's screen need not make it small.
	ofPage = layout{width: 560, barsAt: 190, barsWidth: 180, fontSize: 14}
	// Two stand side by side in README.
	ofReadme = layout{width: 416, barsAt: 146, barsWidth: 110, fontSize: 12}
)

const (
	mostShare = 1.2 // a longer bar is cut
	rowHeight = 36
	barHeight = 12
)

// A drawing is an SVG that is being written.
type drawing struct {
	strings.Builder
	t theme
}

func draw(title string, width, height, fontSize int, t theme) *drawing {
	d := &drawing{t: t}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, sans-serif" font-size="%d">`+"\n",
		width, height, width, height, fontSize)
	fmt.Fprintf(d, "<title>%s</title>\n", html.EscapeString(title))
	d.text(0, 18, "start", t.text, ` font-weight="600"`, title)
	return d
}

func (d *drawing) text(x, y int, anchor, colour, more, s string) {
	fmt.Fprintf(d, `<text x="%d" y="%d" text-anchor="%s" fill="%s"%s>%s</text>`+"\n", x, y, anchor, colour, more, html.EscapeString(s))
}

func (d *drawing) rect(x, y int, w float64, h int, colour string) {
	fmt.Fprintf(d, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`+"\n", x, y, w, h, colour)
}

func (d *drawing) end() string {
	d.WriteString("</svg>\n")
	return d.String()
}

// holding makes room for the rows' labels.
func (l layout) holding(rows []bar) layout {
	for _, r := range rows {
		if more := utf8.RuneCountInString(r.label)*l.fontSize*11/20 + 14 - l.barsAt; more > 0 {
			l.barsAt += more
			l.width += more
		}
	}
	return l
}

// chart draws the rows as pairs of bars: gc's is always as long, Loam's is its share of that.
func chart(title string, rows []bar, l layout, t theme) string {
	l = l.holding(rows)
	d := draw(title, l.width, 64+rowHeight*len(rows), l.fontSize, t)
	d.rect(l.barsAt, 30, barHeight, barHeight, t.gc)
	d.text(l.barsAt+18, 41, "start", t.faint, "", "gc")
	d.rect(l.barsAt+60, 30, barHeight, barHeight, t.loam)
	d.text(l.barsAt+78, 41, "start", t.faint, "", "Loam")
	wide := float64(l.barsWidth)
	for i, r := range rows {
		y := 56 + i*rowHeight
		d.text(l.barsAt-12, y+17, "end", t.text, "", r.label)
		d.rect(l.barsAt, y, wide, barHeight, t.gc)
		d.rect(l.barsAt, y+barHeight+1, wide*min(max(r.share, 0.004), mostShare), barHeight, t.loam)
		at := l.barsAt + int(wide*mostShare) + 10
		d.text(at, y+11, "start", t.faint, "", r.gc)
		d.text(at, y+25, "start", t.text, "", fmt.Sprintf("%s  (%s)", r.loam, times(1/r.share)))
	}
	return d.end()
}

// ranking draws many rows, one thin bar each: what Loam takes, and a line where gc is. The rows
// where Loam is best come first.
func ranking(title string, rows []bar, t theme) string {
	const height, thick, top = 17, 9, 52
	l := ofPage.holding(rows)
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b bar) int { return cmp.Compare(a.share, b.share) })
	d := draw(title, l.width, top+8+height*len(rows), 13, t)
	gc := l.barsAt + l.barsWidth
	d.text(gc, 44, "middle", t.faint, "", "gc")
	d.text(l.barsAt, 44, "start", t.loam, "", "Loam")
	for i, r := range rows {
		y := top + i*height
		d.text(l.barsAt-12, y+thick, "end", t.text, "", r.label)
		d.rect(l.barsAt, y, float64(l.barsWidth)*min(max(r.share, 0.004), 1.6), thick, t.loam)
		d.text(l.width-8, y+thick, "end", t.text, "", times(1/r.share))
	}
	fmt.Fprintf(d, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s"/>`+"\n", gc, top-4, gc, top+height*len(rows), t.faint)
	return d.end()
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
