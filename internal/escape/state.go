package escape

import (
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// Facts are the results for one package. After Analyze they are only read.
type Facts struct {
	pkg       *mid.Package
	fset      *token.FileSet
	imported  func(sym string) *Summary
	forced    bool // a package of the run-time system: everything is on the stack
	objects   map[mid.Value]verdict
	summaries map[*mid.Func]*Summary
	frames    map[*mid.Func]*Frame
	calls     map[*mid.Call]int64 // size of what the callee can make in this frame
	hidden    map[mid.Value]bool  // see Hidden
}

// verdict on one object.
type verdict struct {
	why why       // whyNone: on the stack
	pos token.Pos // where it goes, if known
}

// Frame is where a function's second form puts its objects.
type Frame struct {
	Size    int64
	Offsets map[mid.Value]int64 // by the instruction that makes the object; multiples of 8
}

// made describes the objects that a function makes for its callers. The rest of the
// function's Summary holds when the objects are on the heap.
type made struct {
	size    int64
	linked  bool   // the objects hold each other's addresses
	into    []int8 // by input: the least dereferences with which it flows into the objects, or none
	flow    []int8 // as Summary.flow, if the objects are not on the heap
	address []bool // by result: it holds the address of an object
	only    []bool // by result: it points into the objects and nowhere else
}

// result is one result of a function.
type result struct {
	fn *mid.Func
	j  int
}

// analyzer is the state of one Analyze.
type analyzer struct {
	facts    *Facts
	imported func(string) *Summary
	sizes    types.Sizes
	dynamic  map[result]types.Type // see dynamicType
	fns      []*mid.Func
	index    map[*mid.Func]int32
	ptrs     map[types.Type]bool
	cyclic   map[*mid.Func]bool     // may call itself
	unknown  map[*mid.Func]*Summary // functions outside fns
	solver   solver
}

// Limits for objects in frames, in bytes.
const (
	maxDeclared = 10 << 20 // variables
	MaxMade     = 64 << 10 // new, composite literals, make, boxes
)

// MaxBytes is the size up to which the object that a makes may live in a frame.
func MaxBytes(a *mid.Alloc) int64 {
	if a.Made == mid.Variable {
		return maxDeclared
	}
	return MaxMade
}

// OnStack reports whether the object that v makes may live in the frame of its function,
// in one slot for all executions of v. v is an Alloc, MakeClosure, MakeInterface (the box
// of a value that is not pointer-shaped), MakeMap (the header), MakeSlice, a Convert
// between string and slice, or a BinOp that adds strings; in the last two cases the
// size is the caller's concern. For a Call it says whether the objects that the callee's second
// form makes may live in this frame; for one of append whether the first array of a slice that had
// none may, if only one execution of it uses that slot in an activation. For anything else the
// answer is false.
func (f *Facts) OnStack(v mid.Value) bool {
	d, ok := f.objects[v]
	if f.forced {
		switch v.(type) {
		case *mid.Alloc, *mid.MakeClosure, *mid.MakeInterface:
			return true
		}
	}
	return ok && d.why == whyNone
}

// Hidden reports whether the address of the object that v makes goes where it is not followed, into
// a number: the object may be used as long as its function runs.
func (f *Facts) Hidden(v mid.Value) bool { return f.hidden[v] }

// Summary returns the summary of fn, one of the functions given to Analyze or a bodyless
// function of the package; nil if it is not known.
func (f *Facts) Summary(fn *mid.Func) *Summary { return f.summaries[fn] }

// Made returns the objects of fn, a function of the package or one that it compiles for
// itself, that its second form makes in its caller's frame. Nil: there is no second form.
func (f *Facts) Made(fn *mid.Func) *Frame { return f.frames[fn] }

// MadeSize returns the size of the objects that the callee of call makes in the frame of the
// caller. It is what OnStack is about where v is a call.
func (f *Facts) MadeSize(call *mid.Call) int64 { return f.calls[call] }

// HoldsMade reports whether fn, of another package, has objects in its frame that its callees'
// second forms make.
func (f *Facts) HoldsMade(fn *mid.Func) bool {
	s := f.imported(Symbol(fn))
	return s != nil && s.frames
}

// why says through which operation something flows to the heap.
type why uint8

const (
	whyNone why = iota
	whyStore
	whyReturn
	whySend
	whyMap
	whyAppend
	whyCopy
	whyPanic
	whyGo
	whyDefer
	whyUnknownCall
	whyDynamicCall
	whyCall
	whyClosure
	whyTooLarge
	whyVarSize
	whyLoop
	whyHidden
)

// edge is one flow, member of two linked lists (edge numbers, -1 ends).
type edge struct {
	src, dst        int32
	nextIn, nextOut int32
	pos             token.Pos // for flows to the heap: the place in the source
	k               int8      // dereferences, or -1 for the address
	why             why       // for flows to the heap
}

// object is something that an instruction makes and that may live in the frame.
type object struct {
	node   int32
	val    mid.Value // the instruction
	reject why       // why it cannot be on the stack whatever flows: size
	hidden bool      // its address flows to where it is not followed
}

// graph is the flow graph of one function. It is reused from function to function.
type graph struct {
	an    *analyzer
	fn    *mid.Func
	edges []edge
	in    []int32 // by node: first edge to it
	out   []int32 // by node: first edge from it
	// by node: the value, for objects the instruction that makes it; nil for heap and results
	def   []mid.Value
	isObj []bool // by node
	nodes map[mid.Value]int32
	texts map[*mid.BinOp]bool // whether sums of strings have text
	objs  []object
	objAt map[mid.Value]int32 // instruction that makes an object -> its node
	nres  int
	// what is hidden from the analysis flows to this node, see hides
	hidden int32
}

// solver walks the graph of one function. Its slices are reused.
type solver struct {
	*graph
	dist  []int8  // by node: least dereferences on a path to the target; -1 for an object: its address
	cause []int32 // by node: the edge into the heap through which it escapes, or -1
	queue []int32
	seen  []uint8 // by node: levels visited by loopHolders
	work  []walkItem
	root  map[int32]why // objects that are on the heap whatever flows
}

type walkItem struct {
	node  int32
	level uint8
}
