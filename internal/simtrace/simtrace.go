// Package simtrace reads what a simulated run has written of itself (LOAMSIM=timeline=FILE,
// rt/simulation/timeline.go): turns of goroutines, where each began and ended, and what else was
// decided. Compare finds where two runs part. loam trace shows both (internal/traceview).
package simtrace

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Head is the first line of a file.
const Head = "loam simulation 1\n"

// Trace is a run.
type Trace struct {
	Processes  []string     // of a world, in the order in which they appear: n1.2 is the second of n1
	Goroutines []*Goroutine // by process, and in the order in which they appear
	Events     []Event
	Stacks     [][]Frame // by number; 0 is not known
	Note       string    // what the driver says of the run

	known   map[uint64]*Goroutine
	process int   // whose the next lines are, from 1; 0: there is one process
	stacks  []int // how many each process has
	places  map[[2]int]int
}

// Goroutine is one of the run's. Name is the same in all runs in which its ancestors do the same.
type Goroutine struct {
	Key                   uint64 // what tells it from all others, also from those of other processes
	Process               string // "": there is one
	Number, Name, Creator uint64
	Created               int // stack
}

// processBits is where a Key has the number of its process.
const processBits = 32

// Frame is a call of a stack, from the inside out.
type Frame struct{ File, Func string } // File has the line

// Kind is what an Event is.
type Kind string

// What can happen.
const (
	Turn  Kind = "turn"  // Goroutine goes on at Stack
	Left  Kind = "left"  // its turn ends at Stack, for the reason in Text
	Stall Kind = "stall" // the machine stands still, for as long as Text says
	Fault Kind = "fault" // the fault in Text happens
)

// Event is a line of the file.
type Event struct {
	Kind      Kind
	Decision  uint64 // that it is, or is before
	Time      uint64 // nanoseconds since the run's clock began
	Goroutine uint64 // Key
	Stack     int
	Choice    int // of a turn: which of the candidates it is
	Of        int
	Text      string
}

// Deviates reports whether the event is not what the usual schedule would have done.
func (e *Event) Deviates() bool {
	return e.Kind == Turn && e.Choice > 0 || e.Kind == Left && e.Text == "interrupted" || e.Kind == Stall || e.Kind == Fault
}

// Read reads a file. What is cut off, as that of a run that was killed, is read as far as it goes.
func Read(r io.Reader) (*Trace, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	if head, err := in.ReadString('\n'); err != nil || head != Head {
		return nil, fmt.Errorf("no trace of a simulated run: it does not begin with %q", strings.TrimSpace(Head))
	}
	t := &Trace{Stacks: [][]Frame{nil}, known: map[uint64]*Goroutine{}, stacks: []int{0}, places: map[[2]int]int{}}
	for n := 2; ; n++ {
		line, err := in.ReadString('\n')
		if err == io.EOF { // the last line may be half a one
			slices.SortStableFunc(t.Goroutines, func(a, b *Goroutine) int {
				return cmp.Compare(a.Key>>processBits, b.Key>>processBits)
			})
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		if err := t.add(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("line %d of the trace: %w", n, err)
		}
	}
}

// add takes a line over.
func (t *Trace) add(line string) error {
	if frame, ok := strings.CutPrefix(line, "\t"); ok {
		file, name, ok := strings.Cut(frame, "\t")
		if !ok || len(t.Stacks) == 1 {
			return fmt.Errorf("a frame that is none: %q", line)
		}
		last := &t.Stacks[len(t.Stacks)-1]
		*last = append(*last, Frame{file, name})
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	f := fields{rest: rest}
	switch word {
	case "process":
		if t.process = slices.Index(t.Processes, rest) + 1; t.process == 0 {
			t.Processes, t.stacks = append(t.Processes, rest), append(t.stacks, 0)
			t.process = len(t.Processes)
		}
	case "stack":
		if t.stacks[t.process]++; int(f.next()) != t.stacks[t.process] {
			return fmt.Errorf("stacks are not in order: %q", line)
		}
		t.places[[2]int{t.process, t.stacks[t.process]}] = len(t.Stacks)
		t.Stacks = append(t.Stacks, nil)
	case "goroutine":
		g := &Goroutine{Number: f.next(), Name: f.next(), Creator: f.next()}
		g.Key = t.key(g.Number)
		if t.process > 0 {
			g.Process = t.Processes[t.process-1]
		}
		g.Created = t.stack(&f)
		t.Goroutines = append(t.Goroutines, g)
		t.known[g.Key] = g
	case "turn", "left", "stall", "fault":
		e := Event{Kind: Kind(word), Decision: f.next(), Time: f.next(), Goroutine: t.key(f.next())}
		e.Stack = t.stack(&f)
		if e.Kind == Turn {
			e.Choice, e.Of = int(f.next()), int(f.next())
		} else {
			e.Text = f.rest
		}
		t.Events = append(t.Events, e)
	case "note":
		t.Note = rest
	default:
		return fmt.Errorf("an unknown word: %q", line)
	}
	if f.bad {
		return fmt.Errorf("a number is missing: %q", line)
	}
	return nil
}

// fields are the numbers of a line.
type fields struct {
	rest string
	bad  bool
}

func (f *fields) next() uint64 {
	var word string
	word, f.rest, _ = strings.Cut(f.rest, " ")
	v, err := strconv.ParseUint(word, 10, 64)
	f.bad = f.bad || err != nil
	return v
}

// key is that of the process's goroutine with a number; 0 is no goroutine.
func (t *Trace) key(number uint64) uint64 {
	if number == 0 {
		return 0
	}
	return uint64(t.process)<<processBits | number
}

// stack is a stack that the process has numbered.
func (t *Trace) stack(f *fields) int {
	v := f.next()
	if v == 0 {
		return 0
	}
	place, ok := t.places[[2]int{t.process, int(v)}]
	f.bad = f.bad || !ok
	return place
}

// Goroutine is the one with a key, which is none's if the trace does not know it.
func (t *Trace) Goroutine(key uint64) Goroutine {
	if g := t.known[key]; g != nil {
		return *g
	}
	return Goroutine{Key: key, Number: key & (1<<processBits - 1)}
}

// String is how people call it.
func (g Goroutine) String() string {
	if g.Process != "" {
		return fmt.Sprintf("goroutine %d of %s", g.Number, g.Process)
	}
	return fmt.Sprintf("goroutine %d", g.Number)
}

// Difference is where two runs part.
type Difference struct {
	A, B  int    // the events; one of them may be the number of its run's events
	Why   string // in words
	Equal bool   // they do not
}

// Compare finds the first event in which two runs differ. Goroutines are the same if their names
// are, stacks if their functions and lines are. When something happens is no difference.
func Compare(a, b *Trace) Difference {
	n := min(len(a.Events), len(b.Events))
	for i := range n {
		if why := differs(a, b, &a.Events[i], &b.Events[i]); why != "" {
			return Difference{A: i, B: i, Why: why}
		}
	}
	switch {
	case len(a.Events) > n:
		return Difference{A: n, B: n, Why: "the second run has ended here"}
	case len(b.Events) > n:
		return Difference{A: n, B: n, Why: "the first run has ended here"}
	}
	return Difference{A: n, B: n, Equal: true}
}

func differs(a, b *Trace, x, y *Event) string {
	g, h := a.Goroutine(x.Goroutine), b.Goroutine(y.Goroutine)
	switch {
	case x.Kind != y.Kind:
		return fmt.Sprintf("%s in the first run, %s in the second", x.Kind, y.Kind)
	case g.Name != h.Name || g.Process != h.Process:
		return fmt.Sprintf("%s of %s in the first run, of %s in the second", x.Kind, g, h)
	case !slices.Equal(a.Stacks[x.Stack], b.Stacks[y.Stack]):
		return fmt.Sprintf("%s is in another place", g)
	case x.Kind == Left && x.Text != y.Text:
		return fmt.Sprintf("%s: %s in the first run, %s in the second", g, x.Text, y.Text)
	case x.Kind == Fault && x.Text != y.Text:
		return fmt.Sprintf("the fault is %s in the first run, %s in the second", x.Text, y.Text)
	}
	return ""
}
