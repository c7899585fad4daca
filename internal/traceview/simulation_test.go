package traceview

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/simtrace"
)

// The page is another one than that of execution traces, and gets the runs and where they part.
func TestSimulation(t *testing.T) {
	source := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {\n\twork()\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text := simtrace.Head + "stack 1\n\t" + source + ":4\tmain.main\n\t/no/such.go:3\tmain.none\n\t$LOAMROOT/rt/sim/place.go:1\tsim.own\n" +
		"goroutine 1 77 0 0\ngoroutine 5 78 1 0\nturn 0 0 1 1 0 1\nleft 1 300 1 1 interrupted\nnote seed 7: fails\n"
	var runs []*simtrace.Trace
	for _, s := range []string{text, strings.NewReplacer("interrupted", "ended", "goroutine 5 78 1 0\n",
		"goroutine 5 79 1 0\ngoroutine 6 78 1 0\n").Replace(text)} {
		r, err := simtrace.Read(strings.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	server := httptest.NewServer(NewSimulation([]string{"a", "b"}, runs))
	defer server.Close()
	get := func(path string) string {
		t.Helper()
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, r.Status, err)
		}
		return string(body)
	}
	if page := get("/"); !strings.Contains(page, "simulation.js") {
		t.Errorf("the page is %s", page)
	}
	get("/simulation.js")
	get("/view.css")
	var answer struct {
		Runs []struct {
			Name, Note string
			Events     []struct {
				Kind     string
				Stack    int
				Deviates bool
			}
			Goroutines []struct{ Number, Label uint64 }
			Stacks     [][]struct{ Func, Source string }
		}
		Difference simtrace.Difference
	}
	if err := json.Unmarshal([]byte(get("/api/simulation")), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Runs) != 2 || answer.Runs[0].Name != "a" || answer.Runs[1].Note != "seed 7: fails" || answer.Difference.A != 1 {
		t.Errorf("%+v", answer)
	}
	if e := answer.Runs[0].Events; len(e) != 2 || e[0].Kind != "turn" || e[0].Deviates || !e[1].Deviates ||
		answer.Runs[0].Stacks[e[1].Stack][0].Func != "main.main" {
		t.Errorf("%+v", e)
	}
	if f := answer.Runs[0].Stacks[1]; f[0].Source != "work()" || f[1].Source != "" || f[2].Source != "package sim" {
		t.Errorf("the source of a stack is %+v", f)
	}
	// A goroutine is called alike in both runs, and no two are in one.
	if g := answer.Runs[1].Goroutines; len(g) != 3 || g[0].Label != 1 || g[1].Label != 6 || g[2].Label != 5 {
		t.Errorf("%+v", g)
	}
}
