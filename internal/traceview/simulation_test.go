package traceview

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"loam/internal/simtrace"
)

// The page is another one than that of execution traces, and gets the runs and where they part.
func TestSimulation(t *testing.T) {
	const text = simtrace.Head + "stack 1\n\t/src/a.go:10\tmain.main\ngoroutine 1 77 0 0\nturn 0 0 1 1 0 1\nleft 1 300 1 1 interrupted\nnote seed 7: fails\n"
	var runs []*simtrace.Trace
	for _, s := range []string{text, strings.Replace(text, "interrupted", "ended", 1)} {
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
			Stacks [][]simtrace.Frame
		}
		Difference simtrace.Difference
	}
	if err := json.Unmarshal([]byte(get("/api/simulation")), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Runs) != 2 || answer.Runs[0].Name != "a" || answer.Runs[1].Note != "seed 7: fails" || answer.Difference.A != 1 {
		t.Errorf("%+v", answer)
	}
	if e := answer.Runs[0].Events; len(e) != 2 || e[0].Kind != "turn" || e[0].Deviates || !e[1].Deviates || answer.Runs[0].Stacks[e[1].Stack][0].Func != "main.main" {
		t.Errorf("%+v", e)
	}
}
