package exectrace

import (
	"bytes"
	"context"
	"net"
	"runtime"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// TestTasks traces tasks, regions and messages that are known.
func TestTasks(t *testing.T) {
	early, earlyTask := trace.NewTask(context.Background(), "early")
	tr, err := Read(record(t, func() {
		defer trace.StartRegion(early, "left open").End()
		ctx, outer := trace.NewTask(context.Background(), "outer")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				trace.WithRegion(ctx, "work", func() {
					time.Sleep(2 * time.Millisecond)
					trace.WithRegion(ctx, "work", func() { time.Sleep(time.Millisecond) })
				})
			})
		}
		child, inner := trace.NewTask(ctx, "inner")
		trace.Log(child, "kind", "message")
		trace.Log(child, metricCategory, "/loam/x:y 1")
		inner.End()
		wg.Wait()
		outer.End()
		earlyTask.End()
		trace.Log(context.Background(), exitCategory, "panic: at last")
		trace.NewTask(context.Background(), "open")
		trace.Stop()
	}))
	if err != nil {
		t.Fatal(err)
	}
	if tr.Exit != "panic: at last" {
		t.Errorf("exit %q", tr.Exit)
	}

	all := tr.TaskKinds(0, tr.Duration+1)
	for name, open := range map[string]int{"outer": 0, "inner": 0, "": 1, "open": 1} {
		i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
		if i < 0 || all[i].Count != 1 || all[i].Open != open {
			t.Errorf("tasks %s: %+v", name, all)
		}
	}
	list := tr.TasksOf("outer", 0, tr.Duration+1, 9)
	if len(list) != 1 || list[0].Regions != 6 || list[0].Goroutines != 4 || !list[0].Begun || !list[0].Ended ||
		list[0].End-list[0].Begin < 3e6 {
		t.Fatalf("outer tasks %+v", list)
	}
	story := tr.TaskStory(list[0].Index, 99)
	if len(story.Moments) != 7 || story.Parent != nil {
		t.Errorf("story of outer: %+v", story)
	}
	i := slices.IndexFunc(story.Moments, func(m Moment) bool { return m.Kind == "task" })
	inner := tr.TaskStory(int(story.Moments[i].Task), 99)
	if inner.Task.Type != "inner" || inner.Parent == nil || inner.Parent.Type != "outer" || inner.Moments[0].Text != "kind: message" {
		t.Errorf("story of inner: %+v", inner)
	}
	if s := tr.Stacks[inner.Moments[0].Stack]; !slices.ContainsFunc(s, func(f Frame) bool { return strings.Contains(f.Func, "TestTasks") }) {
		t.Errorf("the message was logged at %v", s)
	}
	if m := tr.Messages(0, tr.Duration+1, 9); len(m) != 1 || m[0].Text != "kind: message" {
		t.Errorf("messages %+v", m)
	}

	regions := tr.RegionKinds(0, tr.Duration+1)
	i = slices.IndexFunc(regions, func(k Kind) bool { return k.Name == "work" })
	if i < 0 || regions[i].Count != 6 || regions[i].Open != 0 || regions[i].Duration.P50 < 1e6 {
		t.Fatalf("regions %+v", regions)
	}
	// Three goroutines for 3 ms each; the inner regions do not count again.
	if p := regions[i].Parts; p.Sync < 9e6 || p.Sync+p.Running+p.Runnable+p.Syscall+p.Network > regions[i].Duration.Sum-3e6 {
		t.Errorf("regions work: %+v of %d", *p, regions[i].Duration.Sum)
	}
	if rows := tr.RegionsOf("work", 0, tr.Duration+1, 4); len(rows) != 4 ||
		rows[0].End-rows[0].Start < rows[3].End-rows[3].Start || rows[0].Waiting < 3e6 || rows[0].Task != int32(list[0].Index) {
		t.Errorf("regions work: %+v", rows)
	}
	if n := tr.Flame(BySync, Part{To: tr.Duration, Region: "work"}); n.Value != regions[i].Parts.Sync || find(n, "time.Sleep") == nil {
		t.Errorf("flame graph of regions: %d ns, want %d", n.Value, regions[i].Parts.Sync)
	}
	depths := map[int32]int{}
	for _, r := range tr.Regions {
		if r.Name == "work" {
			depths[r.Depth]++
		}
	}
	if depths[0] != 3 || depths[1] != 3 {
		t.Errorf("depths %v", depths)
	}
}

// awaitWaiting returns once a goroutine waits in that state with a function of that name on its
// stack. On a busy machine it may begin late.
func awaitWaiting(function, state string) {
	text := make([]byte, 1<<20)
	for {
		for _, g := range strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n") {
			if head, rest, _ := strings.Cut(g, "\n"); strings.Contains(head, "["+state) && strings.Contains(rest, function) {
				return
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// TestWakers wants who made a goroutine runnable, and where, and what it waited for apart from
// other waits.
func TestWakers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	tr, err := Read(record(t, func() {
		c := make(chan bool)
		var wg sync.WaitGroup
		wg.Go(func() { receives(c) })
		wg.Go(func() { accepts(listener) })
		awaitWaiting("exectrace.accepts", "IO wait")
		time.Sleep(5 * time.Millisecond)
		sends(c)
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		wg.Wait()
	}))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range tr.Spans {
		if s.By == None {
			continue
		}
		if s.State != Runnable {
			t.Fatalf("%+v: made runnable, but is not", s)
		}
		if strings.HasSuffix(tr.Goroutines[s.G].Func, "TestWakers.func1.1") && s.ByStack != None {
			found = found || slices.ContainsFunc(tr.Stacks[s.ByStack], func(f Frame) bool { return strings.HasSuffix(f.Func, "exectrace.sends") })
		}
	}
	if !found {
		t.Error("nobody made the receiver runnable in sends")
	}
	whole := Part{To: tr.Duration}
	network, waits := tr.Flame(ByNetwork, whole), tr.Flame(ByWaiting, whole)
	if find(network, "net.(*TCPListener).Accept") == nil || network.Value < 4e6 || find(network, "loam/internal/exectrace.receives") != nil {
		t.Errorf("flame graph of the network: %d ns", network.Value)
	}
	if sync := tr.Flame(BySync, whole); sync.Value+network.Value != waits.Value || find(sync, "loam/internal/exectrace.receives") == nil {
		t.Errorf("%d ns for the network, %d for other things, %d in all", network.Value, sync.Value, waits.Value)
	}
	for m := range tr.Threads {
		last := int64(0)
		for _, i := range tr.OnThread[tr.ThreadFrom[m]:tr.ThreadFrom[m+1]] {
			if s := tr.Spans[i]; int(s.Thread) != m || s.Start < last {
				t.Fatalf("thread %d: span %+v begins before %d", m, s, last)
			} else {
				last = s.End
			}
		}
	}

	var data bytes.Buffer
	if err := tr.WriteProfile(&data, ByNetwork, whole); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&data)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, s := range p.Sample {
		sum += s.Value[1]
	}
	if sum != network.Value || len(p.Function) == 0 || p.SampleType[1].Unit != "nanoseconds" {
		t.Errorf("the profile has %d %v, the flame graph %d", sum, p.SampleType, network.Value)
	}
}

//go:noinline
func receives(c chan bool) { <-c }

//go:noinline
func sends(c chan bool) { c <- true }

func accepts(listener net.Listener) {
	if c, err := listener.Accept(); err == nil {
		c.Close()
	}
}
