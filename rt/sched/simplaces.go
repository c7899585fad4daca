package sched

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// What a simulated program says of itself by package testing/sim.

// SimSeed is the run's seed.
func SimSeed() uint64 { return simulation.asked.Seed }

// SimDrawUser returns 64 bits of the stream that is the program's own.
func SimDrawUser() uint64 { return simulation.oracle.Random(sim.User) }

// SimCount notes that the program came to a place. ok: there was room for it. System stack.
func SimCount(kind sim.PlaceKind, cond bool, name string) (ok bool) {
	at := simPlace(kind, name)
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

// SimAsked notes that the program has asked for something outside, for a hint in reports.
func SimAsked(kind sim.PlaceKind, name string) {
	sys.OnSystemStack(func() { SimCount(kind, true, name) })
}

// SimMaybe says whether there is a fault at the place. ok: there was room for it. System stack.
func SimMaybe(name string) (yes, ok bool) {
	at := simPlace(sim.Fault, name)
	if at == nil {
		return false, false
	}
	yes = simulation.oracle.Maybe(at)
	if yes && simulation.oracle.Explain {
		simulation.explainFault(name)
	}
	if yes && simTimeline.on {
		simulation.timelineEvent("fault", simulation.oracle.Decisions, simulation.running)
		timelineByte(' ')
		SimTimelineText(name)
		timelineByte('\n')
	}
	return yes, true
}

func simPlace(kind sim.PlaceKind, name string) *sim.Place {
	p := &simulation.places
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
	for i := range simulation.places.All() {
		at := &simulation.places.All()[i]
		if at.Kind >= sim.Variable && !simulation.oracle.Explain {
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
