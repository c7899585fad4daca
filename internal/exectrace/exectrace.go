// Package exectrace reads an execution trace, of gc's run-time system or of Loam's, into
// tables that questions can be asked of.
//
// A trace is a list of a million small facts ("goroutine 17 blocked on a channel on P 1 at
// 0.204 s"). A view wants intervals: what was goroutine 17 doing between two moments, and
// what was P 1? So Read goes through the events once, in order, keeps for each goroutine
// and each P the state it is in, and closes an interval, a Span, at each change. The
// spans of a goroutine lie side by side in time order, which makes every later question
// (sums over a window, the n longest, a flame graph of the waits) a scan or a binary
// search over an array, and lets the browser draw them without asking again.
//
// The decoding itself (batches, generations, the order of events of different threads) is
// that of golang.org/x/exp/trace, which follows the format as it changes with Go releases.
//
// All times are nanoseconds since the first event of the trace.
package exectrace

import "sort"

// State is what a goroutine is doing.
type State uint8

const (
	Runnable State = iota + 1 // wants to run, no P has taken it yet
	Running
	Waiting // for a channel, a lock, a timer, the network…
	Syscall
)

// None stands for an absent P, goroutine, stack or reason in the tables' index fields.
const None = -1

// A Span is a time in which a goroutine's state did not change.
type Span struct {
	Start, End int64
	G          int32 // index in Trace.Goroutines
	Proc       int32 // index in Trace.Procs: where it ran or entered the system call; else None
	Thread     int32 // index in Trace.Threads, as Proc
	Stack      int32 // index in Trace.Stacks: where it stopped running; None while it runs
	// index in Trace.Goroutines: the one that made it runnable; None if no goroutine did, or it is not
	By      int32
	ByStack int32 // index in Trace.Stacks: where that was
	Reason  int16 // index in Trace.Reasons: why it waits or had to stop; None if it is not said
	State   State
	Cut     bool // the trace begins or ends within the span
}

// A Goroutine seen in the trace.
type Goroutine struct {
	ID        int64
	Func      string // the function it was started with; empty if no stack tells
	Statement string // position of the go statement; empty for those older than the trace
	Begin     int64
	End       int64 // its exit, or the end of the trace
	First     int   // its spans are Trace.Spans[First:Last]
	Last      int
	Older     bool // it existed when the trace began
	Alive     bool // it had not ended when the trace ended
}

// A Range is something named that went on for a time: a collection, an assist, a pause.
type Range struct {
	Start, End int64
	Name       int16 // index in Trace.Names
	G          int32 // whose range it is; None for one of a P or of the whole program
	Proc       int32 // the P it concerns; None for one of the whole program
}

// A Sample is one tick of the CPU profile's clock.
type Sample struct {
	Time  int64
	G     int32
	Proc  int32
	Stack int32
}

// A Point is the value of a figure from Time on.
type Point struct {
	Time  int64
	Value uint64
}

// Population is how many goroutines were in these states from Time on.
type Population struct {
	Time                       int64
	Runnable, Running, Syscall uint32
}

// A Frame of a stack.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line uint64 `json:"line"`
}

// A Log is a message of the program (runtime/trace.Log).
type Log struct {
	Time              int64
	G                 int32
	Task              int32 // index in Trace.Tasks; None if it belongs to none
	Stack             int32
	Category, Message string
}

// Trace holds the tables. Nothing changes them after Read, so any number of goroutines may
// ask questions of it.
type Trace struct {
	Extent
	Schedule
	Curves
	Goroutines  []Goroutine
	Ranges      []Range // by start
	Marks       []Range // the parts of goroutines' and Ps' ranges spent on a P; by P, then by time
	Names       []string
	Reasons     []string
	Stacks      [][]Frame // innermost frame first
	Samples     []Sample
	Logs        []Log
	Tasks       []Task
	Regions     []Region // by goroutine, then by start, outer ones first
	Collections []Collection
}

// Extent is how much a trace has, and how it ends.
type Extent struct {
	Duration   int64
	Events     int
	Incomplete string // why the end of the trace is missing; empty if it is not
	Exit       string // what ended the program, if it was not the end of main: Loam's programs say it
	Generation int    // how many generations the trace has
	MaxProcs   int
}

// Schedule is what goroutines, threads and Ps did when.
type Schedule struct {
	Spans      []Span // by goroutine, then by time
	Procs      []int64
	Threads    []int64
	OnThread   []int32 // indices of the spans with a thread; by thread, then by time
	ThreadFrom []int   // as ProcFirst
	ProcSpans  []Range // when a P was in use; by P, then by time; Name is None
	OnProc     []int32 // indices of the Running spans; by P, then by time
	ProcFirst  []int   // P i's part of OnProc is OnProc[ProcFirst[i]:ProcFirst[i+1]]
}

// Curves are numbers that change in time.
type Curves struct {
	Heap       []Point // bytes in objects, live or not yet swept
	Goal       []Point // bytes; the collector wants a collection to end before the heap is bigger
	ProcLimit  []Point // GOMAXPROCS
	Population []Population
}

// SpansOf returns the spans of goroutine g (an index) that overlap from <= t < to.
func (t *Trace) SpansOf(g int, from, to int64) []Span {
	all := t.Spans[t.Goroutines[g].First:t.Goroutines[g].Last]
	i := sort.Search(len(all), func(i int) bool { return all[i].End > from })
	j := i + sort.Search(len(all)-i, func(k int) bool { return all[i+k].Start >= to })
	return all[i:j]
}

// clip returns how long a and b overlap.
func clip(start, end, from, to int64) int64 {
	return max(0, min(end, to)-max(start, from))
}

// A Collection is one cycle of the collector, from the beginning to the end of its marking.
type Collection struct {
	Start  int64  `json:"start"`
	End    int64  `json:"end"`
	Before uint64 `json:"before"` // heap when it began, bytes
	After  uint64 `json:"after"`  // heap when it ended
	Peak   uint64 `json:"peak"`   // largest heap while it went on
	Goal   uint64 `json:"goal"`   // goal when it began
	Pauses int    `json:"pauses"` // how often the world was stopped for it
	Paused int64  `json:"paused"` // ns, from the request until the world went on
	Assist int64  `json:"assist"` // ns of goroutines' running time spent helping
	Cut    bool   `json:"cut"`    // the trace begins or ends within it
}

// A Task is what runtime/trace.NewTask began. Regions and messages of any goroutine, and other
// tasks, belong to it.
type Task struct {
	ID         int64
	Parent     int32  // index in Trace.Tasks; None
	Type       string // "" if it began before the trace
	Begin, End int64  // those of the trace, where it has not the task's
	G          int32  // its goroutine, an index in Trace.Goroutines; None if it began before the trace
	Begun      bool   // it began in the trace
	Ended      bool   // it ended in the trace
}

// A Region of a goroutine is what runtime/trace.WithRegion or StartRegion made.
type Region struct {
	Name       string
	G          int32
	Task       int32 // index in Trace.Tasks; None
	Start, End int64
	Depth      int32 // in how many others of the goroutine it lies
	Cut        bool  // the trace, or the goroutine, begins or ends within it
}
