// Plot draws the medians that bench leaves, one SVG a topic: gc and Loam, each series a line.
//
// It is a module of its own so that the compiler does not depend on a plotting library.
//
// usage: go run -C bench/plot . ../../out/bench/goroutines.tsv
package main

import (
	"bufio"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plot FILE.tsv")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// A series has the points of gc and of Loam.
type series struct {
	name   string
	points [2]plotter.XYs
}

// A chart is what is drawn together: the series of a topic with one unit.
type chart struct {
	topic, unit string
	series      []*series
}

func run(file string) error {
	charts, err := read(file)
	if err != nil {
		return err
	}
	for _, c := range charts {
		name := c.topic + "-" + map[string]string{"ns": "time", "B": "memory", "1/s": "rate", "MB": "heap"}[c.unit] + ".svg"
		if err := c.draw(filepath.Join(filepath.Dir(file), name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func read(file string) ([]*chart, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var charts []*chart
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		field := strings.Split(s.Text(), "\t")
		if len(field) < 6 {
			return nil, fmt.Errorf("%s: a line has %d fields, not 6 or more: %q", file, len(field), s.Text())
		}
		var v [3]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(field[2+i], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		i := slices.IndexFunc(charts, func(c *chart) bool { return c.topic == field[0] && c.unit == field[5] })
		if i < 0 {
			i = len(charts)
			charts = append(charts, &chart{topic: field[0], unit: field[5]})
		}
		c := charts[i]
		i = slices.IndexFunc(c.series, func(s *series) bool { return s.name == field[1] })
		if i < 0 {
			i = len(c.series)
			c.series = append(c.series, &series{name: field[1]})
		}
		for k := range 2 {
			if v[1+k] > 0 { // both axes are logarithmic
				c.series[i].points[k] = append(c.series[i].points[k], plotter.XY{X: v[0], Y: v[1+k]})
			}
		}
	}
	return charts, nil
}

var colours = [2]color.Color{color.RGBA{R: 0, G: 125, B: 156, A: 255}, color.RGBA{R: 190, G: 90, B: 20, A: 255}}

func (c *chart) draw(file string) error {
	p := plot.New()
	p.Title.Text = c.topic
	p.X.Label.Text = "x (see docs/benchmarks.md)"
	p.Y.Label.Text = c.unit
	overTime := c.unit == "MB" // heap and goal, milliseconds from the start
	if overTime {
		p.X.Label.Text = "ms"
	} else {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	lowest, highest := 0.0, 0.0
	for i, s := range c.series {
		for k, compiler := range []string{"gc", "Loam"} {
			if len(s.points[k]) == 0 {
				continue
			}
			line, dots, err := plotter.NewLinePoints(s.points[k])
			if err != nil {
				return err
			}
			line.Color, dots.Color = colours[k], colours[k]
			line.Dashes = [][]vg.Length{nil, {4, 2}, {1, 2}, {6, 2, 1, 2}, {8, 4}}[i%5]
			dots.Shape = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}}[i%5]
			if overTime {
				p.Add(line)
				p.Legend.Add(compiler+" "+s.name, line)
			} else {
				p.Add(line, dots)
				p.Legend.Add(compiler+" "+s.name, line, dots)
			}
			for _, xy := range s.points[k] {
				if lowest == 0 || xy.Y < lowest {
					lowest = xy.Y
				}
				highest = max(highest, xy.Y)
			}
		}
	}
	if overTime {
		p.Y.Min, p.Y.Max = 0, highest*1.3
		return p.Save(24*vg.Centimeter, 12*vg.Centimeter, file)
	}
	p.Y.Min, p.Y.Max = lowest/2, highest*4
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2
	}
	return p.Save(18*vg.Centimeter, 12*vg.Centimeter, file)
}
