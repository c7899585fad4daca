package build

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"loam/internal/escape"
)

// pool runs functions in the background, a fixed number at a time. Of those that wait, the one with
// the greatest weight is next: the last of a build should be short ones, so that all CPUs have work
// to the end.
type pool struct {
	all sync.WaitGroup

	mu      sync.Mutex
	waiting []job
	idle    int // how many more may run
}

type job struct {
	weight int
	run    func()
}

func newPool(n int) *pool { return &pool{idle: n} }

// do has f run in the background.
func (p *pool) do(weight int, f func()) {
	p.all.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, job{weight, f})
	if p.idle > 0 {
		p.idle--
		go p.work()
	}
}

// work runs what waits until nothing does.
func (p *pool) work() {
	for {
		p.mu.Lock()
		if len(p.waiting) == 0 {
			p.idle++
			p.mu.Unlock()
			return
		}
		heaviest := 0
		for i, j := range p.waiting {
			if j.weight > p.waiting[heaviest].weight {
				heaviest = i
			}
		}
		j := p.waiting[heaviest]
		p.waiting = append(p.waiting[:heaviest], p.waiting[heaviest+1:]...)
		p.mu.Unlock()
		j.run()
		p.all.Done()
	}
}

// wait waits until all functions have run.
func (p *pool) wait() { p.all.Wait() }

// boundHeap has the collector run more often once there is much to keep. The command starts with a
// high GOGC, because most builds end before a collection pays; but a build of hundreds of packages
// keeps their syntax and types, some 400 MB for net/http, and five times that is more than clang
// and linker take together.
func boundHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	want := 400
	switch mb := live[0].Value.Uint64() >> 20; {
	case mb > 250:
		want = 60
	case mb > 100:
		want = 120
	}
	gcPercent.mu.Lock()
	defer gcPercent.mu.Unlock()
	if want != gcPercent.set {
		gcPercent.set = want
		debug.SetGCPercent(want)
	}
}

// gcPercent is what boundHeap has set.
var gcPercent = struct {
	mu  sync.Mutex
	set int
}{set: 400}

// guardHeap has boundHeap called after each collection: a single package can be as big as hundreds.
var guardHeap = sync.OnceFunc(armGuard)

// A guard is garbage at once, so that each collection finds it.
type guard struct{ _ *int }

func armGuard() {
	runtime.SetFinalizer(new(guard), func(*guard) {
		boundHeap()
		armGuard()
	})
}

// shrink gives back the memory of the front halves, which are done, while clang works on the rest.
// All of it counts as long as clang and the linker run.
func (g *Graph) shrink() {
	defer g.b.lane.Begin("", "shrink").End()
	g.newUniverse()
	g.summaries, g.summarised = map[string]*escape.Summary{}, map[*unit]bool{}
	debug.FreeOSMemory()
}
