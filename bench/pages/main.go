// Pages makes docs/bench: for each bench a page with its tables and charts, of the file of figures
// beside it (package figures), so that pages can be made again anywhere. Files that are named are
// taken over from out/bench first. It also draws the pictures of README.md and writes its table of
// servers. A test holds the pages against the files.
//
// usage: go run ./bench/pages [-from out/bench] [-docs docs] [NAME...]
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"loam/bench/figures"
)

func main() {
	from := flag.String("from", "out/bench", "the directory with what was measured")
	docs := flag.String("docs", "docs", "the directory of the documents")
	flag.Parse()
	if err := run(*from, *docs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// run takes over the files of the named benches, and makes all pages below docs.
func run(from, docs string, names []string) error {
	dir := filepath.Join(docs, "bench")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(pages, func(p pageOf) bool { return p.name == name }) {
			return fmt.Errorf("no bench with a page is named %q", name)
		}
		data, err := os.ReadFile(filepath.Join(from, name+".tsv"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".tsv"), data, 0o666)
		}
		if err != nil {
			return err
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, "img", "*.svg"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	files, err := makeAll(docs)
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

// makeAll makes all files, by their names below docs, from the benches in docs/bench.
func makeAll(docs string) (map[string]string, error) {
	files := map[string]string{}
	benches := map[string]figures.Bench{}
	for _, p := range pages {
		b, err := figures.Read(filepath.Join(docs, "bench", p.name+".tsv"))
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
		return nil, fmt.Errorf("%s: %w", docs, fs.ErrNotExist)
	}
	texts := map[string]string{} // of documents that have places to fill, where there are any
	for _, name := range []string{"../README.md", "benchmarks.md"} {
		text, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		texts[name] = string(text)
	}
	if text := texts["benchmarks.md"]; text != "" {
		filled, err := fill(text, "pages", list(benches))
		if err != nil {
			return nil, fmt.Errorf("benchmarks.md %w", err)
		}
		files["benchmarks.md"] = filled
	}
	return files, readme(files, benches, texts["../README.md"])
}
