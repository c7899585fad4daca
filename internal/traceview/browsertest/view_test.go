package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// show opens a view at an address of loam trace.
func show(t testing.TB, ctx context.Context, address, fragment string) {
	t.Helper()
	// A change of the fragment alone would not load the page.
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#"+fragment))
	wait(t, ctx, `document.body.dataset.ready === "true"`)
}

// figure waits for a figure on the page to have a value, and returns it.
func figure(t testing.TB, ctx context.Context, name string) int64 {
	t.Helper()
	element := fmt.Sprintf(`document.querySelector('[data-figure="%s"]')`, name)
	wait(t, ctx, element+` !== null`)
	return int64(eval[float64](t, ctx, `Number(`+element+`.dataset.value)`))
}

// parameter returns a field of the page's address.
func parameter(t testing.TB, ctx context.Context, name string) string {
	t.Helper()
	values, err := url.ParseQuery(eval[string](t, ctx, `location.hash.slice(1)`))
	if err != nil {
		t.Fatal(err)
	}
	return values.Get(name)
}

func number(t testing.TB, ctx context.Context, name string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(parameter(t, ctx, name), 10, 64)
	if err != nil {
		t.Fatalf("%s in the address: %v", name, err)
	}
	return v
}

// box is where an element is in the window.
type box struct{ Left, Top, Width, Height float64 }

func where(t testing.TB, ctx context.Context, selector string) box {
	t.Helper()
	return eval[box](t, ctx, fmt.Sprintf(`(r => ({Left: r.left, Top: r.top, Width: r.width, Height: r.height}))(document.querySelector(%q).getBoundingClientRect())`, selector))
}

// drag moves the mouse over an element from one share of its width to another.
func drag(t testing.TB, ctx context.Context, selector string, from, to float64) {
	t.Helper()
	b := where(t, ctx, selector)
	y := b.Top + b.Height/2
	do(t, ctx, chromedp.DragAndDropXY(b.Left+from*b.Width, y, b.Left+to*b.Width, y))
}

func checkSums(t *testing.T, ctx context.Context, want sums) {
	t.Helper()
	wait(t, ctx, fmt.Sprintf(`document.querySelector('[data-figure="count"]')?.dataset.value === "%d"`, want.count))
	got := sums{figure(t, ctx, "count"), figure(t, ctx, "wall"), figure(t, ctx, "mean"), uint64(figure(t, ctx, "peak"))}
	if got != want {
		t.Errorf("the page says %+v, the trace %+v", got, want)
	}
}

// inked returns how many pixels of a canvas are neither transparent nor white.
func inked(t testing.TB, ctx context.Context, selector string) int {
	t.Helper()
	return eval[int](t, ctx, fmt.Sprintf(`(c => {
		const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 0 && d[i] + d[i + 1] + d[i + 2] < 700) n++;
		return n;
	})(document.querySelector(%q))`, selector))
}

// screenshot writes a picture of the page if -pictures is given.
func screenshot(t testing.TB, ctx context.Context, name string) {
	if *pictures == "" {
		return
	}
	time.Sleep(300 * time.Millisecond) // what follows the data
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), get(t, ctx, chromedp.CaptureScreenshot()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFeeds walks through the views on traces of the three versions of examples/feeds, made
// by both compilers.
func TestFeeds(t *testing.T) {
	ctx := open(t)
	for _, compiler := range []string{"gc", "loam"} {
		for _, mode := range []string{"sequential", "each", "pool"} {
			if compiler == "loam" && mode != "pool" && *pictures == "" {
				continue // the format is the same
			}
			t.Run(compiler+"/"+mode, func(t *testing.T) { walk(t, ctx, record(t, compiler, mode), compiler, mode) })
		}
	}
}

// walk goes through the views on one trace and compares what they show with the file.
func walk(t *testing.T, ctx context.Context, file, compiler, mode string) {
	name := compiler + "-" + mode
	want := readReference(t, file)
	address := serve(t, file)

	// All collections, by key; then by dragging over the left half.
	show(t, ctx, address, "view=collector")
	do(t, ctx, chromedp.KeyEvent("x"))
	all := want.sum(0, want.duration)
	if all.count < 2 {
		t.Fatalf("a trace with %d collections tests nothing", all.count)
	}
	checkSums(t, ctx, all)
	screenshot(t, ctx, name+"-collector")
	drag(t, ctx, "#main .u-over", 0.001, 0.5)
	selected := parameter(t, ctx, "sel")
	half := want.sum(0, want.duration/2)
	// A pixel more or less may touch one collection more or less at either end; the page says which
	// it took.
	if first, last := span(t, selected); first > 1 || abs(int64(last+1)-half.count) > 1 {
		t.Errorf("dragging over half of the chart selected %s; %d collections overlap it", selected, half.count)
	} else {
		checkSums(t, ctx, want.sum(want.collections[first].start, want.collections[last].start))
	}

	// The address keeps window and selection.
	do(t, ctx, chromedp.KeyEvent("w"))
	wait(t, ctx, `location.hash.includes("from=")`)
	before := eval[string](t, ctx, `location.href`)
	count := figure(t, ctx, "count")
	do(t, ctx, chromedp.Reload())
	if figure(t, ctx, "count") != count || eval[string](t, ctx, `location.href`) != before {
		t.Errorf("after loading %s again: %d collections, before %d", before, figure(t, ctx, "count"), count)
	}

	// The timeline zooms: key, wheel, drag.
	show(t, ctx, address, "view=timeline")
	if n := inked(t, ctx, "#lanes canvas"); n < 1000 {
		t.Errorf("the lanes have %d pixels of colour", n)
	}
	screenshot(t, ctx, name+"-timeline")
	zoomAndSearch(t, ctx, want)
	show(t, ctx, address, "view=timeline&from=0&to=200000000")
	screenshot(t, ctx, name+"-begin")

	show(t, ctx, address, "view=latency")
	if got := figure(t, ctx, "count"); got != int64(want.waits) {
		t.Errorf("%d waits for a P on the page, %d in the trace", got, want.waits)
	}
	screenshot(t, ctx, name+"-latency")

	show(t, ctx, address, "view=goroutines&by=statement")
	wait(t, ctx, `document.querySelectorAll("#groups tbody tr").length > 2`)
	if got := eval[int](t, ctx, `[...document.querySelectorAll("#groups tbody tr")].reduce((n, tr) => n + Number(tr.cells[1].textContent.replace(",", "")), 0)`); got > want.goroutines || got < want.goroutines-3 {
		t.Errorf("%d goroutines in the groups, %d in the trace (some may have had no time)", got, want.goroutines)
	}
	if !eval[bool](t, ctx, `[...document.querySelectorAll("#groups tbody tr")].some(tr => tr.dataset.key.startsWith("main."))`) {
		t.Error("no group is named by a go statement of the program")
	}
	do(t, ctx, chromedp.Click("#groups tbody tr"))
	wait(t, ctx, `document.querySelectorAll("#members table").length === 3`)
	screenshot(t, ctx, name+"-goroutines")

	show(t, ctx, address, "view=flame")
	wait(t, ctx, `document.querySelectorAll("svg.d3-flame-graph .frame").length > 10`)
	if got := eval[int](t, ctx, `document.querySelector("svg.d3-flame-graph .frame").__data__.data.value`); got != want.samples {
		t.Errorf("%d samples in the flame graph, %d in the trace", got, want.samples)
	}
	screenshot(t, ctx, name+"-flame")
	// Frames grow into their places.
	wait(t, ctx, `document.querySelector("svg.d3-flame-graph .frame rect").getBoundingClientRect().width > 1000`)
	time.Sleep(300 * time.Millisecond)
	checkPicture(t, ctx)

	show(t, ctx, address, "view=runtime")
	if compiler == "loam" {
		wait(t, ctx, `[...document.querySelectorAll("#main td")].some(d => d.textContent === "/loam/pool/hits")`)
		screenshot(t, ctx, name+"-runtime")
	} else {
		// no such figures, and the page says so
		wait(t, ctx, `document.querySelectorAll("#main .empty").length === 3`)
	}
	light := eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`)
	do(t, ctx, chromedp.KeyEvent("t"))
	if dark := eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`); dark == light {
		t.Error("t does not change the theme")
	}
	do(t, ctx, chromedp.KeyEvent("t"))
}

func zoomAndSearch(t *testing.T, ctx context.Context, want *reference) {
	do(t, ctx, chromedp.KeyEvent("w"))
	wait(t, ctx, `location.hash.includes("from=")`)
	width := number(t, ctx, "to") - number(t, ctx, "from")
	if width >= want.duration {
		t.Errorf("w shows %d ns of %d", width, want.duration)
	}
	b := where(t, ctx, "#lanes .u-over")
	do(t, ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: b.Left + b.Width/3, Y: b.Top + 50, DeltaX: 0.01, DeltaY: -240, Modifiers: 2})
		return err
	}))
	wait(t, ctx, fmt.Sprintf(`(p => p.get("to") - p.get("from"))(new URLSearchParams(location.hash.slice(1))) < %d`, width*3/4))
	width = number(t, ctx, "to") - number(t, ctx, "from")
	drag(t, ctx, "#lanes .u-over", 0.4, 0.6)
	wait(t, ctx, fmt.Sprintf(`(p => p.get("to") - p.get("from"))(new URLSearchParams(location.hash.slice(1))) < %d`, width/4))
	do(t, ctx, chromedp.KeyEvent("0"))
	wait(t, ctx, `!location.hash.includes("from=")`)

	// Search for the main goroutine; a click on its lane says what it did there.
	do(t, ctx, chromedp.KeyEvent("/"))
	// The driver types the slash although the page has taken it; so it is cleared.
	wait(t, ctx, `document.activeElement.id === "search" && (document.activeElement.value = "") === ""`)
	do(t, ctx, chromedp.KeyEvent("=1"))
	wait(t, ctx, `document.querySelector("#found").textContent === "1 goroutines"`)
	do(t, ctx, chromedp.KeyEvent("\r"))
	rows := eval[float64](t, ctx, `Number(document.querySelector("#lanes").dataset.fixed)`)
	b = where(t, ctx, "#lanes .u-over")
	do(t, ctx, chromedp.MouseClickXY(b.Left+b.Width/2, b.Top+rows*20+8))
	wait(t, ctx, `document.querySelector("#detail b")?.textContent.startsWith("G 1 ")`)
}

// checkPicture saves the view as PNG and decodes it.
func checkPicture(t *testing.T, ctx context.Context) {
	dir := t.TempDir()
	if _, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Click("#picture"))
	var files []string
	for range 100 {
		if files, _ = filepath.Glob(filepath.Join(dir, "*.png")); len(files) == 1 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(files) != 1 {
		t.Fatal("the browser saved no picture")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X < 1000 || size.Y < 200 {
		t.Errorf("the picture has %v pixels", size)
	}
	colors := map[any]bool{}
	for y := range picture.Bounds().Dy() {
		colors[picture.At(700, y)] = true
	}
	if len(colors) < 4 {
		t.Errorf("the picture has %d colours in its middle column", len(colors))
	}
}

// span reads a selection that is one run of collections.
func span(t *testing.T, selection string) (first, last int) {
	t.Helper()
	if n, err := fmt.Sscanf(selection, "%d-%d", &first, &last); n == 1 {
		last = first
	} else if err != nil {
		t.Errorf("selection %q: %v", selection, err)
	}
	return first, last
}

func abs(v int64) int64 { return max(v, -v) }
