package exectrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/exp/trace"
)

// ErrEmpty is returned for a trace without an event that says anything.
var ErrEmpty = errors.New("the trace has no events")

// Read reads a whole trace. If it ends early or is damaged, the tables hold what came before
// and Incomplete says so: a program that crashed is worth a look as well. What is not a
// trace at all gives an error.
func Read(r io.Reader) (*Trace, error) {
	tr, err := trace.NewReader(bufio.NewReaderSize(r, 1<<20))
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, ErrEmpty
		}
		return nil, fmt.Errorf("not an execution trace: %w", err)
	}
	b := newBuilder()
	for {
		ev, err := tr.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			if b.t.Events == 0 {
				return nil, fmt.Errorf("nothing of the trace can be read, as if the program was killed when it had just begun: %w", err)
			}
			b.t.Incomplete = fmt.Sprintf("the trace breaks off after %d events: %v", b.t.Events, err)
			break
		}
		b.add(&ev)
	}
	if b.t.Events == 0 {
		return nil, ErrEmpty
	}
	return b.finish(), nil
}

// A builder is what Read knows while it goes through the events.
type builder struct {
	t       *Trace
	base    trace.Time
	now     int64
	gs      map[trace.GoID]*goroutine
	order   []*goroutine
	procs   map[trace.ProcID]*proc
	threads map[trace.ThreadID]int32
	tasks   map[trace.TaskID]int32
	open    map[rangeKey]*openRange
	names   map[string]int16
	reasons map[string]int16
	stacks  map[trace.Stack]int32 // of this generation
	byText  map[string]int32      // of all generations

	runnable, running, syscall uint32
}

type goroutine struct {
	index   int32
	since   Span         // the span that is open
	open    []*openRange // its ranges, oldest first
	regions []Region     // its regions that are open, outermost first
	marking *rangeKey    // it marks for the collector until its span ends
}

type proc struct {
	index int32
	inUse int64 // since when; None while it is idle
	open  []*openRange
}

type rangeKey struct {
	scope trace.ResourceID
	name  string
}

// An openRange has begun and not ended. seen is from when on its time on a P is not yet in
// Trace.Marks.
type openRange struct {
	Range
	key  rangeKey
	seen int64
}

func newBuilder() *builder {
	return &builder{
		t:       &Trace{},
		gs:      map[trace.GoID]*goroutine{},
		procs:   map[trace.ProcID]*proc{},
		threads: map[trace.ThreadID]int32{},
		tasks:   map[trace.TaskID]int32{},
		open:    map[rangeKey]*openRange{},
		names:   map[string]int16{},
		reasons: map[string]int16{},
		stacks:  map[trace.Stack]int32{},
		byText:  map[string]int32{},
	}
}

func (b *builder) add(ev *trace.Event) {
	switch ev.Kind() {
	case trace.EventSync:
		// Every trace begins and ends with one; their times are not the program's.
		clear(b.stacks)
		b.t.Generation++
		return
	case trace.EventExperimental:
		return
	}
	if b.t.Events == 0 {
		b.base = ev.Time()
	}
	b.t.Events++
	time := int64(ev.Time() - b.base)
	b.now = max(b.now, time)
	switch ev.Kind() {
	case trace.EventMetric:
		b.metric(ev.Metric())
	case trace.EventStateTransition:
		st := ev.StateTransition()
		switch st.Resource.Kind {
		case trace.ResourceGoroutine:
			b.goroutineChange(ev, &st)
		case trace.ResourceProc:
			b.procChange(&st)
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		r := ev.Range()
		b.begin(rangeKey{r.Scope, r.Name})
	case trace.EventRangeEnd:
		r := ev.Range()
		b.end(rangeKey{r.Scope, r.Name})
	case trace.EventRegionBegin:
		b.beginRegion(ev)
	case trace.EventRegionEnd:
		b.endRegion(ev)
	case trace.EventTaskBegin, trace.EventTaskEnd:
		b.taskChange(ev)
	case trace.EventLabel:
		b.label(ev.Label())
	case trace.EventStackSample:
		s := Sample{Time: time, G: None, Proc: None, Stack: b.stack(ev.Stack())}
		if g := ev.Goroutine(); g != trace.NoGoroutine {
			s.G = b.goroutine(g).index
		}
		if p := ev.Proc(); p != trace.NoProc {
			s.Proc = b.proc(p).index
		}
		b.t.Samples = append(b.t.Samples, s)
	case trace.EventLog:
		b.log(ev)
	}
}

func (b *builder) metric(m trace.Metric) {
	if m.Value.Kind() != trace.ValueUint64 {
		return
	}
	switch v := m.Value.Uint64(); m.Name {
	case "/memory/classes/heap/objects:bytes":
		b.t.Heap = append(b.t.Heap, Point{b.now, v})
	case "/gc/heap/goal:bytes":
		b.t.Goal = append(b.t.Goal, Point{b.now, v})
	case "/sched/gomaxprocs:threads":
		b.t.MaxProcs = int(v)
		b.t.ProcLimit = append(b.t.ProcLimit, Point{b.now, v})
	}
}

// goroutine returns what is known of a goroutine, which may be nothing yet.
func (b *builder) goroutine(id trace.GoID) *goroutine {
	g := b.gs[id]
	if g == nil {
		g = &goroutine{index: int32(len(b.order))}
		g.since = newSpan(g.index, b.now)
		b.gs[id] = g
		b.order = append(b.order, g)
		b.t.Goroutines = append(b.t.Goroutines, Goroutine{ID: int64(id), Begin: b.now, Older: true, Alive: true})
	}
	return g
}

func (b *builder) goroutineChange(ev *trace.Event, st *trace.StateTransition) {
	g := b.goroutine(st.Resource.Goroutine())
	from, to := st.Goroutine()
	by := int32(None)
	if id := ev.Goroutine(); to == trace.GoRunnable && (from == trace.GoWaiting || from == trace.GoNotExist) && id != trace.NoGoroutine {
		by = b.goroutine(id).index
	}
	info := &b.t.Goroutines[g.index]
	stack := b.stack(st.Stack)
	if info.ID == mainID {
		info.Func = "main.main" // whatever initialisers it runs first
	} else if stack != None {
		info.setFunc(b.t.Stacks[stack])
	}
	if from == trace.GoNotExist {
		info.Older = false
		if s := b.stack(ev.Stack()); s != None && len(b.t.Stacks[s]) > 0 {
			frames := b.t.Stacks[s]
			f := frames[0]
			if f.Func == "sync.(*WaitGroup).Go" && len(frames) > 1 {
				f = frames[1] // its caller means the go statement
			}
			info.Statement = fmt.Sprintf("%s %s:%d", f.Func, f.File, f.Line)
		}
	}
	state := stateOf(to)
	if state == g.since.State && from != trace.GoNotExist {
		return // a new generation says again what is so
	}
	b.closeSpan(g, spanEnds)
	g.since = newSpan(g.index, b.now)
	g.since.State, g.since.Cut = state, from == trace.GoUndetermined
	if by != None {
		g.since.By, g.since.ByStack = by, b.stack(ev.Stack())
	}
	if state == 0 {
		info.End, info.Alive = b.now, false
		for len(g.open) > 0 {
			b.endRange(g.open[0])
		}
		b.closeRegions(g)
	}
	if m := ev.Thread(); m != trace.NoThread && (state == Running || state == Syscall) {
		g.since.Thread = b.thread(m)
	}
	if p := ev.Proc(); p != trace.NoProc && (state == Running || state == Syscall) {
		g.since.Proc = b.proc(p).index
	}
	if state != Running {
		g.since.Stack = stack
		g.since.Reason = intern(st.Reason, b.reasons, &b.t.Reasons)
	}
	switch state {
	case Runnable:
		b.runnable++
	case Running:
		b.running++
		for _, r := range g.open {
			r.seen = b.now
		}
	case Syscall:
		b.syscall++
	}
	b.population()
}

func newSpan(g int32, start int64) Span {
	return Span{G: g, Start: start, Proc: None, Thread: None, Stack: None, Reason: None, By: None, ByStack: None}
}

// mainID is the number of the goroutine that runs main.
const mainID = 1

// waitGroupGo is what all goroutines of sync.WaitGroup.Go begin with. The function that it calls
// says more.
const waitGroupGo = "sync.(*WaitGroup).Go.func1"

// setFunc takes the function that a goroutine was started with from one of its stacks.
func (g *Goroutine) setFunc(frames []Frame) {
	n := len(frames)
	if n > 0 && g.Func == "" {
		g.Func = frames[n-1].Func
	}
	if n > 1 && g.Func == waitGroupGo {
		g.Func = frames[n-2].Func
	}
}

func stateOf(s trace.GoState) State {
	switch s {
	case trace.GoRunnable:
		return Runnable
	case trace.GoRunning:
		return Running
	case trace.GoWaiting:
		return Waiting
	case trace.GoSyscall:
		return Syscall
	}
	return 0
}

// spanEnd is why a span ends.
type spanEnd int

const (
	spanEnds spanEnd = iota
	traceEnds
)

// closeSpan ends the open span of g now.
func (b *builder) closeSpan(g *goroutine, end spanEnd) {
	s := g.since
	switch s.State {
	case 0:
		return
	case Runnable:
		b.runnable--
	case Syscall:
		b.syscall--
	case Running:
		b.running--
		if g.marking != nil {
			b.end(*g.marking)
			g.marking = nil
		}
		for _, r := range g.open {
			b.mark(r, s.Proc)
		}
	}
	s.End = b.now
	s.Cut = s.Cut || end == traceEnds
	b.t.Spans = append(b.t.Spans, s)
}

// mark adds the part of r that p has spent on it since the last time.
func (b *builder) mark(r *openRange, p int32) {
	if p != None && b.now > r.seen {
		b.t.Marks = append(b.t.Marks, Range{Start: r.seen, End: b.now, Name: r.Name, G: r.G, Proc: p})
	}
	r.seen = b.now
}

func (b *builder) population() {
	list := b.t.Population
	if n := len(list); n > 0 && list[n-1].Time == b.now {
		list[n-1] = Population{b.now, b.runnable, b.running, b.syscall}
		return
	}
	b.t.Population = append(list, Population{b.now, b.runnable, b.running, b.syscall})
}

func (b *builder) proc(id trace.ProcID) *proc {
	p := b.procs[id]
	if p == nil {
		p = &proc{index: int32(len(b.t.Procs)), inUse: None}
		b.procs[id] = p
		b.t.Procs = append(b.t.Procs, int64(id))
	}
	return p
}

func (b *builder) procChange(st *trace.StateTransition) {
	p := b.proc(st.Resource.Proc())
	_, to := st.Proc()
	switch {
	case to == trace.ProcRunning && p.inUse == None:
		p.inUse = b.now
	case to != trace.ProcRunning && p.inUse != None:
		b.t.ProcSpans = append(b.t.ProcSpans, Range{Start: p.inUse, End: b.now, Name: None, G: None, Proc: p.index})
		p.inUse = None
	}
}

func (b *builder) begin(key rangeKey) {
	if b.open[key] != nil {
		return // a new generation says again what is so
	}
	r := &openRange{key: key, Range: Range{Start: b.now, Name: intern(key.name, b.names, &b.t.Names), G: None, Proc: None}, seen: b.now}
	switch key.scope.Kind {
	case trace.ResourceGoroutine:
		g := b.goroutine(key.scope.Goroutine())
		r.G = g.index
		g.open = append(g.open, r)
	case trace.ResourceProc:
		p := b.proc(key.scope.Proc())
		r.Proc = p.index
		p.open = append(p.open, r)
	}
	b.open[key] = r
}

func (b *builder) end(key rangeKey) {
	if r := b.open[key]; r != nil {
		b.endRange(r)
	}
}

func (b *builder) endRange(r *openRange) {
	switch {
	case r.G != None:
		g := b.order[r.G]
		if g.since.State == Running {
			b.mark(r, g.since.Proc)
		}
		g.open = slices.DeleteFunc(g.open, func(o *openRange) bool { return o == r })
	case r.Proc != None:
		b.mark(r, r.Proc)
	}
	delete(b.open, r.key)
	r.End = b.now
	b.t.Ranges = append(b.t.Ranges, r.Range)
}

func (b *builder) thread(id trace.ThreadID) int32 {
	i, ok := b.threads[id]
	if !ok {
		i = int32(len(b.t.Threads))
		b.t.Threads = append(b.t.Threads, int64(id))
		b.threads[id] = i
	}
	return i
}

// label notes that a goroutine marks for the collector from now on until it stops running.
func (b *builder) label(l trace.Label) {
	if l.Resource.Kind != trace.ResourceGoroutine || !strings.HasPrefix(l.Label, workerPrefix) {
		return
	}
	g := b.goroutine(l.Resource.Goroutine())
	if g.marking != nil || g.since.State != Running {
		return
	}
	g.marking = &rangeKey{l.Resource, l.Label}
	b.begin(*g.marking)
}

// stack returns the index of s in the table, which has each stack once.
func (b *builder) stack(s trace.Stack) int32 {
	if s == trace.NoStack {
		return None
	}
	if i, ok := b.stacks[s]; ok {
		return i
	}
	var frames []Frame
	var text strings.Builder
	for f := range s.Frames() {
		frames = append(frames, Frame{f.Func, f.File, f.Line})
		fmt.Fprintf(&text, "%s\n%s:%d\n", f.Func, f.File, f.Line)
	}
	i, ok := b.byText[text.String()]
	if !ok {
		i = int32(len(b.t.Stacks))
		b.t.Stacks = append(b.t.Stacks, frames)
		b.byText[text.String()] = i
	}
	b.stacks[s] = i
	return i
}

func intern(s string, known map[string]int16, list *[]string) int16 {
	if s == "" {
		return None
	}
	i, ok := known[s]
	if !ok {
		if len(*list) == 1<<15-1 {
			return int16(len(*list) - 1) // more names than anyone can look at
		}
		i = int16(len(*list))
		*list = append(*list, s)
		known[s] = i
	}
	return i
}
