package traceview

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"slices"
	"strings"
	"testing"
	"time"

	"loam/internal/exectrace"
)

// traceFile records this process over three collections.
func traceFile(t *testing.T) File {
	name := filepath.Join(t.TempDir(), "trace")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := trace.Start(f); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		done := make(chan bool)
		go func() { runtime.GC(); done <- true }()
		<-done
	}
	trace.Stop()
	return File(name)
}

func serve(t *testing.T, source Source) (*Server, *httptest.Server) {
	s := New(source)
	if err := s.Record(t.Context(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, h
}

func ask(t *testing.T, address string, into any) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", address, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatalf("%s: %v", address, err)
	}
}

func TestQuestions(t *testing.T) {
	s, h := serve(t, traceFile(t))
	var sum exectrace.Sum
	ask(t, h.URL+"/api/sum?sel=0,1-2", &sum)
	if want := s.Trace().Sum([]int{0, 1, 2}); sum != want || sum.Count != 3 {
		t.Errorf("sum %+v, want %+v", sum, want)
	}
	var groups []exectrace.Group
	ask(t, h.URL+"/api/groups?by=statement", &groups)
	if !slices.ContainsFunc(groups, func(g exectrace.Group) bool {
		return strings.Contains(g.Key, "server_test.go:") && g.Count == 3
	}) {
		t.Errorf("groups %+v", groups)
	}
	var summary struct {
		Duration    int64
		Procs       []int64
		Strings     []string
		Collections []exectrace.Collection
	}
	ask(t, h.URL+"/api/trace", &summary)
	if summary.Duration != s.Trace().Duration || len(summary.Procs) == 0 || len(summary.Collections) < 3 || len(summary.Strings) == 0 {
		t.Errorf("summary %+v", summary)
	}
	var latency exectrace.Latency
	ask(t, h.URL+"/api/latency", &latency)
	if latency.Count < 3 {
		t.Errorf("latency %+v", latency)
	}
	for _, weigh := range []string{"cpu", "waiting", "syscall", "runnable"} {
		ask(t, h.URL+"/api/flame?weigh="+weigh, new(exectrace.Node))
	}
}

func TestRefused(t *testing.T) {
	_, h := serve(t, traceFile(t))
	for path, want := range map[string]int{
		// a collection of the test itself may have joined the three,
		"/api/sum?sel=0-1000":         http.StatusBadRequest,
		"/api/sum?sel=2-1":            http.StatusBadRequest,
		"/api/sum?sel=x":              http.StatusBadRequest,
		"/api/groups?by=color":        http.StatusBadRequest,
		"/api/groups?from=x":          http.StatusBadRequest,
		"/api/flame?weigh=gold":       http.StatusBadRequest,
		"/api/task?i=999999999":       http.StatusBadRequest,
		"/api/utilization?work=sloth": http.StatusBadRequest,
		"/api/profile?weigh=gold":     http.StatusBadRequest,
		"/api/stack?i=-1":             http.StatusBadRequest,
		"/api/columns?number=7":       http.StatusGone,
		"/nothing":                    http.StatusNotFound,
	} {
		response, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, response.Status, want)
		}
	}
	request, _ := http.NewRequest("GET", h.URL+"/api/trace", nil)
	request.Host = "elsewhere.example"
	if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("another host's name: %v, %v", response.Status, err)
	}
	if response, err := http.Post(h.URL+"/api/record?seconds=1", "", nil); err != nil || response.StatusCode != http.StatusBadRequest {
		t.Errorf("recording a file: %v, %v", response.Status, err)
	}
}

// TestColumns reads the columns back as the browser does.
func TestColumns(t *testing.T) {
	s, _ := serve(t, traceFile(t))
	data := s.shown().columns
	size := int(binary.LittleEndian.Uint32(data))
	var header []column
	if err := json.Unmarshal(data[4:4+size], &header); err != nil {
		t.Fatal(err)
	}
	if (4+size)%8 != 0 {
		t.Errorf("the arrays begin at %d", 4+size)
	}
	body := data[4+size:]
	tr := s.Trace()
	widths := map[string]int{"f64": 8, "i32": 4, "u8": 1}
	found := 0
	for _, c := range header {
		if c.Offset%8 != 0 || c.Offset+c.Length*widths[c.Type] > len(body) {
			t.Errorf("%+v in %d bytes", c, len(body))
		}
		switch c.Name {
		case "span.end":
			found++
			if c.Length != len(tr.Spans) {
				t.Errorf("%d spans, want %d", c.Length, len(tr.Spans))
			}
			for i, span := range tr.Spans {
				if v := math.Float64frombits(binary.LittleEndian.Uint64(body[c.Offset+8*i:])); v != float64(span.End) {
					t.Fatalf("end of span %d: %v, want %v", i, v, span.End)
				}
			}
		case "span.state":
			found++
			for i, span := range tr.Spans {
				if body[c.Offset+i] != byte(span.State) {
					t.Fatalf("state of span %d", i)
				}
			}
		case "mark.first":
			found++
			if last := binary.LittleEndian.Uint32(body[c.Offset+4*(c.Length-1):]); c.Length != len(tr.Procs)+1 || int(last) != len(tr.Marks) {
				t.Errorf("mark.first has %d elements and ends with %d", c.Length, last)
			}
		}
	}
	if found != 3 {
		t.Errorf("columns: %+v", header)
	}
}

// TestLive records a program, this one, over HTTP, and again when the page asks.
func TestLive(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	program := httptest.NewServer(mux)
	defer program.Close()
	source, err := ParseURL(program.URL)
	if err != nil {
		t.Fatal(err)
	}
	s, h := serve(t, source)
	if s.Trace().Events == 0 {
		t.Error("no events")
	}
	response, err := http.Post(h.URL+"/api/record?seconds=0.1", "", nil)
	if err != nil || response.StatusCode != http.StatusNoContent {
		t.Fatalf("record: %v, %v", response.Status, err)
	}
	if n := s.shown().number; n != 1 {
		t.Errorf("recording %d is shown", n)
	}
	request, _ := http.NewRequest("POST", h.URL+"/api/record?seconds=0.1", nil)
	request.Header.Set("Origin", "http://elsewhere.example")
	if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("another site may record: %v, %v", response.Status, err)
	}
}

func TestSources(t *testing.T) {
	for _, address := range []string{"http://", "ftp://x/y", "://x"} {
		if u, err := ParseURL(address); err == nil {
			t.Errorf("%s is taken for %s", address, u.Name())
		}
	}
	for address, want := range map[string]string{
		"http://localhost:6060":                             "http://localhost:6060/debug/pprof/trace",
		"http://localhost:6060/debug/pprof/":                "http://localhost:6060/debug/pprof/trace",
		"http://localhost:6060/admin/debug/trace?seconds=9": "http://localhost:6060/admin/debug/trace?seconds=9",
	} {
		if u, err := ParseURL(address); err != nil || u.Name() != want {
			t.Errorf("%s: %s, %v", address, u.Name(), err)
		}
	}
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	u, err := ParseURL(missing.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := New(u).Record(context.Background(), time.Second); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a program without pprof: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	os.WriteFile(text, []byte("no trace\n"), 0o666)
	if err := New(File(text)).Record(context.Background(), 0); err == nil || !strings.Contains(err.Error(), "not an execution trace") {
		t.Errorf("a text file: %v", err)
	}
}

// TestAssets checks that assets/ was built from what is in web/: assets/SOURCE is the hash
// that web/build.mjs wrote.
func TestAssets(t *testing.T) {
	files, err := filepath.Glob("web/src/*")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "web/build.mjs", "web/package.json", "web/package-lock.json")
	slices.Sort(files)
	hash := sha256.New()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(hash, "%s %d\n", strings.TrimPrefix(name, "web/"), len(data))
		hash.Write(data)
	}
	built, err := os.ReadFile("assets/SOURCE")
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != string(bytes.TrimSpace(built)) {
		t.Error("assets/ is older than web/: run make web")
	}
}
