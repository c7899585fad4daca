package browsertest

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// buildOrders compiles testdata/orders with loam.
func buildOrders(t testing.TB) string {
	exe := filepath.Join(t.TempDir(), "orders")
	cmd := exec.Command(command(), "build", "-o", exe, "./internal/traceview/browsertest/testdata/orders/main.go")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// TestOrders looks at what a program says of itself, and at what is only in the traces of programs
// that do many things.
func TestOrders(t *testing.T) {
	ctx := open(t)
	exe := buildOrders(t)
	file := filepath.Join(programs.directory, "orders.trace")
	if out, err := exec.Command(exe, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := readReference(t, file)
	address := serve(t, file)
	t.Run("tasks", func(t *testing.T) { lookAtTasks(t, ctx, address, want) })
	t.Run("regions", func(t *testing.T) { lookAtRegions(t, ctx, address, want) })
	t.Run("utilization", func(t *testing.T) { lookAtUtilization(t, ctx, address, want) })
	t.Run("lanes", func(t *testing.T) { lookAtLanes(t, ctx, address, want) })
	t.Run("flows", func(t *testing.T) { lookAtFlows(t, ctx, address) })
	t.Run("goroutines", func(t *testing.T) { lookAtGroup(t, ctx, address) })
	t.Run("latency", func(t *testing.T) { lookAtLegend(t, ctx, address) })
	t.Run("phone", func(t *testing.T) { lookAtPhone(t, ctx, address) })
}

// checkKinds compares a list of types, and how many there are of each.
func checkKinds(t *testing.T, ctx context.Context, want map[string]int) {
	t.Helper()
	wait(t, ctx, fmt.Sprintf(`document.querySelectorAll("#kinds tbody tr").length === %d`, len(want)))
	for name, n := range want {
		if got := eval[string](t, ctx, fmt.Sprintf(`document.querySelector('#kinds tr[data-key="%s"]')?.cells[1].textContent ?? "none"`, name)); got != fmt.Sprint(n) {
			t.Errorf("the page has %s of %s, the trace %d", got, name, n)
		}
	}
}

func lookAtTasks(t *testing.T, ctx context.Context, address string, want *reference) {
	show(t, ctx, address, "view=tasks")
	checkKinds(t, ctx, want.tasks)
	do(t, ctx, chromedp.Click(`#kinds tr[data-key="order"]`))
	wait(t, ctx, fmt.Sprintf(`document.querySelectorAll("#members tbody tr").length === %d`, want.tasks["order"]))
	do(t, ctx, chromedp.Click(`#members tbody tr`))
	// Four regions, one or two messages, a task of the other goroutine.
	wait(t, ctx, `document.querySelectorAll("#story .gantt .region").length === 4 && document.querySelectorAll("#story .gantt .log").length >= 1`)
	screenshot(t, ctx, "loam-orders-tasks")
	do(t, ctx, chromedp.Click(`#story td button`))
	wait(t, ctx, `document.querySelector("#story h2").textContent.endsWith(", shipment") && document.querySelectorAll("#story .gantt .region").length === 1`)
	do(t, ctx, chromedp.Click(`#show-task`))
	wait(t, ctx, `document.body.dataset.view === "timeline" && location.hash.includes("from=")`)

	show(t, ctx, address, "view=tasks&list=messages")
	wait(t, ctx, fmt.Sprintf(`document.querySelectorAll("#kinds tbody tr").length === %d`, want.logs))
	do(t, ctx, chromedp.Click(`#kinds tbody tr`))
	wait(t, ctx, `[...document.querySelectorAll("#kinds .stack li")].some(l => l.textContent.startsWith("main.order "))`)
}

func lookAtRegions(t *testing.T, ctx context.Context, address string, want *reference) {
	show(t, ctx, address, "view=tasks&list=regions")
	checkKinds(t, ctx, want.regions)
	do(t, ctx, chromedp.Click(`#kinds tr[data-key="receipt"]`))
	wait(t, ctx, fmt.Sprintf(`document.querySelectorAll("#members tbody tr").length === %d`, want.regions["receipt"]))
	do(t, ctx, chromedp.Click(`#members button[data-weigh="network"]`))
	// What the goroutines did in this region alone: they read from the network.
	wait(t, ctx, `[...document.querySelectorAll("#flame .frame")].some(f => f.__data__.data.name === "main.ship")`)
	if eval[bool](t, ctx, `[...document.querySelectorAll("#flame .frame")].some(f => f.__data__.data.name === "main.echo")`) {
		t.Error("the flame graph of a region has goroutines that were not in it")
	}
	if magic := await[[]int](t, ctx, `(async () => [...new Uint8Array(await (await fetch(document.querySelector("#profile").href)).arrayBuffer())].slice(0, 2))()`); len(magic) != 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		t.Errorf("the profile begins with %v", magic)
	}
}

func lookAtUtilization(t *testing.T, ctx context.Context, address string, want *reference) {
	show(t, ctx, address, "view=utilization&work=stops")
	wait(t, ctx, `document.querySelector('[data-figure="mean"]') !== null`)
	mean := eval[float64](t, ctx, `Number(document.querySelector('[data-figure="mean"]').dataset.value)`)
	if stopped := 1 - float64(want.stopped)/float64(want.duration); math.Abs(mean-stopped) > 1e-6 {
		t.Errorf("with the world stopped counted only, the program had %v of the processors, want %v", mean, stopped)
	}
	if least := eval[float64](t, ctx, `Number(document.querySelector('[data-figure="least"]').dataset.value)`); least > mean {
		t.Errorf("in the worst window it had %v", least)
	}
	// More is counted: less is left.
	do(t, ctx, chromedp.Click(`input[name="background"]`), chromedp.Click(`input[name="assists"]`))
	wait(t, ctx, fmt.Sprintf(`Number(document.querySelector('[data-figure="mean"]')?.dataset.value) < %v`, mean))
	wait(t, ctx, `document.querySelector("#floors").dataset.work === "stops,background,assists"`)
	if n := inked(t, ctx, "#main canvas"); n < 1000 {
		t.Errorf("the curve has %d pixels", n)
	}
	screenshot(t, ctx, "loam-orders-utilization")
	do(t, ctx, chromedp.Click(`#floors tbody tr:nth-child(3)`))
	// The address has no beginning if the worst window is the trace's first.
	wait(t, ctx, `document.body.dataset.view === "timeline" && /(from|to)=/.test(location.hash)`)
}

func lookAtLanes(t *testing.T, ctx context.Context, address string, want *reference) {
	show(t, ctx, address, "view=timeline")
	wait(t, ctx, `document.querySelectorAll("#functions button").length >= 3`)
	screenshot(t, ctx, "loam-orders-timeline")
	// The colour of the function that ran longest is on the lanes of the Ps.
	if !eval[bool](t, ctx, `(() => {
		const want = getComputedStyle(document.querySelector("#functions i")).backgroundColor.match(/\d+/g).map(Number);
		const c = document.querySelector("#lanes canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, 60).data;
		for (let i = 0; i < d.length; i += 4) if (want.every((v, k) => d[i + k] === v)) return true;
		return false;
	})()`) {
		t.Error("no lane has the first colour of the legend")
	}
	wait(t, ctx, `document.querySelector("#main .legend").textContent.includes("region")`)
	procs := eval[int](t, ctx, `Number(document.querySelector("#lanes").dataset.fixed)`)
	do(t, ctx, chromedp.Click(`button[data-value="m"]`))
	wait(t, ctx, fmt.Sprintf(`document.querySelector("#lanes").dataset.fixed === "%d" && location.hash.includes("lanes=m")`, 1+want.threads))
	if procs == 1+want.threads {
		t.Logf("as many threads as Ps: %d", want.threads)
	}
	if n := inked(t, ctx, "#lanes canvas"); n < 1000 {
		t.Errorf("the lanes of the threads have %d pixels of colour", n)
	}
	do(t, ctx, chromedp.Click(`#functions button`))
	wait(t, ctx, `location.hash.includes("q=")`)
}

// lookAtFlows selects a wait that another goroutine ended.
func lookAtFlows(t *testing.T, ctx context.Context, address string) {
	show(t, ctx, address, "view=timeline")
	span := await[int](t, ctx, `(async () => {
		const body = await (await fetch("api/columns?number=0")).arrayBuffer();
		const length = new DataView(body).getUint32(0, true);
		const header = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
		const column = (name, kind) => { const c = header.find(c => c.name === name); return new kind(body, 4 + length + c.offset, c.length); };
		const by = column("span.by", Int32Array), state = column("span.state", Uint8Array), g = column("span.g", Int32Array), stack = column("span.byStack", Int32Array);
		for (let i = 1; i < by.length; i++) if (by[i] >= 0 && stack[i] >= 0 && state[i] === 1 && state[i - 1] === 3 && g[i - 1] === g[i]) return i - 1;
		return -1;
	})()`)
	if span < 0 {
		t.Fatal("nobody made anybody runnable")
	}
	show(t, ctx, address, fmt.Sprintf("view=timeline&span=%d", span))
	wait(t, ctx, `document.querySelector("#lanes").dataset.flows === "1"`)
	wait(t, ctx, `document.querySelector('#detail [data-stack="wake"]')?.textContent.startsWith("Made runnable by G ")`)
	wait(t, ctx, `document.querySelectorAll('#detail [data-stack="stop"] li').length > 0`)
	// A click on that goroutine selects what it did then: among others, it made this one runnable.
	do(t, ctx, chromedp.Click(`#detail [data-stack="wake"] button`))
	wait(t, ctx, fmt.Sprintf(`!location.hash.includes("span=%d&") && Number(document.querySelector("#lanes").dataset.flows) >= 1`, span))
}

func lookAtGroup(t *testing.T, ctx context.Context, address string) {
	show(t, ctx, address, "view=goroutines")
	wait(t, ctx, `document.querySelectorAll("#groups tbody tr").length > 5`)
	for _, name := range []string{"main.echo", "runtime.forcegchelper"} {
		wait(t, ctx, fmt.Sprintf(`document.querySelector('#groups tr[data-key="%s"]') !== null`, name))
	}
	if eval[bool](t, ctx, `document.querySelector('#groups tr[data-key="(not known)"]') !== null`) {
		t.Error("there are goroutines without a name")
	}
	do(t, ctx, chromedp.Click(`#groups tr[data-key="main.echo"]`), chromedp.Click(`#members button[data-weigh="network"]`))
	wait(t, ctx, `[...document.querySelectorAll("#flame .frame")].some(f => f.__data__.data.name === "net.(*TCPListener).Accept")`)
	if eval[bool](t, ctx, `[...document.querySelectorAll("#flame .frame")].some(f => f.__data__.data.name === "main.ship")`) {
		t.Error("the flame graph of a group has others")
	}
}

func lookAtLegend(t *testing.T, ctx context.Context, address string) {
	show(t, ctx, address, "view=latency")
	wait(t, ctx, `document.querySelector("#legend")?.textContent.includes("p50") && !document.querySelector("#legend").hidden`)
	const visibility = `getComputedStyle(document.querySelector("#main .u-legend")).visibility`
	wait(t, ctx, visibility+` === "hidden"`) // it would name a bar, and none is pointed at
	b := where(t, ctx, "#main .u-over")
	do(t, ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: b.Left + b.Width/3, Y: b.Top + 50})
		return err
	}))
	wait(t, ctx, visibility+` === "visible"`)
}

// lookAtPhone wants no view to be wider than a narrow window.
func lookAtPhone(t *testing.T, ctx context.Context, address string) {
	do(t, ctx, chromedp.EmulateViewport(390, 844))
	defer do(t, ctx, chromedp.EmulateViewport(1400, 900))
	for _, view := range []string{"timeline", "collector", "goroutines&key=main.echo", "latency", "flame&weigh=network",
		"runtime", "tasks&kind=order&task=0", "tasks&list=regions", "utilization"} {
		show(t, ctx, address, "view="+view)
		wait(t, ctx, `document.querySelector("#main").children.length > 0`)
		if view == "latency" || view == "utilization" {
			wait(t, ctx, `document.querySelector("#main canvas") !== null`)
		}
		if width := eval[int](t, ctx, `document.documentElement.scrollWidth`); width > 390 {
			t.Errorf("%s is %d pixels wide", view, width)
		}
	}
}

// TestCrash looks at the trace of a program that panics.
func TestCrash(t *testing.T) {
	ctx := open(t)
	exe := buildOrders(t)
	file := filepath.Join(t.TempDir(), "crash.trace")
	if out, err := exec.Command(exe, file, "sold out").CombinedOutput(); err == nil || !strings.Contains(string(out), "panic: sold out") {
		t.Fatalf("%v\n%s", err, out)
	}
	show(t, ctx, serve(t, file), "view=timeline")
	wait(t, ctx, `document.querySelector("#exit").textContent === "The program ended: panic: sold out"`)
	if eval[bool](t, ctx, `document.querySelector("#about").textContent.includes("breaks off")`) {
		t.Error("the trace breaks off")
	}
}
