package escape

import (
	"go/token"
	"go/types"

	"loam/internal/mid"
)

var whyText = [...]string{
	whyNone:        "",
	whyStore:       "stored where its lifetime is not known",
	whyReturn:      "returned",
	whySend:        "sent to a channel",
	whyMap:         "put into a map",
	whyAppend:      "appended to a slice",
	whyCopy:        "copied to a slice",
	whyPanic:       "passed to panic",
	whyGo:          "used by a go statement",
	whyDefer:       "used by a defer statement in a loop",
	whyUnknownCall: "passed to a function that is not known here",
	whyDynamicCall: "passed to a method of an interface",
	whyCall:        "leaked by a function that it is passed to",
	whyClosure:     "leaked by a closure that captures it",
	whyTooLarge:    "too large for the stack",
	whyVarSize:     "size is not constant",
	whyLoop:        "may be in use when the next turn of the loop makes its own",
	whyHidden:      "hidden from this analysis",
}

const (
	heapNode    int32 = 0
	firstResult int32 = 1
)

func (g *graph) reset(fn *mid.Func) {
	g.fn = fn
	g.edges = g.edges[:0]
	g.in, g.out, g.def, g.isObj = g.in[:0], g.out[:0], g.def[:0], g.isObj[:0]
	clear(g.nodes)
	clear(g.texts)
	clear(g.objAt)
	g.objs = g.objs[:0]
	g.nres = fn.Signature.Results().Len()
	for range int(firstResult) + g.nres {
		g.newNode(nil)
	}
	g.hidden = g.newNode(nil)
}

// newNode makes a node of what is no object.
func (g *graph) newNode(v mid.Value) int32 { return g.addNode(v, false) }

// newObject makes the node of an object.
func (g *graph) newObject(v mid.Value) int32 { return g.addNode(v, true) }

func (g *graph) addNode(v mid.Value, isObj bool) int32 {
	n := int32(len(g.in))
	g.in = append(g.in, -1)
	g.out = append(g.out, -1)
	g.def = append(g.def, v)
	g.isObj = append(g.isObj, isObj)
	return n
}

// node returns v's node, or -1 if v cannot hold a pointer to an object of a frame.
func (g *graph) node(v mid.Value) int32 {
	switch v.(type) {
	case *mid.Const, *mid.Global, *mid.Func, *mid.Builtin:
		return -1
	}
	if n, ok := g.nodes[v]; ok {
		return n
	}
	n := int32(-1)
	if call, ok := v.(*mid.Call); ok {
		if res := call.Call.Signature().Results(); res.Len() > 1 && g.an.pointers(call.Type()) {
			n = g.newNode(v)
			for range res.Len() - 1 {
				g.newNode(v)
			}
			g.nodes[v] = n
			return n
		}
	}
	if g.tracked(v) {
		n = g.newNode(v)
	}
	g.nodes[v] = n
	return n
}

// tracked reports whether v may hold a pointer. An uintptr counts only where it is made
// from an unsafe.Pointer and stays in SSA values, so that unsafe.Pointer(uintptr(p)+off) is
// followed; stored or passed on, it is a mere number, as package unsafe has it.
func (g *graph) tracked(v mid.Value) bool {
	if g.an.pointers(v.Type()) {
		return true
	}
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Uintptr {
		switch v := v.(type) {
		case *mid.Convert, *mid.BinOp, *mid.Phi, *mid.ChangeType:
			return true
		case *mid.UnOp:
			return v.Op == token.MUL && isHeaderData(v.X)
		}
	}
	return false
}

// isHeaderData reports whether addr is the address of the field Data, which is an
// uintptr that means a pointer, of a reflect.SliceHeader or reflect.StringHeader.
func isHeaderData(addr mid.Value) bool {
	f, ok := addr.(*mid.FieldAddr)
	if !ok || f.Field != 0 {
		return false
	}
	p, ok := f.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "reflect" {
		return false
	}
	return n.Obj().Name() == "SliceHeader" || n.Obj().Name() == "StringHeader"
}

// held is node for places where an uintptr is a mere number.
func (g *graph) held(v mid.Value) int32 {
	if !g.an.pointers(v.Type()) {
		return -1
	}
	return g.node(v)
}

// flow adds src -k-> dst.
func (g *graph) flow(src, dst int32, k int8) { g.addEdge(src, dst, k, whyNone, token.NoPos) }

// leak adds v -k-> heap.
func (g *graph) leak(v mid.Value, k int8, w why, pos token.Pos) {
	if v == nil {
		return
	}
	g.addEdge(g.held(v), heapNode, k, w, pos)
}

func (g *graph) addEdge(src, dst int32, k int8, w why, pos token.Pos) {
	if src < 0 || dst < 0 || src == dst && k >= 0 {
		return
	}
	e := int32(len(g.edges))
	g.edges = append(g.edges, edge{src: src, dst: dst, nextIn: g.in[dst], nextOut: g.out[src], k: k, why: w, pos: pos})
	g.in[dst] = e
	g.out[src] = e
}

// copy adds src -k-> dst for SSA values.
func (g *graph) copy(src, dst mid.Value, k int8) {
	if d := g.node(dst); d >= 0 {
		g.flow(g.node(src), d, k)
	}
}

// object makes v hold the address of a new object, and returns the object's node.
func (g *graph) object(v mid.Value, reject why) int32 {
	if n, ok := g.objAt[v]; ok {
		return n
	}
	n := g.newObject(v)
	g.objs = append(g.objs, object{node: n, val: v, reject: reject})
	g.objAt[v] = n
	g.flow(n, g.node(v), -1)
	return n
}

// rootFinder traces a pointer back, without loads, to the objects that it points into.
type rootFinder struct {
	g       *graph
	seen    []mid.Value
	objs    []int32
	unknown bool // it may point to something else, too
}

func (r *rootFinder) add(v mid.Value) {
	for !r.unknown {
		switch x := v.(type) {
		case *mid.Alloc:
			r.objs = append(r.objs, r.g.object(x, r.g.an.allocLimit(x)))
			return
		case *mid.MakeSlice:
			r.objs = append(r.objs, r.g.object(x, r.g.an.sliceLimit(x)))
			return
		case *mid.Const: // nil: the store panics
			return
		case *mid.FieldAddr:
			v = x.X
		case *mid.IndexAddr:
			v = x.X
		case *mid.Slice:
			v = x.X
		case *mid.SliceToArrayPointer:
			v = x.X
		case *mid.ChangeType:
			v = x.X
		case *mid.Convert:
			if !r.g.an.pointers(x.X.Type()) { // from an uintptr
				r.unknown = true
				return
			}
			if _, ok := x.Type().Underlying().(*types.Slice); ok { // string to []byte: a copy
				r.unknown = true
				return
			}
			v = x.X
		case *mid.Phi:
			for _, s := range r.seen {
				if s == v {
					return
				}
			}
			if len(r.seen) == cap(r.seen) {
				r.unknown = true
				return
			}
			r.seen = append(r.seen, v)
			for _, e := range x.Edges {
				r.add(e)
			}
			return
		case *mid.Call, *mid.Extract:
			if call, j := madeCall(x); call != nil {
				if m, n := r.g.madeBy(call); m != nil && m.only[j] {
					r.objs = append(r.objs, n)
					return
				}
			}
			r.unknown = true
			return
		default:
			r.unknown = true
			return
		}
	}
}
