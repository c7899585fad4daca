package escape

import "loam/internal/mid"

// madeBy returns the description of what a call makes in this frame if it can, and the node
// of these objects.
func (g *graph) madeBy(call *mid.Call) (*made, int32) {
	if call.Call.IsInvoke() {
		return nil, -1
	}
	fn := call.Call.StaticCallee()
	if fn == nil || g.an.facts.forced {
		return nil, -1
	}
	s := g.an.summary(fn)
	if s == nil || s.made == nil {
		return nil, -1
	}
	if n, ok := g.objAt[call]; ok {
		return s.made, n
	}
	n := g.newObject(call)
	g.objs = append(g.objs, object{node: n, val: call})
	g.objAt[call] = n
	g.an.facts.calls[call] = s.made.size
	if s.made.linked {
		g.flow(n, n, -1)
	}
	if r := g.node(call); r >= 0 {
		for j, holds := range s.made.address {
			if holds {
				g.flow(n, r+int32(j), -1)
			}
		}
	}
	return s.made, n
}

// callLinked reports whether the objects that the call makes hold each other.
func (an *analyzer) callLinked(c *mid.Call) bool {
	s := an.summary(c.Call.StaticCallee())
	return s != nil && s.made != nil && s.made.linked
}

// madeCall returns the call whose result number j v is.
func madeCall(v mid.Value) (call *mid.Call, j int) {
	switch v := v.(type) {
	case *mid.Call:
		return v, 0
	case *mid.Extract:
		call, _ = v.Tuple.(*mid.Call)
		return call, v.Index
	}
	return nil, 0
}
