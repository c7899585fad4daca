package plan

import "loam/internal/mid"

// maxFrameless is how many instructions a function has at most that may have no frame.
const maxFrameless = 60

// isFrameless reports whether f has no frame, and does not look at the stack's limit, if it calls
// nothing: if it is short. A longer one would not gain by it, and could need the frame pointer's
// register for something else.
func (p *Func) isFrameless() bool {
	if p.Jumps {
		return true
	}
	if p.how.Runtime || p.f.Recover() != nil || p.f.Size() > maxFrameless {
		return false
	}
	for _, b := range p.f.Body() {
		for _, in := range b.Instrs {
			if call, ok := in.(*mid.Call); ok {
				if call.Call.Builtin() != mid.NoBuiltin {
					continue
				}
				// In simulated runs a goroutine may be interrupted where a function is entered. So one
				// that others can see the effect of is entered by looking at the limit.
				if g := call.Call.StaticCallee(); g == nil || !p.how.Expands(g) {
					return false
				}
			}
		}
	}
	return !p.Shape.HasLoops()
}

// mayJump reports whether f may jump to what it ends in calling, as it does where it needs no frame
// for something else: tracebacks do not show it, and recover sees through it. That is so of a
// wrapper as long as nothing is inlined into it: a method would be missing where it calls
// something.
func (p *Func) mayJump() bool {
	if !p.f.IsWrapper() || p.how.Runtime || p.how.NoOptimize {
		return false
	}
	for _, b := range p.f.Body() {
		for _, in := range b.Instrs {
			if in.Site() != nil {
				return false
			}
		}
	}
	return true
}
