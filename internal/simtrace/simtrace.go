// Package simtrace reads what a simulated run has written of itself (LOAMSIM=timeline=FILE,
// rt/sched/simtimeline.go): turns of goroutines, where each began and ended, and what else was
// decided. Compare finds where two runs part. loam trace shows both (internal/traceview).
package simtrace

import (
	"bufio"
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
	Goroutines []*Goroutine // in the order in which they appear
	names      map[uint64]uint64
	Events     []Event
	Stacks     [][]Frame // by number; 0 is not known
	Note       string    // what the driver says of the run
}

// Goroutine is one of the run's. Name is the same in all runs in which its ancestors do the same.
type Goroutine struct {
	Number, Name, Creator uint64
	Created               int // stack
}

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
	Goroutine uint64 // number
	Stack     int
	Choice    int // of a turn: which of the candidates it is
	Of        int
	Text      string
}

// Deviates tells whether the event is not what the usual schedule would have done.
func (e *Event) Deviates() bool {
	return e.Kind == Turn && e.Choice > 0 || e.Kind == Left && e.Text == "interrupted" || e.Kind == Stall || e.Kind == Fault
}

// Read reads a file. What is cut off, as that of a run that was killed, is read as far as it goes.
func Read(r io.Reader) (*Trace, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	if head, err := in.ReadString('\n'); err != nil || head != Head {
		return nil, fmt.Errorf("no trace of a simulated run: it does not begin with %q", strings.TrimSpace(Head))
	}
	t := &Trace{Stacks: [][]Frame{nil}, names: map[uint64]uint64{}}
	for n := 2; ; n++ {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return t, nil // the last line may be half a one
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
	case "stack":
		if int(f.next()) != len(t.Stacks) {
			return fmt.Errorf("stacks are not in order: %q", line)
		}
		t.Stacks = append(t.Stacks, nil)
	case "goroutine":
		g := &Goroutine{Number: f.next(), Name: f.next(), Creator: f.next()}
		g.Created = t.stack(&f)
		t.Goroutines = append(t.Goroutines, g)
		t.names[g.Number] = g.Name
	case "turn", "left", "stall", "fault":
		e := Event{Kind: Kind(word), Decision: f.next(), Time: f.next(), Goroutine: f.next()}
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

// stack is the number of a stack that there is.
func (t *Trace) stack(f *fields) int {
	v := f.next()
	if v >= uint64(len(t.Stacks)) {
		f.bad = true
		return 0
	}
	return int(v)
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
	switch {
	case x.Kind != y.Kind:
		return fmt.Sprintf("%s in the first run, %s in the second", x.Kind, y.Kind)
	case a.names[x.Goroutine] != b.names[y.Goroutine]:
		return fmt.Sprintf("%s of goroutine %d in the first run, of goroutine %d in the second", x.Kind, x.Goroutine, y.Goroutine)
	case !slices.Equal(a.Stacks[x.Stack], b.Stacks[y.Stack]):
		return fmt.Sprintf("goroutine %d is in another place", x.Goroutine)
	case x.Kind == Left && x.Text != y.Text:
		return fmt.Sprintf("goroutine %d: %s in the first run, %s in the second", x.Goroutine, x.Text, y.Text)
	case x.Kind == Fault && x.Text != y.Text:
		return fmt.Sprintf("the fault is %s in the first run, %s in the second", x.Text, y.Text)
	}
	return ""
}
