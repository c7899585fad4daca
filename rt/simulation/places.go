package simulation

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// What a simulated program says of itself by package testing/sim.

// Seed is the run's seed.
func Seed() uint64 { return run.asked.Seed }

// DrawUser returns 64 bits of the stream that is the program's own.
func DrawUser() uint64 { return run.oracle.Random(sim.User) }

// Count notes that the program came to a place. ok: there was room for it. System stack.
func Count(kind sim.PlaceKind, cond bool, name string) (ok bool) {
	at := place(kind, name)
	switch {
	case at == nil:
		return false
	case cond:
		at.Yes++
	default:
		at.No++
	}
	return true
}

// Asked notes that the program has asked for something outside, for a hint in reports.
func Asked(kind sim.PlaceKind, name string) {
	sys.OnSystemStack(func() { Count(kind, true, name) })
}

// Maybe reports whether there is a fault at the place. ok: there was room for it. System stack.
func Maybe(name string) (yes, ok bool) {
	at := place(sim.Fault, name)
	if at == nil {
		return false, false
	}
	yes = run.oracle.Maybe(at)
	if yes && run.oracle.Explain {
		run.explainFault(name)
	}
	if yes && timeline.on {
		run.timelineEvent("fault", run.oracle.Decisions, run.running)
		timelineByte(' ')
		TimelineText(name)
		timelineByte('\n')
	}
	return yes, true
}

func place(kind sim.PlaceKind, name string) *sim.Place {
	p := &run.places
	if !p.Kept() {
		all := sys.SimOwn(sim.MaxPlaces*unsafe.Sizeof(sim.Place{}), -1)
		p.Keep(unsafe.Slice((*sim.Place)(all), sim.MaxPlaces), unsafe.Slice((*byte)(sys.SimOwn(sim.NameBytes, -1)), sim.NameBytes))
	}
	return p.At(kind, name)
}

// reportPlaces writes a line for each place: its kind, how often it was so and how often it was
// not, and its name, which has no line ends any more. What the program has asked for outside is of
// use in a run that is explained.
func reportPlaces(fd int32) {
	for i := range run.places.All() {
		at := &run.places.All()[i]
		if at.Kind >= sim.Variable && !run.oracle.Explain {
			continue
		}
		var r report
		r.text("place ")
		r.text(at.Kind.String())
		r.add(" ", at.Yes)
		r.add(" ", at.No)
		r.text(" ")
		for j := 0; j < len(at.Name) && r.n < len(r.buf)-1; j++ {
			c := at.Name[j]
			if c == '\n' {
				c = ' '
			}
			r.buf[r.n] = c
			r.n++
		}
		r.text("\n")
		writeAll(fd, r.buf[:r.n])
	}
}
