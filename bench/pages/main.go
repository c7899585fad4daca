// Pages makes docs/bench: for each bench that has a file in out/bench (package figures) a page with
// its tables and charts, and the file itself, so that pages can be made again anywhere. It also draws
// the picture of README.md. A test holds the pages against the files.
//
// usage: go run ./bench/pages
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"loam/bench/figures"
)

func main() {
	from := flag.String("from", "out/bench", "the directory with what was measured")
	to := flag.String("to", "docs", "the directory of the documents")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// run takes over the files in from, of benches that have pages, and makes all pages below docs.
func run(from, docs string) error {
	dir := filepath.Join(docs, "bench")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range pages {
		data, err := os.ReadFile(filepath.Join(from, p.name+".tsv"))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, p.name+".tsv"), data, 0o666)
		}
		if err != nil {
			return err
		}
	}
	files, err := makeAll(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(docs, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// makeAll makes all files, by their names below docs, from the benches in dir.
func makeAll(dir string) (map[string]string, error) {
	files := map[string]string{}
	benches := map[string]figures.Bench{}
	for _, p := range pages {
		b, err := figures.Read(filepath.Join(dir, p.name+".tsv"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		benches[p.name] = b
		page(files, p, b)
	}
	if len(benches) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	if rows := summary(benches); len(rows) > 0 {
		const title = "What it costs, as a share of gc: shorter is better"
		files["img/summary.svg"] = chart(title, rows, light)
		files["img/summary-dark.svg"] = chart(title, rows, dark)
	}
	return files, nil
}
