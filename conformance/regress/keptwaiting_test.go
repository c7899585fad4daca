package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// ways are the ways to wait in the patterns of keptalive.go, and what starts and ends it.
var ways = []struct {
	name, wait, start, end string
	loops                  bool // there is a variant with a loop around the pattern
}{
	{name: "receive", wait: "ready <- %s; <-resume", loops: true},
	{name: "range", wait: "ready <- %s; for range resume { break }"},
	{name: "select", wait: "ready <- %s; select { case <-resume: case <-never: }"},
	{name: "selectMany", wait: "ready <- %s; select { case <-resume: case <-never: case never <- true: case <-never: case <-never: }"},
	{name: "lock", wait: "ready <- %s; mu.Lock(); mu.Unlock(); passed <- true", start: "mu.Lock()", end: "mu.Unlock(); <-passed"},
	{name: "group", wait: "ready <- %s; group.Wait(); passed <- true", start: "group.Add(1)", end: "group.Done(); <-passed"},
	{name: "sleep", wait: "seen := turns.Load(); ready <- %s; for turns.Load() == seen { time.Sleep(time.Millisecond) }",
		end: "turns.Add(1)", loops: true},
	{name: "read", wait: "ready <- %s; pipe.Read(make([]byte, 1))", end: "pipeEnd.Write([]byte{1})"},
	{name: "context", wait: "ready <- %s; <-ctx.Done()", start: "ctx, cancel = context.WithCancel(context.Background())", end: "cancel()"},
	{name: "method", wait: "ready <- %s; aWaiter.wait()"},
	{name: "function", wait: "ready <- %s; wait()", loops: true},
	{name: "value", wait: "ready <- %s; waitFunc()"},
	{name: "only", wait: "park(%s)"},
}

// TestKeptWaiting runs the patterns of keptalive.go in goroutines that wait where these collect:
// what is dead there is freed, if it is with gc. In every second round a loop is around the
// pattern.
func TestKeptWaiting(t *testing.T) {
	loam := loamtest.Command(t)
	source, err := os.ReadFile("testdata/keptalive.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range ways {
		for _, looping := range []bool{false, true} {
			if looping && !way.loops {
				continue
			}
			t.Run(fmt.Sprintf("%s/looping=%v", way.name, looping), func(t *testing.T) {
				dir := t.TempDir()
				text := waitingPatterns(string(source), way.wait, way.start, way.end, looping)
				if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				gc, _ := program(t, "go", loamtest.Toolchain(t, ""), dir, "main.go")
				got, status := program(t, loam, loamtest.Toolchain(t, ""), dir, "main.go")
				if status != 0 || strings.Count(string(got), "\n") != strings.Count(string(gc), "\n") || len(gc) == 0 {
					t.Fatalf("status %d, output:\n%s\ngc's:\n%s", status, got, gc)
				}
				want := strings.Split(string(gc), "\n")
				for i, line := range strings.Split(string(got), "\n") {
					if strings.HasSuffix(want[i], "freed") && line != want[i] {
						t.Errorf("%s; gc: %s", line, want[i])
					}
				}
			})
		}
	}
}

// TestKeptUnoptimised runs the patterns of keptalive.go without optimisation: what gc frees is
// freed, but for what a variable holds of which a part is in use.
func TestKeptUnoptimised(t *testing.T) {
	loam := loamtest.Command(t)
	t.Setenv("GOFLAGS", "-gcflags=-N")
	gc, _ := program(t, "go", loamtest.Toolchain(t, ""), "testdata", "keptalive.go")
	got, _ := program(t, loam, loamtest.Toolchain(t, ""), "testdata", "keptalive.go")
	want := strings.Split(string(gc), "\n")
	if strings.Count(string(got), "\n") != strings.Count(string(gc), "\n") || len(want) < 40 {
		t.Fatalf("output:\n%s\ngc's:\n%s", got, gc)
	}
	for i, line := range strings.Split(string(got), "\n") {
		if strings.HasSuffix(want[i], "true") && line != want[i] && !strings.HasPrefix(line, "field of a struct result") {
			t.Errorf("%s; gc: %s", line, want[i])
		}
	}
}

// waitingPatterns makes a program of the patterns in source.
func waitingPatterns(source, wait, start, end string, looping bool) string {
	at := strings.Index(source, "var patterns")
	head, patterns := source[:at], source[at:]
	head = head[:strings.Index(head, "// freed reports")]
	patterns = regexp.MustCompile(`freed\(("[^"]*")\)`).ReplaceAllStringFunc(patterns, func(call string) string {
		return fmt.Sprintf(wait, strings.TrimSuffix(strings.TrimPrefix(call, "freed("), ")"))
	})
	if looping {
		patterns = strings.ReplaceAll(patterns, "\n\tfunc() {\n", "\n\tfunc() {\n\t\tfor range 2 {\n")
		patterns = strings.ReplaceAll(patterns, "\n\t},\n", "\n\t\t}\n\t},\n")
	}
	if end == "" {
		end = "resume <- true"
	}
	head = strings.Replace(head, "import (", "import (\n\t\"context\"\n\t\"os\"\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"time\"", 1)
	return head + strings.NewReplacer("START", start, "END", end).Replace(waitingMain) + patterns
}

const waitingMain = `
var (
	ready         = make(chan string)
	resume        = make(chan bool)
	never         chan bool
	mu            sync.Mutex
	group         sync.WaitGroup
	passed        = make(chan bool)
	turns         atomic.Int32
	pipe, pipeEnd = files()
	ctx, cancel   = context.WithCancel(context.Background())
	aWaiter       = waiter(onResume{})
	waitFunc      = wait
)

type waiter interface{ wait() }

type onResume struct{}

func (onResume) wait() { <-resume }

//go:noinline
func wait() { <-resume }

//go:noinline
func park(s string) {
	ready <- s
	<-resume
}

func files() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	return r, w
}

// left collects until nothing is left, or often enough: the goroutine may not wait yet.
func left() bool {
	for range 30 {
		if collect() < base+2 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

func main() {
	base = collect()
	START
	for _, f := range patterns {
		go func() {
			f()
			ready <- ""
		}()
		for name := <-ready; name != ""; name = <-ready {
			if left() {
				fmt.Println(name, "kept")
			} else {
				fmt.Println(name, "freed")
			}
			END
			START
		}
	}
}

`
