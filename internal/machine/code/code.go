// Package code reads the LLVM text of a chunk into a form that a machine's backend works on: flat
// lists of instructions whose operands are scalars.
//
// Text is what a chunk is cached and named by, so it is what every backend begins with. The reader
// knows only what internal/ir prints; anything else is an Unsupported error, and the chunk is left
// to clang. Aggregates are gone after it: a struct is its scalars, one value each, so that taking
// one apart and putting one together cost nothing.
package code

import "fmt"

// Unsupported says what of a module no backend of our own can do.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return "unsupported: " + e.What }

// Fail ends reading or compiling with an Unsupported error, which Catch returns.
func Fail(format string, args ...any) { panic(&Unsupported{fmt.Sprintf(format, args...)}) }

// Catch stores in err what Fail was called with.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Unsupported:
		*err = r
	default:
		panic(r)
	}
}

// A Class is what kind of register holds a value, and how many bits of it count. What is above
// them is undefined.
type Class uint8

// Classes.
const (
	None Class = iota
	I1
	I8
	I16
	I32
	I64 // and pointers
	F32
	F64
)

// Size is how many bytes a class takes in memory.
func (c Class) Size() int64 {
	return [...]int64{I1: 1, I8: 1, I16: 2, I32: 4, I64: 8, F32: 4, F64: 8}[c]
}

// IsFloat reports whether values of the class are in floating-point registers.
func (c Class) IsFloat() bool { return c >= F32 }

// Op is what an instruction does.
type Op uint8

// Operations.
const (
	Nop Op = iota
	Add
	Sub
	Mul
	UDiv
	SDiv
	URem
	SRem
	Shl
	LShr
	AShr
	And
	Or
	Xor
	FAdd
	FSub
	FMul
	FDiv
	FNeg

	Trunc // From is the class of the operand, Class that of the result
	ZExt
	SExt
	FPTrunc
	FPExt
	FPToSI
	FPToUI
	SIToFP
	UIToFP
	BitsOf // an integer's bits as a float, or a float's as an integer
	Copy

	ICmp // Class is that of the operands
	FCmp
	Select
	Phi
	Load   // at args[0] + Disp
	Store  // args[0] at args[1] + Disp
	Addr   // args[0] + args[1]*Scale + Disp
	Alloca // Disp bytes, aligned to Scale
	RMW
	CmpXchg
	Call

	Br
	CondBr
	Switch
	SaveResume
	Ret
	Unreachable

	// Of LLVM's functions and of inline assembly.
	MemSet
	MemMove
	ReturnSlot
	FrameAddress
	ReturnAddress
	AddCarry // two results: the sum, and whether it overflowed; unsigned
	SubBorrow
	MulOverflow
	MulWide // two results: the product's low and high words
	Min
	Max
	CountLeading
	CountTrailing
	PopCount
	ByteSwap
	RotateLeft // funnel shifts of one value
	RotateRight
	EqualBytes // a bit for each of eight bytes
	SignBits
	FAbs
	Sqrt
	CopySign
	TruncCPU // double to integer, as the CPU does it
	Prefetch
	Cycles
	Barrier      // of the operands
	RangeBarrier // of memory; Disp is the size if there is one operand
	Trap
	Keep // the operand is used
	ClearKept
	ClearUnused
	Resumed
	Syscall
	Divide
	// Loops over numbers of several words (internal/amd64/words.go). Operands are the slices' ends,
	// what else there is, and the length below zero; of ShiftUp the slices and the length.
	AddWords
	SubWords
	ShiftUp
	ShiftDown
	MulWords
	MulAddWords
	Pause
	Hint // an instruction that does nothing
)

// IsWords reports whether the operation is a loop over numbers of several words.
func (op Op) IsWords() bool { return AddWords <= op && op <= MulAddWords }

// Ins is an instruction.
type Ins struct {
	Op     Op
	Class  Class
	From   Class // of a conversion's operand
	Pred   Pred  // of a comparison; RMW's operation
	Scale  int32
	Result int32 // the first value that it makes, -1: none
	Args   int32 // where they begin in Func.Args
	Count  int32 // of arguments
	Aux    int32 // of Call and Trap, in Calls; of jumps, where the targets begin in Targets
	Loc    int32 // metadata node of where it is in the source, -1: none
	Disp   int64
	Order  bool // a store that has to be seen in one order by all
	// Volatile: an access that is made as often as it is written, and where it is written.
	Volatile bool
}

// Pred is the condition of a comparison, or what an RMW does.
type Pred uint8

// Conditions.
const (
	EQ Pred = iota
	NE
	ULT
	ULE
	UGT
	UGE
	SLT
	SLE
	SGT
	SGE
	OEQ
	OLT
	OLE
	OGT
	OGE
	UNO
	UNE
)

// What RMWs do.
const (
	RMWAdd Pred = iota
	RMWXchg
	RMWAnd
	RMWOr
)

// A CallInfo is what there is of calls only.
type CallInfo struct {
	Symbol  int32 // -1: the first argument is the callee
	Nest    int32 // which argument is the closure's context, -1: none
	Tail    bool
	Results int32
}

// An Operand is a value if it is not negative, otherwise a constant, whose index is ^o.
type Operand = int32

// A Const is a constant operand.
type Const struct {
	Kind   ConstKind
	Class  Class
	Symbol int32
	N      int64 // the integer, a float's bits, or the distance from the symbol
}

// ConstKind says what a constant is.
type ConstKind uint8

// Kinds of constants.
const (
	Int      ConstKind = iota // or a float's bits
	SymbolAt                  // an address
	Thread                    // an offset from the thread's register
)

// A Block is a range of instructions.
type Block struct {
	First, End int32
	defined    bool
}

// A Func is the body of one function. Its lists are used again for the next one.
type Func struct {
	Symbol  int32
	Results []Class
	Attrs   Attrs
	Loc     int32 // its DISubprogram, -1: none

	Params  []int32 // values, one a scalar
	Nest    int32   // which of them is the closure's context, -1: none
	Classes []Class // of values
	Ins     []Ins
	Args    []Operand
	Consts  []Const
	Blocks  []Block
	Targets []int32
	Calls   []CallInfo
	Cases   []int64 // of Switch, beside its targets but for the first
	Shown   []Shown
}

// Shown is a variable of the source, for debuggers.
type Shown struct {
	At    Operand // the address of where it is
	Var   int32   // its DILocalVariable
	Deref bool    // not the variable is there, but its address
}

// Attrs are what is said of a function.
type Attrs struct {
	SplitStack bool
	Clear      bool // its frame is cleared when it is entered
	Bare       bool // it needs no frame pointer if it calls nothing
	// Twice: it calls what returns a second time, when what came behind the first has changed the
	// frame: as setjmp does, or vfork.
	Twice bool
	Shown bool // variables of the source stay in memory, for debuggers
}

// Linkage says who else may have the same symbol.
type Linkage uint8

// Linkages.
const (
	External Linkage = iota
	Private
	Internal
	LinkOnce
	Weak
	Available // another object has it
	ExternWeak
)

// A Symbol is a global.
type Symbol struct {
	Name    string
	Linkage Linkage
	Hidden  bool
	Defined bool
	IsFunc  bool
	Thread  bool
	Twice   bool // it returns twice
}

// A Def says where a definition goes.
type Def struct {
	Symbol     int32
	Section    string
	Comdat     int32 // -1: none
	Align      int64
	Const      bool
	Unnamed    bool
	Associated int32 // a symbol, -1: none
	assocNode  int32
	About      int32 // what debuggers are told of it, -1: nothing
}

// A Comdat is a group of sections.
type Comdat struct {
	Name         string
	NoDuplicates bool
}

// A Reloc is a place in data that holds an address.
type Reloc struct {
	At     int64
	Symbol int32
	Add    int64
	Size   int64
}

// A Var is a variable or constant.
type Var struct {
	Def
	Size   int64
	Data   []byte // nil: all is zero
	Relocs []Reloc
}
