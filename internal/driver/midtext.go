package driver

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	"loam/internal/compile"
	"loam/internal/load"
	"loam/internal/mid"
)

// What -gcflags=-d=mid=FUNC and LOAMMID=FUNC show: a function of the named packages as it is
// made, and after each pass. The flag prints text; LOAMMID writes a page with the source and
// the texts side by side, as GOSSAFUNC does for gc.

// midText collects the texts of one package.
type midText struct {
	g      *Graph
	n      *unit
	c      *load.Checked
	flag   string // the function's name, "" for none
	page   string // likewise
	lines  []string
	pages  bytes.Buffer
	titles int
}

// shows reports whether something is to be shown of the package.
func (t *midText) shows() bool { return t.flag != "" || t.page != "" }

// show has in tell t what the passes do.
func (t *midText) show(in *compile.Input) {
	is := func(name string, f *mid.Func) bool {
		return name != "" && (f.Name() == name || t.g.gcName(t.n, f) == name)
	}
	in.Dumped = func(f *mid.Func) bool { return f.Pkg == in.Lower.Pkg && (is(t.flag, f) || is(t.page, f)) }
	in.Dump = func(f *mid.Func, after, text string) {
		title := "made"
		if after != "" {
			title = "after " + after
		}
		if is(t.flag, f) {
			t.lines = append(t.lines, title+":\n"+strings.TrimSuffix(text, "\n"))
		}
		if is(t.page, f) {
			if after == "" {
				t.column("source", t.source(f))
			}
			t.column(title, text)
		}
	}
}

// source is the text of f in the source.
func (t *midText) source(f *mid.Func) string {
	root := f.Syntax()
	if root == nil {
		return ""
	}
	from, to := t.g.u.Fset.PositionFor(root.Pos(), false), t.g.u.Fset.PositionFor(root.End(), false)
	for _, name := range t.n.pkg.GoFiles {
		if t.g.u.Show(name) == from.Filename || name == from.Filename {
			if text, err := os.ReadFile(t.n.pkg.Source(name)); err == nil && to.Offset <= len(text) {
				return string(text[from.Offset:to.Offset])
			}
		}
	}
	return from.String()
}

func (t *midText) column(title, text string) {
	t.titles++
	fmt.Fprintf(&t.pages, "<td><h2>%s</h2><pre>%s</pre></td>\n", html.EscapeString(title), html.EscapeString(text))
}

// finish writes the page, and returns what is to be printed.
func (t *midText) finish() ([]string, error) {
	if t.titles == 0 {
		return t.lines, nil
	}
	name := filepath.Join(t.g.b.WorkDir, "mid.html")
	const head = `<!DOCTYPE html><meta charset="utf-8"><title>%s</title>
<style>td { vertical-align: top; border-left: 1px solid #ccc; padding: 0 1em }
h2 { font: bold 14px sans-serif } pre { font-size: 12px }</style>
<h1>%s</h1>
<table><tr>
`
	title := html.EscapeString(t.page)
	text := append(fmt.Appendf(nil, head, title, title), t.pages.Bytes()...)
	if err := os.WriteFile(name, append(text, "</tr></table>\n"...), 0o666); err != nil {
		return nil, err
	}
	return append(t.lines, "dumped mid to ./mid.html"), nil
}
