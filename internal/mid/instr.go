package mid

import (
	"go/token"
	"go/types"
	"strconv"
)

// Instr is an instruction.
type Instr interface {
	Parent() *Func
	Block() *Block
	Pos() token.Pos // of the operator, or where the instruction comes from otherwise; some have none
	// Operands appends the addresses of the operands to list. Some may be nil.
	Operands(list []*Value) []*Value

	Site() *Site // where it was inlined from, nil if it was not
	common() *instr
	copy() Instr // with the same operands, in no block
}

// instr is what all instructions have.
type instr struct {
	block *Block
	pos   token.Pos
	site  *Site
}

func (i *instr) common() *instr { return i }
func (i *instr) Block() *Block  { return i.block }
func (i *instr) Parent() *Func  { return i.block.parent }
func (i *instr) Pos() token.Pos { return i.pos }
func (i *instr) Site() *Site    { return i.site }

// SetPos says where the instruction comes from.
func (i *instr) SetPos(pos token.Pos) { i.pos = pos }

// register is what instructions with a result have besides.
type register struct {
	instr
	typ    types.Type
	refs   []Instr
	number int // for its name
}

func (r *register) Type() types.Type   { return r.typ }
func (r *register) Referrers() []Instr { return r.refs }
func (r *register) reg() *register     { return r }

// Name is t and a number of its own in the function.
func (r *register) Name() string { return "t" + strconv.Itoa(r.number) }

// SetType gives the result its type.
func (r *register) SetType(t types.Type) { r.typ = t }

// Register is an instruction with a result.
type Register interface {
	Instr
	Value
	SetType(types.Type)
	SetPos(token.Pos)

	reg() *register
}

// CallCommon is what is called, and with what. A call of a method through an interface has it in
// Method, and the interface in Value; another one what it calls in Value, and a receiver in Args.
type CallCommon struct {
	Value  Value
	Method *types.Func
	Args   []Value
	// Held is what an interface holds by which the source calls a method, where that has become a call
	// of another one; nil: it is what it was.
	Held   types.Type
	HeldAt token.Pos // where nil fails in a call that is made later
	pos    token.Pos
}

// SetPos says where the call's parenthesis is.
func (c *CallCommon) SetPos(pos token.Pos) { c.pos = pos }

// Pos is where the call's parenthesis is.
func (c *CallCommon) Pos() token.Pos { return c.pos }

// FollowsHeld reports whether a statement that makes the call later calls a method of the pointer
// that is in an interface: nil fails in the call, ahead of the method.
func (c *CallCommon) FollowsHeld() bool {
	if c.Held == nil || c.Method != nil {
		return false
	}
	_, pointer := c.Held.Underlying().(*types.Pointer)
	return pointer
}

// IsInvoke reports whether a method is called through an interface.
func (c *CallCommon) IsInvoke() bool { return c.Method != nil }

// StaticCallee returns the function that is called, nil if it is not known.
func (c *CallCommon) StaticCallee() *Func {
	switch v := c.Value.(type) {
	case *Func:
		return v
	case *MakeClosure:
		return v.Fn
	}
	return nil
}

// Builtin returns the built-in function that is called, NoBuiltin if it is something else.
func (c *CallCommon) Builtin() BuiltinID {
	if b, ok := c.Value.(*Builtin); ok {
		return b.ID
	}
	return NoBuiltin
}

// CalledBuiltin returns the built-in function that v is the result of, NoBuiltin if it is something
// else.
func CalledBuiltin(v Value) BuiltinID {
	if call, ok := v.(*Call); ok {
		return call.Call.Builtin()
	}
	return NoBuiltin
}

// IsLen reports whether v is len(x).
func IsLen(v, x Value) bool {
	call, ok := v.(*Call)
	return ok && call.Call.Builtin() == BuiltinLen && call.Call.Args[0] == x
}

// Signature returns the callee's. Where the callee is known and a method, it has the receiver.
func (c *CallCommon) Signature() *types.Signature {
	if c.Method != nil {
		return c.Method.Signature()
	}
	return c.Value.Type().Underlying().(*types.Signature)
}

func (c *CallCommon) operands(list []*Value) []*Value {
	list = append(list, &c.Value)
	for i := range c.Args {
		list = append(list, &c.Args[i])
	}
	return list
}

// CallInstr is a Call, Go or Defer.
type CallInstr interface {
	Instr
	Common() *CallCommon
}

// Made says what in the source an Alloc makes.
type Made uint8

// What allocations make.
const (
	Variable     Made = iota // of the source, or one that a construct needs, which has no position
	New                      // new(T)
	Literal                  // a composite literal, or its address
	SliceLiteral             // the array of one
	SliceMade                // the array of make([]T, n, constant)
	VariadicArgs             // the array of variadic arguments
)

// SelectState is a case of a select statement.
type SelectState struct {
	Dir  types.ChanDir // SendOnly or RecvOnly
	Chan Value
	Send Value // nil for a receive
	Pos  token.Pos
}

// The instructions.
type (
	// Alloc: a variable, or an object of the heap, zeroed; its value is the address.
	Alloc struct {
		register
		Made Made   // what in the source it is
		Var  string // name, if it is a variable of the source
		Heap bool   // it outlives the call, unless escape analysis finds otherwise
	}
	// Phi: the operand whose edge control came over.
	Phi struct {
		register
		Edges []Value // by predecessor
		Index bool    // counts the turns of a RangeHead, in no variable of the source
	}
	// Call: calls something and waits for it; its type is that of the result, a tuple if it has not
	// one.
	Call struct {
		register
		Call CallCommon
	}
	// BinOp: a binary operator.
	BinOp struct {
		register
		Op token.Token
		X  Value
		Y  Value
	}
	// UnOp: a unary operator; MUL loads, ARROW receives.
	UnOp struct {
		register
		Op      token.Token
		X       Value
		CommaOk bool // of a receive: the result is a tuple
	}
	// ChangeType: another type for the same value.
	ChangeType struct {
		register
		X Value
	}
	// Convert: a conversion that computes.
	Convert struct {
		register
		X Value
	}
	// Whole: X, an integer, with nothing known of how it is computed (pass "bytes").
	Whole struct {
		register
		X Value
	}
	// ChangeInterface: another interface type for the same dynamic value.
	ChangeInterface struct {
		register
		X Value
	}
	// SliceToArrayPointer: a conversion that checks the length.
	SliceToArrayPointer struct {
		register
		X Value
	}
	// MakeInterface: an interface value of a concrete one.
	MakeInterface struct {
		register
		X Value
	}
	// MakeClosure: a func value with captures.
	MakeClosure struct {
		register
		Fn       *Func
		Bindings []Value // by free variable of Fn
	}
	MakeMap struct {
		register
		Reserve Value // room, nil for some
	}
	MakeChan struct {
		register
		Size Value
	}
	MakeSlice struct {
		register
		Len Value
		Cap Value
	}
	Slice struct {
		register
		X    Value // slice, string or pointer to an array
		Low  Value // of these each may be nil
		High Value
		Max  Value
	}
	// FieldAddr: the address of a field of what X points to.
	FieldAddr struct {
		register
		X     Value
		Field int
	}
	Field struct {
		register
		X     Value // struct
		Field int
	}
	// IndexAddr: the address of an element.
	IndexAddr struct {
		register
		X     Value // slice or pointer to an array
		Index Value
	}
	Index struct {
		register
		X     Value // array or string
		Index Value
	}
	Lookup struct {
		register
		X       Value // map
		Index   Value
		CommaOk bool // the result is a tuple
	}
	// Select: a select statement: its value is a tuple of the number of the case, whether a receive
	// got something, and what each receive got.
	Select struct {
		register
		States   []*SelectState
		Blocking bool // it has no default
	}
	// Range: the state of a loop over a map or a string, of type Iterator.
	Range struct {
		register
		X Value
	}
	// Next: one turn of such a loop: whether there is one, key and element.
	Next struct {
		register
		Iter     Value
		IsString bool
	}
	TypeAssert struct {
		register
		X            Value
		AssertedType types.Type
		CommaOk      bool // the result is a tuple
		OfReceiver   bool // a method value asks whether it has a receiver: fails as a load would
	}
	// Extract: a component of a tuple.
	Extract struct {
		register
		Tuple Value
		Index int
	}
	// Jump: goes to the only successor.
	Jump struct {
		instr
	}
	// If: goes to the first successor if Cond holds, otherwise to the second.
	If struct {
		instr
		Cond Value
	}
	Return struct {
		instr
		Results []Value
	}
	// RunDefers: calls what has been deferred.
	RunDefers struct {
		instr
	}
	Panic struct {
		instr
		X Value
	}
	// Go: starts a goroutine.
	Go struct {
		instr
		Call CallCommon
	}
	Defer struct {
		instr
		Call       CallCommon
		DeferStack Value // what deferstack returned of the function to wait for, nil for this one
	}
	Send struct {
		instr
		Chan Value
		X    Value
	}
	Store struct {
		instr
		Addr Value
		Val  Value
	}
	MapUpdate struct {
		instr
		Map   Value
		Key   Value
		Value Value
	}
)

func (*Alloc) Operands(list []*Value) []*Value { return list }

func (in *Phi) Operands(list []*Value) []*Value {
	for i := range in.Edges {
		list = append(list, &in.Edges[i])
	}
	return list
}
func (in *Call) Operands(list []*Value) []*Value                { return in.Call.operands(list) }
func (in *BinOp) Operands(list []*Value) []*Value               { return append(list, &in.X, &in.Y) }
func (in *UnOp) Operands(list []*Value) []*Value                { return append(list, &in.X) }
func (in *ChangeType) Operands(list []*Value) []*Value          { return append(list, &in.X) }
func (in *Convert) Operands(list []*Value) []*Value             { return append(list, &in.X) }
func (in *Whole) Operands(list []*Value) []*Value               { return append(list, &in.X) }
func (in *ChangeInterface) Operands(list []*Value) []*Value     { return append(list, &in.X) }
func (in *SliceToArrayPointer) Operands(list []*Value) []*Value { return append(list, &in.X) }
func (in *MakeInterface) Operands(list []*Value) []*Value       { return append(list, &in.X) }

func (in *MakeClosure) Operands(list []*Value) []*Value {
	for i := range in.Bindings {
		list = append(list, &in.Bindings[i])
	}
	return list
}
func (in *MakeMap) Operands(list []*Value) []*Value   { return append(list, &in.Reserve) }
func (in *MakeChan) Operands(list []*Value) []*Value  { return append(list, &in.Size) }
func (in *MakeSlice) Operands(list []*Value) []*Value { return append(list, &in.Len, &in.Cap) }
func (in *Slice) Operands(list []*Value) []*Value {
	return append(list, &in.X, &in.Low, &in.High, &in.Max)
}
func (in *FieldAddr) Operands(list []*Value) []*Value { return append(list, &in.X) }
func (in *Field) Operands(list []*Value) []*Value     { return append(list, &in.X) }
func (in *IndexAddr) Operands(list []*Value) []*Value { return append(list, &in.X, &in.Index) }
func (in *Index) Operands(list []*Value) []*Value     { return append(list, &in.X, &in.Index) }
func (in *Lookup) Operands(list []*Value) []*Value    { return append(list, &in.X, &in.Index) }

func (in *Select) Operands(list []*Value) []*Value {
	for _, s := range in.States {
		list = append(list, &s.Chan, &s.Send)
	}
	return list
}
func (in *Range) Operands(list []*Value) []*Value      { return append(list, &in.X) }
func (in *Next) Operands(list []*Value) []*Value       { return append(list, &in.Iter) }
func (in *TypeAssert) Operands(list []*Value) []*Value { return append(list, &in.X) }
func (in *Extract) Operands(list []*Value) []*Value    { return append(list, &in.Tuple) }
func (*Jump) Operands(list []*Value) []*Value          { return list }
func (in *If) Operands(list []*Value) []*Value         { return append(list, &in.Cond) }

func (in *Return) Operands(list []*Value) []*Value {
	for i := range in.Results {
		list = append(list, &in.Results[i])
	}
	return list
}
func (*RunDefers) Operands(list []*Value) []*Value { return list }
func (in *Panic) Operands(list []*Value) []*Value  { return append(list, &in.X) }
func (in *Go) Operands(list []*Value) []*Value     { return in.Call.operands(list) }
func (in *Defer) Operands(list []*Value) []*Value {
	return append(in.Call.operands(list), &in.DeferStack)
}
func (in *Send) Operands(list []*Value) []*Value  { return append(list, &in.Chan, &in.X) }
func (in *Store) Operands(list []*Value) []*Value { return append(list, &in.Addr, &in.Val) }
func (in *MapUpdate) Operands(list []*Value) []*Value {
	return append(list, &in.Map, &in.Key, &in.Value)
}

func (in *Call) Common() *CallCommon  { return &in.Call }
func (in *Go) Common() *CallCommon    { return &in.Call }
func (in *Defer) Common() *CallCommon { return &in.Call }

// Site says that an instruction was inlined: where it comes from.
type Site struct {
	Fn    *Func     // whose code it is
	Pos   token.Pos // of the call
	Outer *Site     // of the call, nil if that is the function's own
}
