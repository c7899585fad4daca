package plan

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Options are what the plan of a function depends on besides its body.
type Options struct {
	Frame      *Frame // nil: it is scanned conservatively
	NoOptimize bool   // -gcflags=-N
	Runtime    bool   // the function is of the run-time system
	Watched    bool   // the code tells of accesses to memory (-sim, -sim.race)

	Big      func(t types.Type) bool // values of the type travel as addresses
	Pointers func(t types.Type) bool // they hold pointers
	InFrame  func(v mid.Value) bool  // an object may be in the function's frame
	Hidden   func(v mid.Value) bool  // its address is in a number, too
	Bytes    func(v mid.Value) int64 // how much of the frame the object that v makes takes at most
	Expands  func(f *mid.Func) bool  // a call of f is a few instructions, and none that enters f
	Data     func(in mid.Instr) bool // in is not written: what it does is data; nil: none is
	Copied   func(t types.Type) bool // the frame has a copy of a captured variable that nobody changes
}

// exact reports whether the frame is exact everywhere: code may not share or move what holds
// pointers.
func (o *Options) exact() bool { return o.Frame != nil && o.Frame.Collects }

// Func is the plan of one function.
type Func struct {
	f   *mid.Func
	how Options

	Shape  *shape.Shape
	Frame  *Frame // nil: it is scanned conservatively
	Huge   bool   // the function is optimised by passes of its own
	States LoopStates
	Defers Defers

	Jumps     bool                // it may jump to what it ends in calling
	Frameless bool                // it has no frame if it calls nothing
	Folded    map[*mid.BinOp]bool // additions of strings that are part of what uses them
	NoRoom    map[mid.Value]bool  // what makes objects for which the frame has no room left

	Asked map[mid.Instr]bool // what uses a pointer, func value or interface that may be nil

	Chains     map[*mid.Block][]Test                 // by their first block
	Chained    map[*mid.Block]bool                   // the other blocks of chains
	TypeChains map[*mid.TypeAssert][]*mid.TypeAssert // by their first tests
}

// Test is a block that compares the chain's operand with a constant.
type Test struct {
	Block *mid.Block
	Value constant.Value
}

// Defers is what a function does with its deferred calls.
type Defers struct {
	// Needed says that the function owns deferred calls. Those behind a constant condition that is
	// false do not count (`if race.Enabled { defer race.Enable() }` in package sync).
	Needed bool
	// Sites are the defer statements, the last to run first. It is nil if it is not known which have
	// run and in what order, or if the run-time system's list is the better choice.
	Sites []*mid.Defer
	// Link is the instruction that links the frame, nil if the prologue does: the defer statement
	// that comes before all others, or the end of the last block that every way to such a statement
	// goes through. So functions that return early do nothing for their defer statements.
	Link mid.Instr
	// Written says that gc writes the calls out at each return: they have its line.
	Written bool
	Late    *Late // nil unless the function has a late frame
	// Placed is the one defer statement if that links the frame, and each return after it makes the
	// call. So the call is to be made if and only if the frame is linked, and the frame need not say
	// so. Its thunk lies behind it, without the code, which is the same in all frames of the function
	// (sys.DeferPoint). It is nil for other functions.
	Placed *mid.Defer
}

// Late is the defer statement of a function with a late frame.
type Late struct {
	Stmt    *mid.Defer
	Closure *mid.MakeClosure    // what it calls, if that is made where it is called; nil for others
	Behind  map[*mid.Block]bool // the blocks that it leads to
}

// LoopStates are the two places of a loop over a function where its state is read.
type LoopStates struct {
	Entry  map[*mid.UnOp]bool       // in the body, at its beginning
	Resume map[*mid.UnOp]bool       // after the iterator has returned
	Panics map[*mid.Panic]*mid.UnOp // the panics of both, and what was read before
}

// Frame says how a frame comes to hold no dead pointers.
type Frame struct {
	f   *mid.Func
	how *Options

	Collects bool               // the function calls a collector; if it does not, it waits
	Defers   bool               // a deferred call collects
	Waits    map[mid.Instr]Wait // where it waits
	Homes    []mid.Value        // what has homes, in the order of the function
	Clean    bool               // the frame is cleared when it is entered

	quietLoop bool                // there is a loop in which the function does not wait
	links     bool                // it waits, and has a defer statement of its own
	quick     map[*mid.Block]bool // see quickLoop, nil if it is not known yet
}

func at(in mid.Instr) string {
	return fmt.Sprintf("b%d.%d", in.Block().Index, slices.Index(in.Block().Instrs, in))
}
