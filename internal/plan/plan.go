// Package plan decides how a function is lowered. What it decides is a value that lowering reads
// while it writes code: it knows the middle representation, and nothing of LLVM. A plan asks for no
// other state than the function's body, and changes nothing.
package plan

import (
	"fmt"
	"strings"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// New makes the plan of f. Later steps read what earlier ones have decided.
func New(f *mid.Func, how Options) *Func {
	p := &Func{f: f, how: how, Frame: how.Frame, Shape: shape.Of(f), Huge: IsHuge(f), States: findLoopStates(f)}
	p.Jumps = p.mayJump()
	p.Frameless = p.isFrameless()
	p.findFolded()
	p.findRoom()
	p.planDefers()
	if !how.exact() {
		p.findChains()
	}
	if how.Frame == nil && !how.NoOptimize {
		p.findTypeChains()
	}
	p.findAsked()
	return p
}

// Text is the plan for people: what is not as usual, a line each. Instructions are named by their
// block and index.
func (p *Func) Text() string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if p.Huge {
		add("huge")
	}
	switch {
	case p.Jumps:
		add("jumps to what it calls")
	case p.Frameless:
		add("no frame if it calls nothing")
	}
	if p.Frame != nil {
		add("frame: %s", p.Frame.text(p.f))
	}
	for _, blk := range p.f.Body() {
		for _, in := range blk.Instrs {
			if v, ok := in.(mid.Value); ok && p.NoRoom[v] {
				add("no room: %s", at(in))
			}
			switch in := in.(type) {
			case *mid.UnOp:
				if p.States.Entry[in] {
					add("loop state on entry: %s", at(in))
				}
				if p.States.Resume[in] {
					add("loop state after the iterator: %s", at(in))
				}
			case *mid.BinOp:
				if p.Folded[in] {
					add("folded: %s", at(in))
				}
			case *mid.TypeAssert:
				if chain := p.TypeChains[in]; chain != nil {
					add("type chain: %s, %d tests", at(in), len(chain))
				}
			}
		}
		if tests := p.Chains[blk]; tests != nil {
			add("chain: b%d to b%d, %d tests", blk.Index, tests[len(tests)-1].Block.Index, len(tests))
		}
	}
	asked := ""
	for _, blk := range p.f.Body() {
		for _, in := range blk.Instrs {
			if p.Asked[in] {
				asked += " " + at(in)
			}
		}
	}
	if asked != "" {
		add("asked for nil:%s", asked)
	}
	if d := &p.Defers; d.Needed {
		add("defers: %s", d.text())
	}
	return strings.Join(lines, "\n")
}

func (d *Defers) text() string {
	if d.Sites == nil {
		return "by the run-time system" + d.writtenText()
	}
	words := []string{"in line" + d.writtenText()}
	for _, stmt := range d.Sites {
		words = append(words, at(stmt))
	}
	switch {
	case d.Late != nil && d.Late.Closure != nil:
		words = append(words, "late, with its closure")
	case d.Late != nil:
		words = append(words, "late")
	case d.Placed != nil:
		words = append(words, "placed")
	case d.Link == nil:
		words = append(words, "linked by the prologue")
	default:
		words = append(words, "linked at "+at(d.Link))
	}
	return strings.Join(words, ", ")
}

func (d *Defers) writtenText() string {
	if d.Written {
		return " at the line of the return"
	}
	return ""
}
