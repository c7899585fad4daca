package ir

// Op is what an instruction does, or a constant expression.
type Op uint8

const (
	Add Op = iota
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

	Trunc
	ZExt
	SExt
	FPTrunc
	FPExt
	FPToSI
	FPToUI
	SIToFP
	UIToFP
	PtrToInt
	IntToPtr
	Bitcast

	ICmp
	FCmp
	Select
	Phi
	Load
	Store
	GetElementPtr
	Alloca
	ExtractValue
	InsertValue
	InsertElement
	ShuffleVector
	AtomicRMW
	CmpXchg
	Call

	Br
	CondBr
	Switch
	CallBr
	Ret
	Unreachable

	DbgDeclare // a record for debuggers, not an instruction
)

var opNames = [...]string{
	Add: "add", Sub: "sub", Mul: "mul", UDiv: "udiv", SDiv: "sdiv", URem: "urem", SRem: "srem",
	Shl: "shl", LShr: "lshr", AShr: "ashr", And: "and", Or: "or", Xor: "xor",
	FAdd: "fadd", FSub: "fsub", FMul: "fmul", FDiv: "fdiv", FNeg: "fneg",
	Trunc: "trunc", ZExt: "zext", SExt: "sext", FPTrunc: "fptrunc", FPExt: "fpext",
	FPToSI: "fptosi", FPToUI: "fptoui", SIToFP: "sitofp", UIToFP: "uitofp",
	PtrToInt: "ptrtoint", IntToPtr: "inttoptr", Bitcast: "bitcast",
	ICmp: "icmp", FCmp: "fcmp", Select: "select", Phi: "phi", Load: "load", Store: "store",
	GetElementPtr: "getelementptr", Alloca: "alloca", ExtractValue: "extractvalue", InsertValue: "insertvalue",
	InsertElement: "insertelement", ShuffleVector: "shufflevector", AtomicRMW: "atomicrmw", CmpXchg: "cmpxchg", Call: "call",
	Br: "br", CondBr: "br", Switch: "switch", CallBr: "callbr", Ret: "ret", Unreachable: "unreachable",
	DbgDeclare: "#dbg_declare",
}

func (o Op) String() string { return opNames[o] }

// isBinary reports whether o takes two operands of the type of its result.
func (o Op) isBinary() bool { return o <= FDiv }

// makesCode reports whether an instruction costs something: taking tuples apart and jumps to where
// code goes on do not.
func (o Op) makesCode() bool {
	switch o {
	case ExtractValue, InsertValue, Phi, Br, DbgDeclare:
		return false
	}
	return true
}

func (o Op) isCast() bool { return Trunc <= o && o <= Bitcast }

// isTerminator reports whether o ends a block.
func (o Op) isTerminator() bool { return Br <= o && o <= Unreachable }

// Pred is the condition of a comparison.
type Pred string

// Conditions of icmp and fcmp.
const (
	EQ  Pred = "eq"
	NE  Pred = "ne"
	ULT Pred = "ult"
	ULE Pred = "ule"
	UGT Pred = "ugt"
	UGE Pred = "uge"
	SLT Pred = "slt"
	SLE Pred = "sle"
	SGT Pred = "sgt"
	SGE Pred = "sge"
	OEQ Pred = "oeq"
	OLT Pred = "olt"
	OLE Pred = "ole"
	OGT Pred = "ogt"
	OGE Pred = "oge"
	UNO Pred = "uno"
	UNE Pred = "une"
)

// Ordering is that of an atomic access.
type Ordering uint8

// Orderings of atomic accesses.
const (
	NotAtomic Ordering = iota
	Unordered
	Monotonic
	Acquire
	Release
	SeqCst
)

var orderings = [...]string{Unordered: "unordered", Monotonic: "monotonic", Acquire: "acquire", Release: "release", SeqCst: "seq_cst"}

// An Access says how memory is read or written.
type Access struct {
	Align    int64 // 0: that of the type
	Ordering Ordering
	Volatile bool
	// Invariant is the metadata that says that the memory, which is read, is never written again.
	Invariant Meta
	// Within is the metadata of a scope of memory, which the access is in, and Apart of one in
	// which it is not.
	Within, Apart Meta
}

// A Group is the number of a group of attributes, which the module's header defines; 0 is none.
type Group int

// Inst is an instruction.
type Inst struct {
	op     Op
	result Value   // None: it has none
	typ    *Type   // what is loaded, allocated, or that an index is of; a cast's result
	args   []Value // operands
	path   []int   // of extractvalue and insertvalue
	to     []*Block
	loc    Meta // where it is in the source
	about  Meta // weights of branches; the variable that is declared
	word   string
	access Access
	call   *CallInfo
}

// CallInfo is what calls have besides a callee and arguments.
type CallInfo struct {
	Asm      *Asm        // instead of a callee
	Params   []ParamAttr // of arguments; nil if none has some
	Group    Group
	Apart    Meta // of a scope of memory that the callee does not touch
	NoMerge  bool
	NoInline bool
	Tail     bool
	Saves    bool // the function is declared so
}

// Asm is inline assembly.
type Asm struct {
	Text        string // as LLVM takes it, with the operands' places
	Constraints string
	// HasSideEffects keeps LLVM from dropping it, and from making one of two.
	HasSideEffects bool
}

// Parameter is a parameter of a function.
type Parameter struct {
	Value
	ParamAttr
}

func (x Parameter) print(p *printer) {
	x.Type.print(p)
	x.ParamAttr.print(p)
	p.put(" ")
	x.Value.print(p)
}

// ParamAttr is what is known of a parameter or argument.
type ParamAttr struct {
	Nest      bool // in the register of the closure context
	NoAlias   bool
	NoCapture bool
	ReadOnly  bool
	Align     int64 // 0: not said
}
