package lower

import (
	"go/token"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Where instructions are in the source: what debuggers, tracebacks and profiles read.

// places is code with the places in the source that its instructions come from.
type places struct {
	*frames
	scope ir.Meta   // debug metadata: the subprogram
	block ir.Meta   // and the block that the current position is in
	pos   token.Pos // of what is being lowered
	site  *mid.Site // where what is being lowered was inlined from
	line  int
	file  string
	sites map[*mid.Site]ir.Meta // see inlinedAt
	vars  *variables            // for debuggers, nil if not wanted
	shown []ir.Meta             // debug metadata of the parameters
}

func newPlaces(c *code) *places {
	p := &places{frames: &frames{c}}
	if c.f != nil {
		p.pos = c.f.Pos()
	}
	return p
}

func (b *places) setPos(pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	b.pos = pos
	scope := b.scopeAt(pos)
	if file, line := b.m.dbg.position(pos); line > 0 && (line != b.line || file != b.file || scope != b.block) {
		b.line, b.file, b.block = line, file, scope
		b.Loc = b.m.dbg.location(line, b.m.dbg.within(scope, file), b.inlinedAt(b.site))
	}
}

// setPlace is setPos for an instruction, which may have been inlined. Where it has no position and
// the one before comes from another place, it is at the end of that place's function.
func (b *places) setPlace(in mid.Instr) {
	if callsInit(in) {
		b.line, b.file = 1, generatedFile
		b.Loc = b.m.dbg.location(b.line, b.m.dbg.within(b.scope, b.file), 0)
		return
	}
	pos := in.Pos()
	if !pos.IsValid() && b.file == generatedFile {
		pos = funcPos(b.f)
	}
	if s := in.Site(); s != b.site {
		b.site, b.line = s, 0
		if !pos.IsValid() {
			at := b.f
			if s != nil {
				at = s.Fn
			}
			if pos = exitPos(at); !pos.IsValid() {
				pos = funcPos(at)
			}
		}
	}
	b.setPos(pos)
}

// callsInit reports whether in is the package initialiser's call of a declared function init. These
// functions are called by the run-time system under gc, so the initialiser is not to be seen around
// them.
func callsInit(in mid.Instr) bool {
	c, ok := in.(*mid.Call)
	if !ok || in.Site() != nil {
		return false
	}
	f := c.Call.StaticCallee()
	return f != nil && isDeclaredInit(f)
}

// inlinedAt returns the metadata of the place where s's code was inlined, none for the function's
// own.
func (b *places) inlinedAt(s *mid.Site) ir.Meta {
	if s == nil {
		return 0
	}
	if ref, ok := b.sites[s]; ok {
		return ref
	}
	file, line := b.m.dbg.position(s.Pos)
	scope := b.scope
	if s.Outer != nil {
		scope = b.m.dbg.inlinedScope(s.Outer.Fn)
	} else if b.vars != nil {
		scope = b.scopeRef(b.m.scopes.innermost(b.vars.top, s.Pos))
	}
	outer := b.inlinedAt(s.Outer)
	ref := b.m.out.InlinedAt(line, b.m.dbg.within(scope, file), outer)
	if b.sites == nil {
		b.sites = map[*mid.Site]ir.Meta{}
	}
	b.sites[s] = ref
	return ref
}
