package browsertest

import (
	"os"
	"path/filepath"
	"runtime/trace"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// pingPong records a million events and more: goroutines that hand a value to each other,
// every time with two that block, wake and run.
func pingPong(b *testing.B) string {
	name := filepath.Join(b.TempDir(), "million.trace")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := trace.Start(f); err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 100 {
		there, back := make(chan int), make(chan int)
		wg.Go(func() {
			for v := range there {
				back <- v
			}
			close(back)
		})
		wg.Go(func() {
			for i := range 1800 {
				there <- i
				<-back
			}
			close(there)
		})
	}
	wg.Wait()
	trace.Stop()
	return name
}

// BenchmarkMillion opens a trace of a million events: ms/open is from the start of loam trace
// until the page has drawn its timeline, ms/frame the 95th percentile of what one frame takes
// to draw while the window moves and zooms.
func BenchmarkMillion(b *testing.B) {
	file := pingPong(b)
	ctx := open(b)
	var frames []float64
	var opened time.Duration
	var events float64
	for b.Loop() {
		start := time.Now()
		address := serve(b, file)
		do(b, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#view=timeline"))
		wait(b, ctx, `document.body.dataset.ready === "true"`)
		opened += time.Since(start)
		events = eval[float64](b, ctx, `Number(document.querySelector("#about").textContent.match(/([\d,]+) events/)[1].replaceAll(",", ""))`)
		eval[bool](b, ctx, moving)
		wait(b, ctx, `window.frameTimes.length >= 120`)
		frames = append(frames, eval[[]float64](b, ctx, `window.frameTimes`)...)
	}
	if events < 1e6 {
		b.Fatalf("%v events are not a million", events)
	}
	slices.Sort(frames)
	b.ReportMetric(float64(opened.Milliseconds())/float64(b.N), "ms/open")
	b.ReportMetric(frames[len(frames)*95/100], "ms/frame")
	b.ReportMetric(events, "events")
	b.ReportMetric(0, "ns/op")
}

// moving presses a key a frame and notes the time from each frame to the next.
const moving = `(() => {
	const times = window.frameTimes = [];
	const keys = "wwwwddddaaaassss";
	let last = performance.now();
	const next = () => requestAnimationFrame((now) => {
		times.push(now - last);
		last = now;
		dispatchEvent(new KeyboardEvent("keydown", {key: keys[times.length % keys.length]}));
		if (times.length < 120) next();
	});
	next();
	return true;
})()`
