package exectrace

import (
	"io"

	"github.com/google/pprof/profile"
)

// profileTypes names what the values of profiles are.
var profileTypes = map[Weigh][2]string{ // type, unit
	BySamples:  {"samples", "count"},
	ByWaiting:  {"delay", "nanoseconds"},
	ByNetwork:  {"delay", "nanoseconds"},
	BySync:     {"delay", "nanoseconds"},
	BySyscall:  {"delay", "nanoseconds"},
	ByRunnable: {"delay", "nanoseconds"},
}

// WriteProfile writes what Flame adds up as a profile that go tool pprof reads.
func (t *Trace) WriteProfile(w io.Writer, weigh Weigh, p Part) error {
	kind := profileTypes[weigh]
	out := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: kind[0], Unit: kind[1]}},
		DurationNanos: p.To - p.From,
	}
	if weigh == BySamples {
		out.SampleType = out.SampleType[1:]
	}
	functions := map[string]*profile.Function{}
	locations := map[Frame]*profile.Location{}
	for stack, weight := range t.byStack(weigh, p) {
		s := &profile.Sample{Value: []int64{weight.Count, weight.Value}}
		if weigh == BySamples {
			s.Value = s.Value[1:]
		}
		if stack != None {
			for _, f := range t.Stacks[stack] {
				s.Location = append(s.Location, location(out, functions, locations, f))
			}
		}
		out.Sample = append(out.Sample, s)
	}
	return out.Write(w)
}

func location(p *profile.Profile, functions map[string]*profile.Function, locations map[Frame]*profile.Location,
	f Frame) *profile.Location {
	if l := locations[f]; l != nil {
		return l
	}
	key := f.Func + "\n" + f.File
	fn := functions[key]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(p.Function) + 1), Name: f.Func, SystemName: f.Func, Filename: f.File}
		functions[key] = fn
		p.Function = append(p.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
	locations[f] = l
	p.Location = append(p.Location, l)
	return l
}
