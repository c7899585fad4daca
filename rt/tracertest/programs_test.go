package tracertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/trace"

	"loam/examples/feeds/gctrace"
	"loam/internal/loamtest"
)

// run runs a program and returns its standard output and standard error.
func run(t *testing.T, settings []string, exe string, args ...string) (out, errs []byte) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Env = loamtest.Environ(settings...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := loamtest.Guard(cmd, 2*time.Minute)
	err := cmd.Wait()
	stop()
	if err != nil {
		t.Fatalf("%v\n%s", err, loamtest.Clip(e.String()))
	}
	return o.Bytes(), e.Bytes()
}

// readFile reads a trace with x/exp/trace and with go tool trace.
func readFile(t *testing.T, file string, visit func(*trace.Event)) *figures {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := read(f, visit)
	if err != nil {
		t.Fatal(err)
	}
	if got.events["StateTransition"] == 0 {
		t.Fatalf("the trace is empty: %v", got.events)
	}
	var errs strings.Builder
	tool := exec.Command("go", "tool", "trace", "-d=parsed", file)
	tool.Stderr = &errs
	if err := tool.Run(); err != nil || errs.Len() != 0 {
		t.Fatalf("go tool trace: %v\n%s", err, errs.String())
	}
	return got
}

// TestUpstreamPrograms takes traces of the programs with which upstream tests its tracer.
func TestUpstreamPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	for _, name := range []string{"annotations", "annotations-stress", "futile-wakeup", "gc-stress", "gomaxprocs", "iter-pull",
		"many-start-stop", "stress", "stress-start-stop", "wait-on-pipe"} {
		t.Run(name, func(t *testing.T) {
			exe, _ := testProgram(t, loam, name)
			out, _ := run(t, nil, exe)
			if _, err := read(bytes.NewReader(out), nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// testProgram builds one of upstream's programs and returns the executable and the source.
func testProgram(t *testing.T, loam, name string) (exe string, src []byte) {
	src, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src/internal/trace/testdata/testprog", name+".go"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, src, 0o666); err != nil {
		t.Fatal(err)
	}
	return loamtest.Build(t, loam, file), src
}

// TestStacks looks for the stacks that upstream's test of stacks.go looks for, as far as they do
// not name functions inside upstream's run-time system. Loam's code receives through chanrecv1 even
// if it wants the second result.
func TestStacks(t *testing.T) {
	loam := loamtest.Command(t)
	exe, src := testProgram(t, loam, "stacks")
	mainLine := 1 + bytes.Count(src[:bytes.Index(src, []byte("func main()"))], []byte("\n"))
	type frame struct {
		function string
		offset   int // of the line from that of main, 0: any
	}
	want := []struct {
		what   string
		frames []frame
	}{
		{"Running->Runnable", []frame{{"runtime.Gosched", 0}, {"main.main", 87}}},
		{"NotExist->Runnable", []frame{{"main.main", 11}}},
		{"Running->Waiting", []frame{{"runtime.block", 0}, {"main.main.func1", 0}}},
		{"Running->Waiting", []frame{{"runtime.chansend1", 0}, {"main.main.func2", 0}}},
		{"Running->Waiting", []frame{{"runtime.chanrecv1", 0}, {"main.main.func3", 0}}},
		{"Waiting->Runnable", []frame{{"runtime.chansend1", 0}, {"main.main", 89}}},
		{"Running->Waiting", []frame{{"runtime.chansend1", 0}, {"main.main.func5", 0}}},
		{"Waiting->Runnable", []frame{{"runtime.chanrecv1", 0}, {"main.main", 90}}},
		{"Running->Waiting", []frame{{"runtime.selectgo", 0}, {"main.main.func6", 0}}},
		{"Waiting->Runnable", []frame{{"runtime.selectgo", 0}, {"main.main", 91}}},
		{"Running->Waiting", []frame{{"sync.(*Mutex).Lock", 0}, {"main.main.func7", 0}}},
		{"Waiting->Runnable", []frame{{"sync.(*Mutex).Unlock", 0}, {"main.main", 0}}},
		{"Running->Waiting", []frame{{"sync.(*WaitGroup).Wait", 0}, {"main.main.func8", 0}}},
		{"Waiting->Runnable", []frame{{"sync.(*WaitGroup).Done", 0}, {"main.main", 96}}},
		{"Running->Waiting", []frame{{"sync.(*Cond).Wait", 0}, {"main.main.func9", 0}}},
		{"Waiting->Runnable", []frame{{"sync.(*Cond).Signal", 0}, {"main.main", 0}}},
		{"Running->Waiting", []frame{{"time.Sleep", 0}, {"main.main", 0}}},
		{"Running->Waiting", []frame{{"internal/poll.(*FD).Accept", 0}, {"net.(*TCPListener).Accept", 0}, {"main.main.func10", 0}}},
		{"Running->Syscall", []frame{{"syscall.read", 0}, {"syscall.Read", 0}, {"os.(*File).Read", 0}, {"main.main.func11", 0}}},
		{"/sched/gomaxprocs:threads", []frame{{"runtime.GOMAXPROCS", 0}, {"main.main", 0}}},
		{"GC concurrent mark phase", []frame{{"runtime.GC", 0}, {"main.main", 0}}},
	}
	seen := make([]bool, len(want))
	out, _ := run(t, nil, exe)
	_, err := read(bytes.NewReader(out), func(ev *trace.Event) {
		var what string
		switch ev.Kind() {
		case trace.EventStateTransition:
			if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine {
				from, to := st.Goroutine()
				what = fmt.Sprintf("%v->%v", from, to)
			}
		case trace.EventMetric:
			what = ev.Metric().Name
		case trace.EventRangeBegin:
			what = ev.Range().Name
		}
		var stack []trace.StackFrame
		for f := range ev.Stack().Frames() {
			stack = append(stack, f)
		}
		for i, w := range want {
			if w.what != what || what == "NotExist->Runnable" && len(stack) > 0 && stack[0].Func != w.frames[0].function {
				continue // a go statement is in the innermost frame: tools group goroutines by it
			}
			rest := w.frames
			for _, f := range stack {
				if len(rest) > 0 && f.Func == rest[0].function && (rest[0].offset == 0 || int(f.Line) == mainLine+rest[0].offset) {
					rest = rest[1:]
				}
			}
			seen[i] = seen[i] || len(rest) == 0
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if !seen[i] {
			t.Errorf("no %s with the frames %v (lines after %d)", w.what, w.frames, mainLine)
		}
	}
}

// TestChannels takes traces while channels are used in all ways, the trace begins and ends, and the
// number of Ps changes; and with turns given up at random.
func TestChannels(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/channels.go")
	for _, setting := range []string{"GOMAXPROCS=8", "LOAMDEBUG=yield=7", "LOAMDEBUG=gcevery=20000"} {
		t.Run(setting, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "trace")
			run(t, []string{setting}, exe, file)
			logs, figures := 0, map[string]bool{}
			f := readFile(t, file, func(ev *trace.Event) {
				if ev.Kind() == trace.EventLog {
					switch l := ev.Log(); l.Category {
					case "progress":
						logs++
					case "loam/metric":
						name, _, _ := strings.Cut(l.Message, " ")
						figures[name] = true
					}
				}
			})
			if !figures["/loam/pool/hits:gets"] {
				t.Errorf("the run-time system's own figures: %v", figures)
			}
			if logs != 5 || f.events["RegionBegin"] != 5 || f.events["RegionEnd"] != 5 || f.events["TaskBegin"] != 1 || f.events["TaskEnd"] != 1 {
				t.Errorf("annotations: %v", f.events)
			}
			readFile(t, file+".flight", nil)
		})
	}
}

// TestCrowd takes traces among thousands of goroutines, and looks for each that did nothing, with
// its stack.
func TestCrowd(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/crowd.go")
	for _, setting := range []string{"GOMAXPROCS=2", "GOMAXPROCS=8", "LOAMDEBUG=yield=3"} {
		name := filepath.Join(t.TempDir(), "trace")
		run(t, []string{setting}, exe, name)
		for i := range 6 {
			f, err := os.Open(fmt.Sprintf("%s.%d", name, i))
			if err != nil {
				t.Fatal(err)
			}
			waiting := map[trace.GoID]bool{}
			_, err = read(f, func(ev *trace.Event) {
				if ev.Kind() != trace.EventStateTransition || ev.StateTransition().Resource.Kind != trace.ResourceGoroutine {
					return
				}
				st := ev.StateTransition()
				for frame := range st.Stack.Frames() {
					if frame.Func == "main.wait" {
						waiting[st.Resource.Goroutine()] = true
					}
				}
			})
			f.Close()
			if err != nil || len(waiting) != 2000 {
				t.Errorf("%s, trace %d: %d of 2000 parked goroutines with their stacks; %v", setting, i, len(waiting), err)
			}
		}
	}
}

// TestUpstreamChannels takes traces of upstream's tests of channels, whole runs through LOAMTRACE.
func TestUpstreamChannels(t *testing.T) {
	loam := loamtest.Command(t)
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "test/chan/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(src, []byte("// run\n")) {
			continue // errors of compilers; a program that writes one
		}
		n++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			exe := loamtest.Build(t, loam, file)
			trace := filepath.Join(t.TempDir(), "trace")
			run(t, []string{"LOAMTRACE=" + trace}, exe)
			readFile(t, trace, nil)
		})
	}
	if n < 10 {
		t.Errorf("%d programs in %s/test/chan", n, runtime.GOROOT())
	}
}

// TestFlag takes a trace of a test.
func TestFlag(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module waits\n\ngo 1.26\n",
		"a_test.go": "package waits\n\nimport (\"testing\"; \"time\")\n\nfunc TestWait(t *testing.T) { time.Sleep(time.Millisecond) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(loam, "test", "-trace", "out")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	slept := false
	readFile(t, filepath.Join(dir, "out"), func(ev *trace.Event) {
		if ev.Kind() == trace.EventStateTransition && ev.StateTransition().Reason == "sleep" {
			for f := range ev.Stack().Frames() {
				slept = slept || f.Func == "waits.TestWait"
			}
		}
	})
	if !slept {
		t.Error("the test's sleep is not in the trace")
	}
}

// TestServer takes a trace of an HTTP server through net/http/pprof.
func TestServer(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/server.go")
	file := filepath.Join(t.TempDir(), "trace")
	run(t, nil, exe, file)
	network := 0
	readFile(t, file, func(ev *trace.Event) {
		if ev.Kind() == trace.EventStateTransition && ev.StateTransition().Reason == "network" {
			network++
		}
	})
	if network < 100 {
		t.Errorf("%d waits for the network", network)
	}
}

// TestFeeds compares what the traces of the three versions of examples/feeds say of their
// collections with what the same runs say themselves.
func TestFeeds(t *testing.T) {
	loam := loamtest.Command(t)
	dir := t.TempDir()
	exe := filepath.Join(dir, "feeds")
	loamtest.Do(t, loam, "build", "-o", exe, "loam/examples/feeds")
	for _, mode := range []string{"sequential", "each", "pool"} {
		t.Run(mode, func(t *testing.T) {
			file := filepath.Join(dir, mode)
			start := time.Now()
			out, errs := run(t, []string{gctrace.Setting}, exe, "-run", "-mode", mode, "-n", "1000", "-dir", dir, "-trace", file)
			took := time.Since(start)
			f := readFile(t, file, nil)
			total, _ := gctrace.Parse(string(errs))
			field := func(name string) float64 {
				v, err := strconv.ParseFloat(gctrace.Field(strings.TrimSpace(string(out)), name), 64)
				if err != nil {
					t.Fatalf("%s in %q: %v", name, out, err)
				}
				return v
			}
			t.Logf("%d collections, %v of %v (%.1f %%), mean %v, heap %.0f KB on average, peak %d KB; gctrace: %d, %v; %s",
				f.collections, f.gc, f.span,
				100*f.share(), f.gc/time.Duration(max(f.collections, 1)), f.heap.value()/1024, f.peak/1024, total.Collections, total.Clock, out)

			// The trace begins and ends a little before and after the program's own count; a
			// collection can be under way then, and those of before are on gctrace's lines only.
			if d := f.collections - int(field("collections")); d < -1 || d > 1 || f.collections == 0 {
				t.Errorf("%d collections, the program counts %v", f.collections, field("collections"))
			}
			if d := total.Collections - f.collections; d < 0 || d > 2 {
				t.Errorf("%d collections, gctrace has %d", f.collections, total.Collections)
			}
			if printed := clocks(errs); alike(f.each, printed) < len(f.each)*3/4 {
				t.Errorf("collections take %v, gctrace says %v", f.each, printed)
			}
			if f.span.Seconds()*1000 < 0.95*field("program_ms") || f.span > took {
				t.Errorf("the trace covers %v, the program took %v ms, its process %v", f.span, field("program_ms"), took)
			}
			// The program samples its heap every 10 ms, if it is given a turn, and can miss the
			// peak; gctrace's lines have the size at the end of marking in MB. The trace counts the
			// free slots of spans in use, as the pacer does.
			if peak := field("peak_kb"); float64(f.peak)/1024 < 0.9*peak {
				t.Errorf("peak %d KB, the program sees %.0f", f.peak/1024, peak)
			}
			if most := largestHeap(errs); f.peak>>20 < most*9/10 || f.peak>>20 > most*3/2+2 {
				t.Errorf("peak %d MB, gctrace has %d", f.peak>>20, most)
			}
			if v := f.heap.value(); v <= 0 || v > float64(f.peak) {
				t.Errorf("mean %v of a heap with peak %d", v, f.peak)
			}
		})
	}
}

// clocks returns what each line of gctrace says of its collection's time.
func clocks(errs []byte) (all []time.Duration) {
	for line := range strings.Lines(string(errs)) {
		if total, _ := gctrace.Parse(line); total.Collections == 1 {
			all = append(all, total.Clock)
		}
	}
	return all
}

// alike returns how many collections of a trace take the time that their lines of gctrace say,
// which may begin some collections earlier. A line is rounded to a microsecond or two digits for
// each phase; and a thread that loses its CPU between the two readings of the clock makes a
// collection differ, so not all have to agree.
func alike(traced, printed []time.Duration) (most int) {
	for first := range max(0, len(printed)-len(traced)+1) {
		n := 0
		for i, d := range traced {
			if p := printed[first+i]; (d - p).Abs() <= d/20+20*time.Microsecond {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

var heapSizes = regexp.MustCompile(`ms cpu, \d+->(\d+)->\d+ MB`)

// largestHeap returns the largest size of a heap at the end of marking in gctrace's lines, in MB.
func largestHeap(errs []byte) (most uint64) {
	for _, m := range heapSizes.FindAllSubmatch(errs, -1) {
		mb, _ := strconv.ParseUint(string(m[1]), 10, 64)
		most = max(most, mb)
	}
	return most
}

// TestNames wants each goroutine to have a function in some event, those of the run-time system's,
// too, which have none of the program's in their stacks.
func TestNames(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/channels.go")
	file := filepath.Join(t.TempDir(), "trace")
	run(t, []string{"GOGC=5"}, exe, file)
	functions := map[trace.GoID]string{}
	readFile(t, file, func(ev *trace.Event) {
		if ev.Kind() != trace.EventStateTransition {
			return
		}
		if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine {
			g := st.Resource.Goroutine()
			functions[g] += ""
			for f := range st.Stack.Frames() {
				functions[g] = f.Func
			}
		}
	})
	all := ""
	for g, f := range functions {
		if f == "" {
			t.Errorf("goroutine %d has no function", g)
		}
		all += f + "\n"
	}
	for _, want := range []string{"runtime.forcegchelper\n", "runtime.markWorker\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q among\n%s", want, all)
		}
	}
}
