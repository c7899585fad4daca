package ir

// Func is the body of one function in the making: an entry block that holds only stack
// slots and what must precede everything, and a list of labelled blocks.
type Func struct {
	operandLists
	counter
	entry  Block
	blocks []*Block
	Cur    *Block // block to which instructions are appended
	Loc    Meta   // of instructions that carry a position, or none
	AllLoc bool   // all do, not only calls made with CallAt
	bare   bool   // the code is the current block, which has no label
	// Within and Apart are what is said of loads and stores, see Access.
	Within, Apart Meta
	// Mentions are names that the code stands for without a reference to a global, for those who look
	// for what a program needs (FuncDef.Mentioned).
	Mentions map[string]bool
}

// A counter numbers the values and the labels of a function.
type counter struct{ temps int }

// operandLists are the operands of a function's instructions.
type operandLists struct {
	values []Value // the newest of lists
	lists  [][]Value
	spare  *spare
}

// spare is memory of functions that are complete, for those to come.
type spare struct {
	values [][]Value
	insts  [][]Inst
}

// Lists of operands have this length or more, and those of instructions up to maxSpare are kept.
const (
	listLen  = 256
	maxSpare = 1 << 12
)

// release lets functions to come have the memory of f, which is not used any more.
func release(f *Func) {
	s := f.spare
	for _, list := range f.lists {
		if cap(list) == listLen {
			list = list[:listLen]
			clear(list)
			s.values = append(s.values, list[:0])
		}
	}
	for _, b := range f.blocks {
		if n := cap(b.body); n > 0 && n <= maxSpare {
			clear(b.body)
			s.insts = append(s.insts, b.body[:0])
		}
	}
	*f = Func{}
}

// Block is one basic block.
type Block struct {
	name   string
	number int // behind the name, if not 0
	phis   []Inst
	head   []Inst
	body   []Inst
	last   []Inst // come before the terminator
	Done   bool   // ends in a terminator; later instructions are dropped
}

// Label is how the block is called.
func (b *Block) Label() string { return text(b.printLabel) }

func (b *Block) printLabel(p *printer) {
	p.put(b.name)
	if b.number > 0 {
		p.put(".")
		p.int(int64(b.number))
	}
}

// NewBlock appends a block with the given label.
func (f *Func) NewBlock(label string) *Block {
	b := &Block{name: label}
	if s := f.spare; s != nil && len(s.insts) > 0 {
		b.body = s.insts[len(s.insts)-1]
		s.insts = s.insts[:len(s.insts)-1]
	}
	f.blocks = append(f.blocks, b)
	return b
}

// DetachedBlock makes a block with the given label, which Append puts into its place later.
func DetachedBlock(label string) *Block { return &Block{name: label} }

// Append appends a block that DetachedBlock made.
func (f *Func) Append(b *Block) { f.blocks = append(f.blocks, b) }

// NewBlockFirst makes a labelled block that the entry block jumps to.
func (f *Func) NewBlockFirst(label string) *Block {
	b := &Block{name: label}
	f.blocks = append([]*Block{b}, f.blocks...)
	return b
}

// Label makes a block with a unique label.
func (f *Func) Label(prefix string) *Block {
	b := f.NewBlock(prefix)
	f.temps++
	b.number = f.temps
	return b
}

// Fresh returns a new name for a value of type t, which an instruction is still to make.
func (c *counter) Fresh(t *Type) Value {
	c.temps++
	return Value{Kind: Temp, Type: t, n: int64(c.temps)}
}

// operands keeps a list of operands.
func (o *operandLists) operands(list ...Value) []Value { return append(o.reserve(len(list)), list...) }

// reserve returns an empty list with room for n operands. Lists are made in big pieces.
func (o *operandLists) reserve(n int) []Value {
	if len(o.values)+n > cap(o.values) {
		if s := o.spare; s != nil && n <= listLen && len(s.values) > 0 {
			o.values = s.values[len(s.values)-1]
			s.values = s.values[:len(s.values)-1]
		} else {
			o.values = make([]Value, 0, max(listLen, n))
		}
		o.lists = append(o.lists, o.values)
	}
	at := len(o.values)
	o.values = o.values[:at+n]
	return o.values[at : at : at+n]
}

// add appends an instruction to the current block.
func (f *Func) add(in Inst) {
	if f.Cur.Done {
		return
	}
	if f.AllLoc {
		in.loc = f.Loc
	}
	f.Cur.body = append(f.Cur.body, in)
}

// op appends an instruction with a result and returns that.
func (f *Func) op(in Inst, t *Type) Value {
	in.result = f.Fresh(t)
	f.add(in)
	return in.result
}

// term appends a terminator.
func (f *Func) term(in Inst) {
	f.add(in)
	f.Cur.Done = true
}

// Alloca reserves a stack slot of size bytes in the entry block.
func (f *Func) Alloca(size, align int64) Value {
	f.temps++
	slot := Value{Kind: Slot, Type: Ptr, n: int64(f.temps)}
	f.entry.body = append(f.entry.body, Inst{op: Alloca, result: slot, typ: Array(max(size, 1), I8), access: Access{Align: align}})
	return slot
}

// AtEntry has write append to the entry block. Its instructions have no position.
func (f *Func) AtEntry(write func()) {
	cur, all := f.Cur, f.AllLoc
	f.Cur, f.AllLoc = &f.entry, false
	write()
	f.Cur, f.AllLoc = cur, all
}

// Define has write append one instruction, whose result is v instead of a new value.
func (f *Func) Define(v Value, write func()) {
	temps, n := f.temps, len(f.Cur.body)
	write()
	f.temps = temps
	if len(f.Cur.body) != n+1 {
		panic("ir: one instruction is defined at a time")
	}
	f.Cur.body[n].result = v
}

// Binary computes x op y.
func (f *Func) Binary(op Op, x, y Value) Value {
	return f.op(Inst{op: op, args: f.operands(x, y)}, x.Type)
}

// Add, Sub, Mul and the like compute what the instructions of these names do.
func (f *Func) Add(x, y Value) Value  { return f.Binary(Add, x, y) }
func (f *Func) Sub(x, y Value) Value  { return f.Binary(Sub, x, y) }
func (f *Func) Mul(x, y Value) Value  { return f.Binary(Mul, x, y) }
func (f *Func) And(x, y Value) Value  { return f.Binary(And, x, y) }
func (f *Func) Or(x, y Value) Value   { return f.Binary(Or, x, y) }
func (f *Func) Xor(x, y Value) Value  { return f.Binary(Xor, x, y) }
func (f *Func) Shl(x, y Value) Value  { return f.Binary(Shl, x, y) }
func (f *Func) LShr(x, y Value) Value { return f.Binary(LShr, x, y) }
func (f *Func) AShr(x, y Value) Value { return f.Binary(AShr, x, y) }
func (f *Func) FAdd(x, y Value) Value { return f.Binary(FAdd, x, y) }
func (f *Func) FSub(x, y Value) Value { return f.Binary(FSub, x, y) }
func (f *Func) FMul(x, y Value) Value { return f.Binary(FMul, x, y) }

// FNeg is -x.
func (f *Func) FNeg(x Value) Value { return f.op(Inst{op: FNeg, args: f.operands(x)}, x.Type) }

// Cast converts x to another type.
func (f *Func) Cast(op Op, x Value, to *Type) Value {
	return f.op(Inst{op: op, args: f.operands(x), typ: to}, to)
}

// ICmp compares integers or pointers.
func (f *Func) ICmp(p Pred, x, y Value) Value {
	return f.op(Inst{op: ICmp, word: string(p), args: f.operands(x, y)}, x.Type.comparison())
}

// FCmp compares floats.
func (f *Func) FCmp(p Pred, x, y Value) Value {
	return f.op(Inst{op: FCmp, word: string(p), args: f.operands(x, y)}, I1)
}

// Select is x if cond holds, otherwise y.
func (f *Func) Select(cond, x, y Value) Value {
	return f.op(Inst{op: Select, args: f.operands(cond, x, y)}, x.Type)
}

// Load reads a value of type t. The alignment is that of the type if it is 0.
func (f *Func) Load(t *Type, p Value, align int64) Value { return f.LoadAs(t, p, Access{Align: align}) }

// LoadAs reads a value of type t in a particular way.
func (f *Func) LoadAs(t *Type, p Value, how Access) Value {
	how.Within, how.Apart = f.Within, f.Apart
	return f.op(Inst{op: Load, typ: t, args: f.operands(p), access: how}, t)
}

// Store writes a value. The alignment is that of the type if it is 0.
func (f *Func) Store(v, p Value, align int64) { f.StoreAs(v, p, Access{Align: align}) }

// StoreAs writes a value in a particular way.
func (f *Func) StoreAs(v, p Value, how Access) {
	how.Within, how.Apart = f.Within, f.Apart
	f.add(Inst{op: Store, args: f.operands(v, p), access: how})
}

// Index returns the address of part i of an array of values of type t at p.
func (f *Func) Index(t *Type, p, i Value) Value {
	return f.op(Inst{op: GetElementPtr, typ: t, args: f.operands(p, i)}, Ptr)
}

// IndexIn is Index where p and the result are in the same object.
func (f *Func) IndexIn(t *Type, p, i Value) Value {
	return f.op(Inst{op: GetElementPtr, word: "inbounds", typ: t, args: f.operands(p, i)}, Ptr)
}

// PartIn returns the address of the part that path leads to of the value of type t at p.
func (f *Func) PartIn(t *Type, p Value, path []int) Value {
	args := append(f.reserve(2+len(path)), p, Int(I32, 0))
	for _, i := range path {
		args = append(args, Int(I32, i))
	}
	return f.op(Inst{op: GetElementPtr, word: "inbounds", typ: t, args: args}, Ptr)
}

// ExtractAt takes the part that path leads to out of an aggregate.
func (f *Func) ExtractAt(v Value, path ...int) Value {
	return f.op(Inst{op: ExtractValue, args: f.operands(v), path: path}, v.Type.within(path))
}

// InsertAt puts a part into an aggregate where path leads to.
func (f *Func) InsertAt(v, part Value, path ...int) Value {
	return f.op(Inst{op: InsertValue, args: f.operands(v, part), path: path}, v.Type)
}

// InsertElement puts an element into a vector.
func (f *Func) InsertElement(v, elem, i Value) Value {
	return f.op(Inst{op: InsertElement, args: f.operands(v, elem, i)}, v.Type)
}

// Splat makes a vector whose elements are all element 0 of v.
func (f *Func) Splat(v Value) Value {
	return f.op(Inst{op: ShuffleVector, args: f.operands(v, PoisonOf(v.Type), Zero(Vector(v.Type.n, I32)))}, v.Type)
}

// AtomicRMW reads, changes and writes an integer or pointer, and returns what was read.
func (f *Func) AtomicRMW(op string, p, v Value, how Access) Value {
	return f.op(Inst{op: AtomicRMW, word: op, args: f.operands(p, v), access: how}, v.Type)
}

// CmpXchg writes v if old is there. It returns what was there and whether that was old.
func (f *Func) CmpXchg(p, old, v Value, how Access) Value {
	return f.op(Inst{op: CmpXchg, args: f.operands(p, old, v), access: how}, Struct(v.Type, I1))
}

// Call calls a function with a result.
func (f *Func) Call(ret *Type, callee Value, args ...Value) Value {
	return f.CallWith(nil, ret, callee, args...)
}

// CallAt is Call with the current position, in functions where not all instructions have one too.
func (f *Func) CallAt(ret *Type, callee Value, args ...Value) Value {
	return f.at(f.CallWith(nil, ret, callee, args...))
}

// CallWith calls a function, with what info says of the call. It returns no value if ret is Void.
func (f *Func) CallWith(info *CallInfo, ret *Type, callee Value, args ...Value) Value {
	return f.called(Inst{op: Call, call: info, typ: ret}, callee, args)
}

// CallWithAt is CallWith with the current position.
func (f *Func) CallWithAt(info *CallInfo, ret *Type, callee Value, args ...Value) Value {
	return f.at(f.CallWith(info, ret, callee, args...))
}

// HasCalls reports whether a function calls functions, and comes back: LLVM's own do not count, nor
// does a jump at the end.
func HasCalls(f *Func) bool {
	calls := func(in *Inst) bool {
		if in.op != Call || in.call != nil && (in.call.Asm != nil || in.call.Tail) {
			return false
		}
		g := in.args[0].Global()
		return g == nil || !g.Intrinsic()
	}
	for i := range f.entry.body {
		if calls(&f.entry.body[i]) {
			return true
		}
	}
	blocks := f.blocks
	if f.bare {
		blocks = []*Block{f.Cur}
	}
	for _, b := range blocks {
		for _, list := range [][]Inst{b.head, b.body, b.last} {
			for i := range list {
				if calls(&list[i]) {
					return true
				}
			}
		}
	}
	return false
}

// Asm executes inline assembly.
func (f *Func) Asm(asm Asm, ret *Type, args ...Value) Value {
	return f.AsmWith(asm, 0, ret, args...)
}

// PureAsm is Asm that LLVM may leave out, and make one of two.
func (f *Func) PureAsm(asm Asm, ret *Type, args ...Value) Value {
	return f.called(Inst{op: Call, call: &CallInfo{Asm: &asm}, typ: ret}, Value{}, args)
}

// AsmWith executes inline assembly with attributes.
func (f *Func) AsmWith(asm Asm, group Group, ret *Type, args ...Value) Value {
	asm.HasSideEffects = true
	return f.called(Inst{op: Call, call: &CallInfo{Asm: &asm, Group: group}, typ: ret}, Value{}, args)
}

// called appends a call, whose operands are the callee, if it is a value, and then the arguments.
func (f *Func) called(in Inst, callee Value, args []Value) Value {
	in.args = f.reserve(len(args) + 1)
	if callee.IsSet() {
		in.args = append(in.args, callee)
	}
	in.args = append(in.args, args...)
	if in.typ == Void {
		f.add(in)
		return Value{}
	}
	return f.op(in, in.typ)
}

// at gives the call that was just made a position.
func (f *Func) at(v Value) Value {
	if !f.Cur.Done {
		f.Cur.body[len(f.Cur.body)-1].loc = f.Loc
	}
	return v
}

// Br goes on at a block.
func (f *Func) Br(to *Block) { f.term(Inst{op: Br, to: []*Block{to}}) }

// CondBr goes on at one of two blocks.
func (f *Func) CondBr(cond Value, yes, no *Block) { f.CondBrWeighed(cond, yes, no, 0) }

// CondBrWeighed is CondBr with metadata that says how likely each way is.
func (f *Func) CondBrWeighed(cond Value, yes, no *Block, prof Meta) {
	f.term(Inst{op: CondBr, args: f.operands(cond), to: []*Block{yes, no}, about: prof})
}

// A Case is one of a Switch.
type Case struct {
	Value Value // a constant
	To    *Block
}

// Switch goes on at the block of the case that v is, or else at otherwise.
func (f *Func) Switch(v Value, otherwise *Block, cases []Case) {
	in := Inst{op: Switch, args: make([]Value, 1, len(cases)+1), to: make([]*Block, 1, len(cases)+1)}
	in.args[0], in.to[0] = v, otherwise
	for _, c := range cases {
		in.args, in.to = append(in.args, c.Value), append(in.to, c.To)
	}
	f.term(in)
}

// AsmBr executes inline assembly and goes on at to. The assembly may also go to another block.
func (f *Func) AsmBr(asm Asm, group Group, to, other *Block, args ...Value) {
	asm.HasSideEffects = true
	f.term(Inst{op: CallBr, call: &CallInfo{Asm: &asm, Group: group}, typ: Void, args: f.operands(args...), to: []*Block{to, other}})
}

// Ret returns from the function. It returns nothing if v is no value.
func (f *Func) Ret(v Value) {
	if !v.IsSet() {
		f.term(Inst{op: Ret})
		return
	}
	f.term(Inst{op: Ret, args: f.operands(v)})
}

// Unreachable says that control does not come here.
func (f *Func) Unreachable() { f.term(Inst{op: Unreachable}) }

// Declare tells debuggers that a variable is at p. The expression says how to get there.
func (f *Func) Declare(p Value, variable Meta, expr string, loc Meta) {
	f.add(Inst{op: DbgDeclare, args: f.operands(p), about: variable, word: expr})
	if !f.Cur.Done {
		f.Cur.body[len(f.Cur.body)-1].loc = loc
	}
}

// An Edge is what a phi is if control comes from a block.
type Edge struct {
	Value Value
	From  *Block
}

func phi(v Value, edges []Edge) Inst {
	in := Inst{op: Phi, result: v}
	for _, e := range edges {
		in.args, in.to = append(in.args, e.Value), append(in.to, e.From)
	}
	return in
}

// Join is a phi in the midst of a block, where only phis have come before.
func (f *Func) Join(t *Type, edges ...Edge) Value {
	v := f.Fresh(t)
	f.add(phi(v, edges))
	return v
}

// Phi makes v, of a name from Fresh or NamedValue, a phi in the head of b.
func (b *Block) Phi(v Value, edges ...Edge) { b.phis = append(b.phis, phi(v, edges)) }

// HeadInsert is InsertAt behind b's phis, before everything else in it, with a result from Fresh.
func (b *Block) HeadInsert(result, v, part Value, path []int) {
	b.head = append(b.head, Inst{op: InsertValue, result: result, args: []Value{v, part}, path: path})
}

// ExtractBeforeEnd is ExtractAt before the terminator, which b must have, with a result from Fresh.
func (b *Block) ExtractBeforeEnd(result, v Value, path []int) {
	if !b.Done {
		panic("ir: block without terminator")
	}
	b.last = append(b.last, Inst{op: ExtractValue, result: result, args: []Value{v}, path: path})
}

// lists are the block's instructions in order.
func (b *Block) lists() [][]Inst {
	if !b.Done {
		return [][]Inst{b.phis, b.head, b.body}
	}
	end := len(b.body) - 1
	return [][]Inst{b.phis, b.head, b.body[:end], b.last, b.body[end:]}
}
