package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// simulatedRun is a trace of a simulated run in which goroutine 5 is interrupted.
const simulatedRun = `loam simulation 1
goroutine 1 101 0 0
stack 1
	/src/main.go:19	main.main
left 4 1936 1 1 waits sync.WaitGroup.Wait
stack 2
	/src/main.go:17	main.add
goroutine 4 104 1 2
goroutine 5 105 1 2
turn 4 2332 5 2 1 2
stack 3
	/src/main.go:11	main.(*account).set
	/src/main.go:17	main.add
left 12 2752 5 3 interrupted
turn 12 3237 4 2 0 2
left 25 3957 4 0 ended
turn 25 4551 5 3 0 1
left 27 4911 5 0 ended
turn 27 5463 1 1 0 1
note TestLost, seed 19: panic: lost
`

// TestSimulation steps through a run, and through two that part.
func TestSimulation(t *testing.T) {
	dir := t.TempDir()
	fails, passes := filepath.Join(dir, "fails"), filepath.Join(dir, "passes")
	other := strings.Replace(simulatedRun, "5 3 interrupted", "5 3 waits sync.Mutex.Lock", 1)
	for name, text := range map[string]string{fails: simulatedRun, passes: other} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx := open(t)
	at := func(event, about string) {
		t.Helper()
		wait(t, ctx, `document.body.dataset.event === "`+event+`"`)
		if got := eval[string](t, ctx, `document.getElementById("about").textContent`); !strings.Contains(got, about) {
			t.Errorf("event %s: %q, want %q", event, got, about)
		}
	}
	sides := func(want ...string) {
		t.Helper()
		got := eval[[]string](t, ctx, `[...document.querySelectorAll(".place")].map(e => e.textContent)`)
		if len(got) != len(want) {
			t.Fatalf("%q, want %q", got, want)
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%q, want %q", got[i], want[i])
			}
		}
	}

	show(t, ctx, serve(t, fails), "")
	at("0", "Event 0 of 8, step 4.")
	if ink := inked(t, ctx, "canvas"); ink == 0 {
		t.Error("the timeline is empty")
	}
	do(t, ctx, chromedp.KeyEvent("n"))
	at("1", "")
	sides("goroutine 1 waits: sync.WaitGroup.Wait", "goroutine 5 begins, though 1 of 2 have waited longer")
	do(t, ctx, chromedp.Click("#forth"))
	at("2", "")
	sides("goroutine 5 is interrupted", "goroutine 4 begins, the first of 2")
	if got := eval[string](t, ctx, `document.querySelector(".place .frames").textContent`); !strings.Contains(got,
		"main.(*account).set") || !strings.Contains(got, "/src/main.go:11") {
		t.Errorf("it is interrupted at %q", got)
	}
	do(t, ctx, chromedp.Click("#back"))
	at("1", "step 4.")
	do(t, ctx, chromedp.Click("#deviation"))
	at("2", "step 12.")
	do(t, ctx, chromedp.Click("#previous"))
	at("1", "")
	if wide := eval[float64](t, ctx, `document.querySelector("canvas").clientWidth`); wide < 400 {
		t.Errorf("eight events take %v pixels, with the names", wide)
	}

	show(t, ctx, serve(t, fails, passes), "event=6")
	at("6", "part at event 2: goroutine 5: interrupted in the first run, waits sync.Mutex.Lock in the second")
	do(t, ctx, chromedp.Click("#difference"))
	at("2", "")
	sides("goroutine 5 is interrupted", "goroutine 4 begins", "goroutine 5 waits: sync.Mutex.Lock", "goroutine 4 begins")

	show(t, ctx, serve(t, passes, passes), "")
	at("0", "The two runs do the same.")
}

// lostUpdate is the account of docs/simulation.md.
const lostUpdate = `package example

import (
	"sync"
	"testing"
)

type account struct {
	mu sync.Mutex
	n  int
}

func (a *account) get() int  { a.mu.Lock(); defer a.mu.Unlock(); return a.n }
func (a *account) set(v int) { a.mu.Lock(); defer a.mu.Unlock(); a.n = v }

func TestLost(t *testing.T) {
	var a account
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { a.set(a.get() + 1) })
	}
	wg.Wait()
	if a.get() != 2 {
		t.Errorf("lost: %d", a.get())
	}
}
`

// TestLostUpdate finds a bug, and looks at the run that fails and at one that passes, as
// docs/simulation.md does.
func TestLostUpdate(t *testing.T) {
	ctx := open(t)
	do(t, ctx, chromedp.EmulateViewport(900, 350))
	if *pictures != "" {
		*pictures, _ = filepath.Abs(*pictures)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "account_test.go": lostUpdate,
		"usual.sim": "seed 1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for trace, how := range map[string]string{"fails": "-sim=1000", "passes": "-sim.list=usual.sim"} {
		c := exec.Command(command(), "test", how, "-run=^TestLost$", "-sim.trace="+trace, ".")
		if out, err := c.CombinedOutput(); (err == nil) != (trace == "passes") {
			t.Fatalf("%s: %v\n%s", how, err, out)
		}
	}
	show(t, ctx, serve(t, "fails"), "")
	wait(t, ctx, `document.body.dataset.event === "0"`)
	// The step on which a goroutine is interrupted between get and set.
	const between = `[...document.querySelectorAll(".place")].some(e => e.textContent.includes("is interrupted") && e.textContent.includes("TestLost.func1"))`
	for step := 0; !eval[bool](t, ctx, between); step++ {
		if step == 20 {
			t.Fatal("nobody is interrupted in the test")
		}
		do(t, ctx, chromedp.KeyEvent("n"))
	}
	if got := eval[string](t, ctx, `document.querySelector(".place[data-chosen] .source").textContent`); !strings.Contains(got, "a.n = v") && !strings.Contains(got, "a.n }") {
		t.Errorf("the source is %q", got)
	}
	screenshot(t, ctx, "simulation-fails")
	do(t, ctx, chromedp.EmulateViewport(900, 620))
	show(t, ctx, serve(t, "fails", "passes"), "event=0")
	wait(t, ctx, `document.body.dataset.event === "0"`)
	do(t, ctx, chromedp.KeyEvent("d"))
	const part = `document.getElementById("about").textContent.includes("part at event") && document.querySelectorAll(".place").length >= 3`
	if !eval[bool](t, ctx, part) {
		t.Error("the page does not say where the runs part")
	}
	screenshot(t, ctx, "simulation-parts")
}
