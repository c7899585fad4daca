package exectrace

import (
	"cmp"
	"slices"

	"golang.org/x/exp/trace"
)

// What programs say of themselves with runtime/trace: tasks, regions of goroutines, messages.

func (b *builder) task(id trace.TaskID) int32 {
	if id == trace.NoTask || id == trace.BackgroundTask {
		return None
	}
	i, ok := b.tasks[id]
	if !ok {
		i = int32(len(b.t.Tasks))
		b.t.Tasks = append(b.t.Tasks, Task{ID: int64(id), Parent: None, G: None, End: None})
		b.tasks[id] = i
	}
	return i
}

func (b *builder) taskChange(ev *trace.Event) {
	said := ev.Task()
	i := b.task(said.ID)
	if i == None {
		return
	}
	parent, by := b.task(said.Parent), b.current(ev)
	t := &b.t.Tasks[i]
	if said.Type != "" {
		t.Type = said.Type
	}
	if parent != None {
		t.Parent = parent
	}
	if ev.Kind() == trace.EventTaskEnd {
		t.End, t.Ended = b.now, true
		return
	}
	t.Begin, t.Begun, t.G = b.now, true, by
}

// current returns the goroutine in which something happened.
func (b *builder) current(ev *trace.Event) int32 {
	if id := ev.Goroutine(); id != trace.NoGoroutine {
		return b.goroutine(id).index
	}
	return None
}

func (b *builder) closeTasks() {
	for i := range b.t.Tasks {
		if t := &b.t.Tasks[i]; !t.Ended {
			t.End = b.now
		}
	}
}

func (b *builder) log(ev *trace.Event) {
	l := ev.Log()
	if l.Category == exitCategory {
		b.t.Exit = l.Message
	}
	b.t.Logs = append(b.t.Logs, Log{b.now, b.current(ev), b.task(l.Task), b.stack(ev.Stack()), l.Category, l.Message})
}

func (b *builder) beginRegion(ev *trace.Event) {
	if ev.Goroutine() == trace.NoGoroutine {
		return
	}
	r := ev.Region()
	g := b.goroutine(ev.Goroutine())
	g.regions = append(g.regions, Region{Name: r.Type, G: g.index, Task: b.task(r.Task), Start: b.now, Depth: int32(len(g.regions))})
}

// endRegion ends the innermost region of that name and task. If there is none, it began before the
// trace, outside of those that the trace knows.
func (b *builder) endRegion(ev *trace.Event) {
	if ev.Goroutine() == trace.NoGoroutine {
		return
	}
	said := ev.Region()
	g := b.goroutine(ev.Goroutine())
	task := b.task(said.Task)
	r := Region{Name: said.Type, G: g.index, Task: task, Cut: true}
	for i := len(g.regions) - 1; i >= 0; i-- {
		if g.regions[i].Name == said.Type && g.regions[i].Task == task {
			r = g.regions[i]
			g.regions = slices.Delete(g.regions, i, i+1)
			break
		}
	}
	r.End = b.now
	b.t.Regions = append(b.t.Regions, r)
}

// closeRegions ends the regions of a goroutine that has ended, or whose trace has.
func (b *builder) closeRegions(g *goroutine) {
	for _, r := range g.regions {
		r.End, r.Cut = b.now, true
		b.t.Regions = append(b.t.Regions, r)
	}
	g.regions = nil
}

// A Kind sums up the tasks of one type, or the regions of one name. Parts is nil for tasks.
type Kind struct {
	Name     string       `json:"name"`
	Count    int          `json:"count"`
	Open     int          `json:"open"` // of these, not whole in the trace
	Duration Distribution `json:"duration"`
	Buckets  []Bucket     `json:"buckets"`
	Parts    *KindParts   `json:"parts,omitempty"`
}

// KindParts says how the goroutines spent the regions of one name, in ns.
type KindParts struct {
	Running  int64 `json:"running"`
	Network  int64 `json:"network"`
	Sync     int64 `json:"sync"` // waiting for something else
	Runnable int64 `json:"runnable"`
	Syscall  int64 `json:"syscall"`
}

type interval struct {
	name       string
	start, end int64
	cut        bool
}

// kinds groups intervals that overlap a window by their names, the ones that took most time first.
// They count with their whole lengths.
func kinds(list []interval, from, to int64) []Kind {
	lengths := map[string][]int64{}
	open := map[string]int{}
	for _, v := range list {
		if v.end < from || v.start >= to {
			continue
		}
		lengths[v.name] = append(lengths[v.name], v.end-v.start)
		if v.cut {
			open[v.name]++
		}
	}
	all := make([]Kind, 0, len(lengths))
	for name, l := range lengths {
		k := Kind{Name: name, Count: len(l), Open: open[name], Duration: distribution(l)}
		k.Buckets = histogram(l)
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(b.Duration.Sum, a.Duration.Sum), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// TaskKinds sums up the tasks that overlap from <= t < to, by type.
func (t *Trace) TaskKinds(from, to int64) []Kind {
	list := make([]interval, len(t.Tasks))
	for i := range t.Tasks {
		k := &t.Tasks[i]
		list[i] = interval{k.Type, k.Begin, k.End, !k.Begun || !k.Ended}
	}
	return kinds(list, from, to)
}

// RegionKinds sums up the regions that overlap from <= t < to, by name. Regions of one name within
// each other are all counted, but their time in Parts only once.
func (t *Trace) RegionKinds(from, to int64) []Kind {
	list := make([]interval, len(t.Regions))
	for i := range t.Regions {
		r := &t.Regions[i]
		list[i] = interval{r.Name, r.Start, r.End, r.Cut}
	}
	all := kinds(list, from, to)
	for i := range all {
		p := &KindParts{}
		t.each(Part{From: from, To: to, Region: all[i].Name}, func(g int, from, to int64) {
			a := t.account(g, from, to)
			p.Running += a.Running
			p.Network += a.Network
			p.Sync += a.Waiting - a.Network
			p.Runnable += a.Runnable
			p.Syscall += a.Syscall
		})
		all[i].Parts = p
	}
	return all
}

// A TaskRow is a task in a list.
type TaskRow struct {
	Index      int    `json:"index"`
	ID         int64  `json:"id"`
	Type       string `json:"type"`
	Parent     int32  `json:"parent"`
	Begin      int64  `json:"begin"`
	End        int64  `json:"end"`
	Begun      bool   `json:"begun"`
	Ended      bool   `json:"ended"`
	G          int32  `json:"g"`
	Goroutines int    `json:"goroutines"` // that had regions or messages of it
	Regions    int    `json:"regions"`
	Logs       int    `json:"logs"`
}

// TasksOf lists the tasks of one type that overlap a window, the longest first, at most limit.
func (t *Trace) TasksOf(kind string, from, to int64, limit int) []TaskRow {
	rows := []TaskRow{}
	for i := range t.Tasks {
		if k := &t.Tasks[i]; k.Type == kind && k.End >= from && k.Begin < to {
			rows = append(rows, t.taskRow(i))
		}
	}
	slices.SortFunc(rows, func(a, b TaskRow) int {
		return cmp.Or(cmp.Compare(b.End-b.Begin, a.End-a.Begin), cmp.Compare(a.ID, b.ID))
	})
	rows = rows[:min(limit, len(rows))]
	at := map[int32]*TaskRow{}
	seen := map[[2]int32]bool{}
	for i := range rows {
		at[int32(rows[i].Index)] = &rows[i]
		seen[[2]int32{int32(rows[i].Index), rows[i].G}] = true
		if rows[i].G != None {
			rows[i].Goroutines = 1
		}
	}
	count := func(task, g int32) *TaskRow {
		r := at[task]
		if r != nil && g != None && !seen[[2]int32{task, g}] {
			seen[[2]int32{task, g}] = true
			r.Goroutines++
		}
		return r
	}
	for i := range t.Regions {
		if r := count(t.Regions[i].Task, t.Regions[i].G); r != nil {
			r.Regions++
		}
	}
	for i := range t.Logs {
		if r := count(t.Logs[i].Task, t.Logs[i].G); r != nil {
			r.Logs++
		}
	}
	return rows
}

func (t *Trace) taskRow(i int) TaskRow {
	k := &t.Tasks[i]
	return TaskRow{Index: i, ID: k.ID, Type: k.Type, Parent: k.Parent, Begin: k.Begin, End: k.End, Begun: k.Begun, Ended: k.Ended, G: k.G}
}

// A Moment is something that happened in a task.
type Moment struct {
	Time     int64  `json:"time"`
	Duration int64  `json:"duration"` // of a region or task; None
	G        int32  `json:"g"`
	Kind     string `json:"kind"` // task, region, log
	Text     string `json:"text"`
	Task     int32  `json:"task"` // of a task: its index; else None
	Stack    int32  `json:"stack"`
}

// A TaskStory is one task, those around it, and what happened in it in the order of time.
type TaskStory struct {
	Task    TaskRow  `json:"task"`
	Parent  *TaskRow `json:"parent,omitempty"`
	Moments []Moment `json:"moments"`
}

// TaskStory tells what happened in a task, at most limit moments of it.
func (t *Trace) TaskStory(i, limit int) TaskStory {
	s := TaskStory{Task: t.taskRow(i), Moments: []Moment{}}
	if p := s.Task.Parent; p != None {
		row := t.taskRow(int(p))
		s.Parent = &row
	}
	for k := range t.Tasks {
		if c := &t.Tasks[k]; int(c.Parent) == i {
			s.Moments = append(s.Moments, Moment{c.Begin, c.End - c.Begin, c.G, "task", c.Type, int32(k), None})
		}
	}
	for k := range t.Regions {
		if r := &t.Regions[k]; int(r.Task) == i {
			s.Moments = append(s.Moments, Moment{r.Start, r.End - r.Start, r.G, "region", r.Name, None, None})
		}
	}
	for k := range t.Logs {
		if l := &t.Logs[k]; int(l.Task) == i {
			s.Moments = append(s.Moments, l.moment())
		}
	}
	slices.SortStableFunc(s.Moments, func(a, b Moment) int { return cmp.Compare(a.Time, b.Time) })
	s.Moments = s.Moments[:min(limit, len(s.Moments))]
	return s
}

func (l *Log) moment() Moment {
	text := l.Message
	if l.Category != "" {
		text = l.Category + ": " + text
	}
	return Moment{l.Time, None, l.G, "log", text, l.Task, l.Stack}
}

// A RegionRow is one region, and how its goroutine spent it.
type RegionRow struct {
	Account
	Start int64 `json:"start"`
	End   int64 `json:"end"`
	Task  int32 `json:"task"`
	Cut   bool  `json:"cut"`
}

// RegionsOf lists the regions of one name that overlap a window, the longest first, at most limit.
func (t *Trace) RegionsOf(name string, from, to int64, limit int) []RegionRow {
	var list []*Region
	for i := range t.Regions {
		if r := &t.Regions[i]; r.Name == name && r.End >= from && r.Start < to {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *Region) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	rows := []RegionRow{}
	for _, r := range list[:min(limit, len(list))] {
		rows = append(rows, RegionRow{t.account(int(r.G), r.Start, r.End), r.Start, r.End, r.Task, r.Cut})
	}
	return rows
}

// Messages lists what the program has logged in a window, in the order of time, at most limit. What
// the run-time system tells of itself is not among them.
func (t *Trace) Messages(from, to int64, limit int) []Moment {
	list := []Moment{}
	for i := range t.Logs {
		l := &t.Logs[i]
		switch l.Category {
		case metricCategory, growthCategory, exitCategory:
			continue
		}
		if l.Time >= from && l.Time < to && len(list) < limit {
			list = append(list, l.moment())
		}
	}
	return list
}
