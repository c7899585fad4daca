package plan

import (
	"go/token"
	"slices"
	"strings"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// # Functions that wait
//
// A connection's goroutine waits for the next request in a frame that has seen those before, and it
// may wait forever. What the collector, which scans frames conservatively, finds there of an old
// request is never free: LLVM leaves dead values in spill slots until something else needs these,
// and a frame has words, for alignment or for paths not taken, that nobody writes at all and that
// hold what an earlier goroutine left on this stack. So
//
//   - a function that waits has an exact frame, in which what is dead is cleared where it waits
//     (waiting.go);
//   - a function that waits long itself, or that serves, has a frame that is cleared when it is
//     entered (clearOnEntry). One serves whose own loops all wait and that a go statement starts,
//     or that starts goroutines in them, as those that accept connections do.
//
// The functions of the run-time system in which goroutines wait ask for the latter by a directive,
// loam:clear.

// Wait says what kind of wait an instruction is.
type Wait uint8

const (
	NoWait Wait = iota
	// BriefWait: it seldom waits for long, if it waits at all. What it clears should cost nothing
	// where it does not.
	BriefWait
	// LongWait: clearing costs little compared with it.
	LongWait
)

// waitSites returns the instructions at which f waits; of calls, whether it may be for long is
// not always known.
//
//   - Operations of channels wait long, and functions that are known to, or that this package has.
//   - Locks and buffered readers wait briefly, as does a call of which only a running program
//     knows what it calls. That counts outside of loops.
//   - In functions that serve, in main.main and in functions that are started, locks and readers
//     wait long, in loops too, and so do functions of this package that wait briefly. Functions
//     that serve may call any method in their loops. The others do not run often: what they call
//     outside of loops counts, because the program may be there to its end.
//   - The standard library's functions hold little that is not their callers'. They wait briefly
//     without clearing anything.
func (p *Package) waitSites(f *mid.Func) map[mid.Instr]Wait {
	if p.about.Runtime {
		return nil
	}
	once := p.started(f) || f.Parent() == nil && f.Name() == "main" && f.Pkg != nil && f.Pkg.Pkg.Name() == "main"
	serves, loops := p.serves(f), shape.Of(f)
	sites := map[mid.Instr]Wait{}
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			waits := p.instrWaits(f, in, serves)
			inLoop := loops.InLoop(blk)
			if call, ok := in.(*mid.Call); ok && waits != LongWait && call.Call.Builtin() == mid.NoBuiltin {
				switch g := call.Call.StaticCallee(); {
				case g == nil:
					if serves || !inLoop {
						waits = BriefWait
					}
				case g.DeclaredIn() != f.DeclaredIn():
					if once && !inLoop {
						waits = BriefWait
					}
				case !once && !serves:
					waits = NoWait
				}
			}
			switch {
			case waits == NoWait:
			case waits == LongWait || once || serves:
				sites[in] = LongWait
			case p.about.User && !inLoop:
				sites[in] = BriefWait
			}
		}
	}
	return sites
}

// serves reports whether f waits in each of its own loops, and is started by a go statement, or
// starts goroutines in such loops.
func (p *Package) serves(f *mid.Func) bool {
	if !p.started(f) && (p.about.Shared(f) || !startsInLoop(f)) {
		return false
	}
	found := false
	for _, blk := range f.Body() {
		for _, head := range blk.Succs {
			if !head.Dominates(blk) { // gotos into loops make some of which this cannot be said
				continue
			}
			if slices.ContainsFunc(naturalLoop(head, blk), func(blk *mid.Block) bool { return p.blockWaits(f, blk, true) != NoWait }) {
				found = true
			} else if !inlined(head) {
				return false
			}
		}
	}
	return found
}

// inlined reports whether head, of a loop, is of a function that was inlined. If its loop does not
// wait it counts no more than it would in a function of its own.
func inlined(head *mid.Block) bool { return head.Instrs[len(head.Instrs)-1].Site() != nil }

// started reports whether a go statement starts f: one in the function that f is a literal of, or
// one anywhere in this package if f is declared here.
func (p *Package) started(f *mid.Func) bool {
	if outer := f.Parent(); outer != nil {
		if p.goLiterals[outer] == nil {
			of := map[*mid.Func]bool{}
			for _, t := range starts(outer) {
				of[t] = true
			}
			if p.goLiterals == nil {
				p.goLiterals = map[*mid.Func]map[*mid.Func]bool{}
			}
			p.goLiterals[outer] = of
		}
		return p.goLiterals[outer][f]
	}
	if f.Pkg != p.about.Pkg || p.about.Shared(f) {
		return false
	}
	if p.goTargets == nil {
		p.goTargets = map[*mid.Func]bool{}
		p.about.Declared(p.noteStarts)
	}
	return p.goTargets[f]
}

func (p *Package) noteStarts(f *mid.Func) {
	for _, t := range starts(f) {
		p.goTargets[t] = true
	}
	for _, literal := range f.AnonFuncs() {
		p.noteStarts(literal)
	}
}

// starts lists the functions that go statements of f start, but for those that only a running
// program knows.
func starts(f *mid.Func) (list []*mid.Func) {
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			if g, ok := in.(*mid.Go); ok {
				if t := g.Call.StaticCallee(); t != nil {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// startsInLoop reports whether f has a go statement that it may reach again.
func startsInLoop(f *mid.Func) bool {
	for _, blk := range f.Body() {
		if slices.ContainsFunc(blk.Instrs, func(in mid.Instr) bool { _, ok := in.(*mid.Go); return ok }) && shape.Of(f).InLoop(blk) {
			return true
		}
	}
	return false
}

// waitsForWorld reports whether in waits for the world, through the frames of several packages that
// read and write files: each of these functions takes so long that it may well clear its frame.
func (p *Package) waitsForWorld(in mid.Instr) bool {
	call, ok := in.(*mid.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() {
		return ofWorld[call.Call.Method.Name()]
	}
	g := call.Call.StaticCallee()
	if g == nil || g.DeclaredIn() == nil {
		return false
	}
	switch g.DeclaredIn().Pkg.Path() {
	case "internal/poll":
		return strings.HasPrefix(g.Name(), "Read") || strings.HasPrefix(g.Name(), "Accept") || strings.HasPrefix(g.Name(), "wait") ||
			strings.HasPrefix(g.Name(), "runtime_pollWait")
	case "net", "os", "crypto/tls":
		return strings.HasPrefix(g.Name(), "Read") || strings.HasPrefix(g.Name(), "Accept") || g.Name() == "read" || g.Name() == "accept"
	}
	return false
}

// ofWorld are names of methods by which one waits for the world.
var ofWorld = map[string]bool{"Accept": true, "Read": true, "ReadFrom": true, "RoundTrip": true}

// waitingMethods are names of methods by which one waits, whatever the interface is.
var waitingMethods = map[string]bool{
	"Accept": true, "Acquire": true, "Do": true, "Lock": true, "RLock": true, "Read": true, "ReadByte": true,
	"ReadFrom": true, "ReadMsg": true, "Receive": true,
	"Recv": true, "RecvMsg": true, "RoundTrip": true, "Serve": true, "Wait": true,
}

// blockWaits tells how blk, of f, waits for another goroutine or for the world, or calls what
// does. Functions of other packages without such a trait do not, nor do methods of
// interfaces that waitingMethods does not have, unless any method is said to wait.
func (p *Package) blockWaits(f *mid.Func, blk *mid.Block, anyMethod bool) (longest Wait) {
	for _, in := range blk.Instrs {
		longest = max(longest, p.instrWaits(f, in, anyMethod))
	}
	return longest
}

// instrWaits is blockWaits for an instruction.
func (p *Package) instrWaits(f *mid.Func, in mid.Instr, anyMethod bool) Wait {
	switch in := in.(type) {
	case *mid.Send:
		return LongWait
	case *mid.UnOp:
		if in.Op == token.ARROW {
			return LongWait
		}
	case *mid.Select:
		if in.Blocking {
			return LongWait
		}
	case *mid.Call:
		g := in.Call.StaticCallee()
		switch {
		case in.Call.IsInvoke():
			if anyMethod || waitingMethods[in.Call.Method.Name()] {
				return BriefWait
			}
		case g == nil:
		case p.waitsForWorld(in) || p.about.Parks(g):
			return LongWait
		case p.about.ParksBriefly(g):
			return BriefWait
		case g.DeclaredIn() == f.DeclaredIn():
			return p.waits(g, anyMethod)
		}
	}
	return NoWait
}

// waits tells how f waits in the block in which that takes longest. What only a function waits for
// that f calls on some of its ways, and that may be far away in its turn, is no long wait of f's:
// all of a package that encodes messages would wait for the file that describes an old one.
func (p *Package) waits(f *mid.Func, anyMethod bool) Wait {
	key := waitingKey{f, anyMethod}
	longest, ok := p.waiting[key]
	if !ok {
		p.waiting[key] = NoWait // what a recursive call adds is found by the others
		for _, blk := range f.Body() {
			for _, in := range blk.Instrs {
				w := p.instrWaits(f, in, anyMethod)
				if w == LongWait && longest < LongWait && p.isOwnCall(f, in) && !onEveryWay(blk) {
					w = BriefWait
				}
				longest = max(longest, w)
			}
		}
		p.waiting[key] = longest
	}
	return longest
}

// isOwnCall reports whether in, of f, calls a function of the same package of which only the code
// says how it waits.
func (p *Package) isOwnCall(f *mid.Func, in mid.Instr) bool {
	call, ok := in.(*mid.Call)
	if !ok || p.waitsForWorld(in) {
		return false
	}
	g := call.Call.StaticCallee()
	return g != nil && g.DeclaredIn() == f.DeclaredIn() && !p.about.Parks(g)
}

// onEveryWay reports whether control comes through blk before its function returns.
func onEveryWay(blk *mid.Block) bool {
	f := blk.Parent()
	for _, b := range f.Body() {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*mid.Return); ok && b != f.Recover() && shape.Of(f).Runs(b) && !blk.Dominates(b) {
			return false
		}
	}
	return true
}

// waitingKey is what is remembered of a function.
type waitingKey struct {
	f         *mid.Func
	anyMethod bool
}

// naturalLoop lists the blocks of the loop from head to last and back.
func naturalLoop(head, last *mid.Block) []*mid.Block {
	list := []*mid.Block{head}
	seen := map[*mid.Block]bool{head: true}
	for work := []*mid.Block{last}; len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[blk] {
			seen[blk] = true
			list = append(list, blk)
			work = append(work, blk.Preds...)
		}
	}
	return list
}
