package exectrace

import (
	"bytes"
	"context"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"
)

// record traces this process while f runs.
func record(t testing.TB, f func()) *bytes.Buffer {
	t.Helper()
	var buffer bytes.Buffer
	if err := trace.Start(&buffer); err != nil {
		t.Fatal(err)
	}
	f()
	trace.Stop()
	return &buffer
}

func sleeper(wg *sync.WaitGroup) {
	defer wg.Done()
	time.Sleep(30 * time.Millisecond)
}

// TestRead traces a program whose doings are known.
func TestRead(t *testing.T) {
	var before, after runtime.MemStats
	var sink [][]byte
	data := record(t, func() {
		runtime.ReadMemStats(&before)
		var wg sync.WaitGroup
		for range 10 {
			wg.Add(1)
			go sleeper(&wg)
		}
		for range 3 {
			sink = append(sink, make([]byte, 1<<20))
			runtime.GC()
		}
		wg.Wait()
		runtime.ReadMemStats(&after)
		trace.Log(context.Background(), metricCategory, "/loam/pool/hits:gets 3")
		trace.Log(context.Background(), metricCategory, "/loam/pool/hits:gets 8")
		trace.Log(context.Background(), growthCategory, "12 main.deep")
		trace.Log(context.Background(), metricCategory, "nonsense")
	})
	runtime.KeepAlive(sink)
	whole := data.Len()
	truncated := bytes.NewReader(append([]byte(nil), data.Bytes()[:whole-whole/10]...))
	tr, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Incomplete != "" {
		t.Error(tr.Incomplete)
	}

	if got, want := len(tr.Collections), int(after.NumGC-before.NumGC); got != want {
		t.Errorf("%d collections, MemStats counts %d", got, want)
	}
	for i, c := range tr.Collections {
		if c.End <= c.Start || c.Pauses != 2 || c.Paused <= 0 || c.Before == 0 || c.Peak < c.Before || c.Goal == 0 {
			t.Errorf("collection %d: %+v", i, c)
		}
	}
	if peak := tr.PeakHeap(); peak < 3<<20 {
		t.Errorf("peak heap %d, 3 MB were live", peak)
	}

	var sleepers *Group
	groups := tr.Groups(ByFunc, 0, tr.Duration)
	for i := range groups {
		if strings.HasSuffix(groups[i].Key, "exectrace.sleeper") {
			sleepers = &groups[i]
		}
	}
	if sleepers == nil {
		t.Fatalf("no group of sleepers in %v", groups)
	}
	if sleepers.Count != 10 || sleepers.Waiting.P50 < 29e6 || sleepers.Waiting.P50 > sleepers.Waiting.Max {
		t.Errorf("sleepers: %+v", *sleepers)
	}
	if r := sleepers.Reasons; len(r) == 0 || r[0].Name != "sleep" || r[0].Count != 10 || r[0].Time < 290e6 {
		t.Errorf("sleepers waited for %+v", r)
	}
	if list := tr.Members(ByFunc, sleepers.Key, 0, tr.Duration, 4); len(list) != 4 || list[0].Running < list[3].Running {
		t.Errorf("members %+v", list)
	}
	started := tr.Groups(ByStatement, 0, tr.Duration)
	if i := indexOf(started, "read_test.go:"); i < 0 || started[i].Count != 10 {
		t.Errorf("no go statement of ten goroutines in %v", started)
	}

	checkOrder(t, tr)
	waits := 0
	for _, b := range tr.Latency(ByFunc, sleepers.Key, 0, tr.Duration+1).Buckets {
		waits += b.Count
	}
	if waits < 20 { // each waits at its start and after its sleep
		t.Errorf("ten sleepers waited for a P %d times", waits)
	}
	if n := tr.Flame(ByWaiting, Part{To: tr.Duration}); n.Value < 300e6 || find(n, "time.Sleep") == nil {
		t.Errorf("flame graph of waits: %d ns", n.Value)
	}

	figures := tr.Figures()
	if m := figures.Metrics; len(m) != 1 || m[0].Name != "/loam/pool/hits:gets" || m[0].First != 3 || m[0].Last != 8 {
		t.Errorf("metrics %+v", m)
	}
	if g := figures.Growth; len(g) != 1 || g[0] != (Growth{"main.deep", 12}) {
		t.Errorf("growth %+v", g)
	}

	if cut, err := Read(truncated); err != nil {
		t.Log("truncated:", err) // nothing of the only generation can be read
	} else if cut.Incomplete == "" {
		t.Error("a truncated trace is not called incomplete")
	}
}

// checkOrder checks what the tables promise.
func checkOrder(t *testing.T, tr *Trace) {
	t.Helper()
	for g, info := range tr.Goroutines {
		for i := info.First; i < info.Last; i++ {
			s := tr.Spans[i]
			if int(s.G) != g || s.End < s.Start || i > info.First && s.Start < tr.Spans[i-1].End {
				t.Fatalf("span %d of goroutine %d: %+v", i, g, s)
			}
		}
	}
	for p := range tr.Procs {
		last := int64(0)
		for _, i := range tr.OnProc[tr.ProcFirst[p]:tr.ProcFirst[p+1]] {
			s := tr.Spans[i]
			if int(s.Proc) != p || s.State != Running || s.Start < last {
				t.Fatalf("P %d: span %+v begins before %d", p, s, last)
			}
			last = s.End
		}
	}
}

func indexOf(groups []Group, part string) int {
	for i, g := range groups {
		if strings.Contains(g.Key, part) && g.Count == 10 {
			return i
		}
	}
	return -1
}

func find(n *Node, name string) *Node {
	if n.Name == name {
		return n
	}
	for _, c := range n.Children {
		if f := find(c, name); f != nil {
			return f
		}
	}
	return nil
}

func TestReadErrors(t *testing.T) {
	for _, text := range []string{"", "hello", "package main\n\nfunc main() {}\n", "go 1.26 trace\x00\x00\x00"} {
		if tr, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a trace: %+v", text, tr)
		}
	}
}
