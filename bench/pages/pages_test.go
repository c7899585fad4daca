package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loam/bench/figures"
)

// drawings begins the names of pictures that show no figures.
const drawings = "img/simulation-"

// TestPages: the pages and pictures in docs are what the files of figures beside them make.
func TestPages(t *testing.T) {
	const docs = "../../docs"
	files, err := makeAll(docs)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("docs/%s is not what the figures make: go run ./bench/pages", name)
		}
	}
	for _, pattern := range []string{"bench/*.md", "bench/img/*.svg", "img/*.svg"} {
		there, err := filepath.Glob(filepath.Join(docs, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range there {
			name, err := filepath.Rel(docs, file)
			if err != nil {
				t.Fatal(err)
			}
			if name == "bench/modules.md" || name == "bench/modules-race.md" {
				continue // conformance/modules makes it
			}
			if files[name] == "" && !strings.HasPrefix(name, drawings) {
				t.Errorf("no figures make docs/%s", name)
			}
		}
	}
	b, err := figures.Read(filepath.Join(docs, "bench", "servers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	measured := 0
	for _, f := range b.Figures {
		if f.X == clients && f.Series == "requests" {
			measured++
		}
	}
	if measured < 4 {
		t.Errorf("only %d servers are measured with %s clients", measured, clients)
	}
	for name, rows := range map[string]int{"summary": len(picked), "servers": measured} {
		if n := strings.Count(files["img/"+name+".svg"], "<rect"); n != 2+2*rows {
			t.Errorf("README's picture %s has %d bars, not two for each of %d figures", name, n, rows)
		}
	}
	if n := strings.Count(files["../README.md"], "ratio | p99"); n != 1 {
		t.Errorf("README has %d tables of servers", n)
	}
}

func TestFigures(t *testing.T) {
	dir := t.TempDir()
	old := figures.Figure{Topic: "a", Series: "b", X: "1", Unit: "ns", GC: figures.Of([]float64{30, 10, 20}),
		Loam: figures.Of([]float64{5}), Rounds: 3}
	rate := figures.Figure{Topic: "a", Series: "rate", Unit: "1/s", GC: figures.Of([]float64{100}),
		Loam: figures.Of([]float64{250, 150}), Rounds: 2}
	b := figures.Bench{Name: "x", Machine: []string{"machine: one", "command: a"}, Figures: []figures.Figure{old}}
	if err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := figures.Read(filepath.Join(dir, "x.tsv"))
	if err != nil || !slices.Equal(got.Figures, b.Figures) || !slices.Equal(got.Machine, b.Machine) {
		t.Errorf("%+v, %v", got, err)
	}
	if old.Ratio() != 4 || rate.Ratio() != 2 {
		t.Errorf("ratios %v and %v", old.Ratio(), rate.Ratio())
	}
	next := figures.Bench{Name: "x", Machine: []string{"machine: one", "command: b"}}
	if err := next.Keep(got); err != nil {
		t.Fatal(err)
	}
	again := old
	again.GC = figures.Of([]float64{25})
	next.Add(again)
	next.Add(rate)
	if want := []string{"machine: one", "command: a", "command: b"}; !slices.Equal(next.Figures,
		[]figures.Figure{again, rate}) || !slices.Equal(next.Machine, want) {
		t.Errorf("%+v", next)
	}
	other := figures.Bench{Name: "x", Machine: []string{"machine: two"}}
	if err := other.Keep(got); err == nil || !strings.Contains(err.Error(), "machine: two") {
		t.Errorf("figures of two machines in a file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x.tsv"), []byte("a\tb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err = figures.Read(filepath.Join(dir, "x.tsv")); err == nil || !strings.Contains(err.Error(), "x.tsv:1: 2 fields") {
		t.Errorf("a bad line: %v", err)
	}
}

func TestQuantity(t *testing.T) {
	for want, got := range map[string]string{
		"6.30 ns":   quantity(6.3, "ns"),
		"1.72 µs":   quantity(1719, "ns"),
		"88,100 /s": quantity(88100, "1/s"),
		"2.40 KB":   quantity(2461, "B"),
		"694 ms":    quantity(0.694, "s"),
		"89.0 µs":   quantity(89, "µs"),
		"17.1 MB":   quantity(17.125, "MB"),
		"300":       quantity(300, ""),

		"1.02 ms (0.80 to 1.09)":       sample(figures.Sample{Median: 1.02e6, Low: 798e3, High: 1.09e6}, "ns"),
		"39,542 /s (36,370 to 48,467)": sample(figures.Sample{Median: 39542, Low: 36370, High: 48467}, "1/s"),
	} {
		if want != got {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
