package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"
	"time"
)

type row struct {
	Name  string
	Size  int64
	Ratio float64
	Tags  map[string][]string
}

type visitor struct{ strings.Builder }

func walk(dir string, match *regexp.Regexp) (rows []row, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := os.Stat(p)
		if err != nil {
			return fmt.Errorf("stat: %w", err)
		}
		if match.MatchString(filepath.Base(p)) {
			rows = append(rows, row{Name: p, Size: st.Size(), Ratio: math.Sqrt(float64(st.Size()))})
		}
		return nil
	})
	return rows, err
}

func main() {
	fl := flag.NewFlagSet("x", flag.ExitOnError)
	dir := fl.String("dir", ".", "directory")
	n := fl.Int("n", runtime.NumCPU(), "number")
	verbose := fl.Bool("v", false, "verbose")
	wait := fl.Duration("wait", 0, "wait")
	fl.Parse(os.Args[1:])
	time.Sleep(*wait)
	rows, err := walk(*dir, regexp.MustCompile(`\.go$`))
	if err != nil {
		fmt.Fprintln(os.Stderr, "x:", err)
		os.Exit(1)
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Size < rows[j].Size })
	var wg sync.WaitGroup
	ch := make(chan row, *n)
	for range *n {
		wg.Go(func() {
			for r := range ch {
				data, err := os.ReadFile(r.Name)
				if errors.Is(err, os.ErrNotExist) {
					continue
				}
				r.Tags = map[string][]string{"w": strings.Fields(string(bytes.ToUpper(data)))}
				fmt.Printf("%v %+v %q %x %8.3f %T\n", r, r, r.Name, r.Name, r.Ratio, r)
			}
		})
	}
	for _, r := range rows {
		ch <- r
	}
	close(ch)
	wg.Wait()
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 1, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\n", r.Name, r.Size)
	}
	w.Flush()
	template.Must(template.New("t").Parse("{{range .}}{{.Name}} {{printf \"%d\" .Size}}\n{{end}}")).Execute(os.Stdout, rows)
	out, err := exec.Command("ls", "-l").CombinedOutput()
	if err != nil {
		panic(err)
	}
	sc := bufio.NewScanner(bytes.NewReader(out))
	counts := map[string]int{}
	for sc.Scan() {
		for _, f := range strings.Split(sc.Text(), " ") {
			counts[f]++
		}
	}
	keys := slices.Sorted(maps.Keys(counts))
	for _, k := range keys {
		if v, err := strconv.ParseFloat(k, 64); err == nil && v > rand.Float64() {
			fmt.Println(strconv.Quote(k), v)
		}
	}
	cw := csv.NewWriter(os.Stdout)
	cw.Write(keys)
	cw.Flush()
	cr := csv.NewReader(os.Stdin)
	recs, err := cr.ReadAll()
	if err != nil && err != io.EOF {
		fmt.Println(err)
	}
	var v any
	json.Unmarshal([]byte("{}"), &v)
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	e.Encode(map[string]any{"rows": rows, "recs": recs, "at": time.Now().Format(time.RFC3339), "v": v})
	if f, err := os.Create("x"); err == nil && *verbose {
		bw := bufio.NewWriter(f)
		fmt.Fprintf(bw, "%s", strings.Repeat("x", 10))
		bw.Flush()
		f.Close()
		os.Rename("x", "y")
		os.MkdirAll("d/e", 0o777)
		os.RemoveAll("d")
	}
}
