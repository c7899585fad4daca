package lower

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"sort"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Static initialisation.
//
// Most package variables start with data that is known now: tables, composite literals,
// error values. mid has code for all of them in the package's init function. staticInits
// runs that code symbolically: allocations become static objects, stores of known values
// to known places become their initial contents, and what is then superfluous is skipped.
// What it does not understand (calls, maps, loads of unknown memory) stays code, which sees
// the static objects at constant addresses.
//
// Why that is sound. The initialiser of a package runs at most once and has no loops, so
// one static object can stand for one allocation. A store is moved to the start of the
// program, so it must not be seen too early nor overwrite or outlast what it should not:
//
//   - only stores in blocks that are always executed are moved (the spine);
//   - a store to an allocation is moved only while no code that stays has had access to it,
//     and none to a place that code has stored to (object.dirty, object.seen);
//   - stores to variables are moved regardless of earlier calls, as gc does: Go's order of
//     initialisation makes every function that mentions the variable run later, and says
//     nothing of dependencies it cannot see;
//   - the contents of memory are taken as known only if no unknown code ran since they were
//     stored (epoch).
//
// Values are lists of scalars at byte offsets, whatever their type; absent ones are zero.

// maxStatic is the size up to which allocations become static.
const maxStatic = 16 << 20

// scalar is one integer, float or pointer of a value, at a byte offset.
type scalar struct {
	off, size int64
	bits      uint64
	obj       *object         // pointer into a static object
	delta     int64           // offset in obj
	op        func() ir.Value // pointer to anything else: makes the operand (and its definition)
	boxed     sval            // what op points to, if that is a copy of a value
}

// sval is a known value: its non-zero scalars by ascending offset.
type sval []scalar

// object is a variable or static allocation.
type object struct {
	typ    types.Type
	size   int64
	global *mid.Global // nil for allocations
	alloc  *mid.Alloc
	cells  map[int64]scalar
	dirty  map[int64]bool // offsets of scalars that code stores to; -1: anything
	seen   bool           // code that stays may read or write it
	epoch  int            // of unknown code after which the contents were known
	at     ir.Value       // address of an allocation, once one is needed
	read   bool           // a load of its contents was evaluated
}

// staticEval is the symbolic execution of one init function.
type staticEval struct {
	m       *data
	f       *mid.Func
	spine   map[*mid.Block]bool
	known   map[mid.Value]sval // present: known, even if empty (zero)
	objects map[mid.Value]*object
	order   []*object
	moved   map[mid.Instr]bool // stores that became data
	maps    map[*mid.MakeMap]*staticMap
	tables  []*staticMap
	epoch   int
	blocks  []*mid.Block
}

// staticInits returns the initialiser of the package's variables with static
// contents and the instructions of the init function that are not to be lowered. Values
// that skipped instructions would have computed for others are put into m.staticVals.
func (m *data) staticInits() (map[*mid.Global]ir.Value, map[mid.Instr]bool) {
	inits, skip := map[*mid.Global]ir.Value{}, map[mid.Instr]bool{}
	m.staticVals = map[mid.Value]ir.Value{}
	m.embedInits(inits)
	f := m.pkg.Func("init")
	if f == nil || !f.HasBody() {
		return inits, skip
	}
	e := &staticEval{m: m, f: f, spine: map[*mid.Block]bool{}, known: map[mid.Value]sval{},
		objects: map[mid.Value]*object{}, moved: map[mid.Instr]bool{}, maps: map[*mid.MakeMap]*staticMap{}}
	if !e.findSpine() {
		return inits, skip
	}
	for _, b := range e.blocks {
		for _, in := range b.Instrs {
			e.step(in, e.spine[b])
		}
	}
	e.skippable(skip)
	for _, t := range e.tables {
		e.emitMap(t)
	}
	for _, o := range e.order {
		if o.global != nil && len(o.cells) > 0 {
			inits[o.global] = e.contents(o, m.ref(m.globalSym(o.global)))
		}
	}
	return inits, skip
}

// findSpine orders the blocks topologically and finds those that every execution passes;
// false if the function has loops.
func (e *staticEval) findSpine() bool {
	state := map[*mid.Block]int{}
	var post []*mid.Block
	var visit func(b *mid.Block) bool
	visit = func(b *mid.Block) bool {
		state[b] = 1
		for _, s := range b.Succs {
			if state[s] == 1 || state[s] == 0 && !visit(s) {
				return false
			}
		}
		state[b] = 2
		post = append(post, b)
		return true
	}
	if !visit(e.f.Body()[0]) {
		return false
	}
	for i := len(post) - 1; i >= 0; i-- {
		e.blocks = append(e.blocks, post[i])
	}
	// What dominates the return is always executed.
	for _, b := range e.blocks {
		n := len(b.Instrs)
		if _, ok := b.Instrs[n-1].(*mid.Return); !ok {
			continue
		}
		for p := b; p != nil; p = p.Idom() {
			e.spine[p] = true
		}
	}
	return true
}

// set records that v's value is known.
func (e *staticEval) set(v mid.Value, s sval) {
	e.known[v] = s
}

// value returns v's value if it is known.
func (e *staticEval) value(v mid.Value) (sval, bool) {
	if s, ok := e.known[v]; ok {
		return s, true
	}
	if v, ok := v.(*mid.Global); ok && v.Pkg == e.m.pkg && e.m.definesLinked(v) {
		return sval{{size: 8, obj: e.object(v)}}, true
	}
	return e.m.fixedScalars(v)
}

// fixedScalars returns the scalars of a value that is the same in every run: a constant, a
// function, the address of a variable.
func (m *data) fixedScalars(v mid.Value) (sval, bool) {
	switch v := v.(type) {
	case *mid.Const:
		return m.constScalars(v)
	case *mid.Func:
		return sval{{size: 8, op: func() ir.Value { return m.funcValue(v) }}}, true
	case *mid.Global:
		return sval{{size: 8, op: func() ir.Value { return m.globalRef(v) }}}, true
	}
	return nil, false
}

// constScalars returns the scalars of a constant.
func (m *data) constScalars(c *mid.Const) (sval, bool) {
	if c.Value == nil {
		return nil, true
	}
	u, ok := under(c.Type()).(*types.Basic)
	if !ok {
		return nil, false
	}
	size := m.sizes.Sizeof(types.Default(u)) // arguments of print are untyped, say
	switch {
	case u.Info()&types.IsBoolean != 0:
		if constant.BoolVal(c.Value) {
			return sval{{size: 1, bits: 1}}, true
		}
		return nil, true
	case u.Info()&types.IsInteger != 0:
		return nonZero(0, size, intBits(c.Value)), true
	case u.Info()&types.IsFloat != 0:
		return nonZero(0, size, floatBits(c.Value, size)), true
	case u.Info()&types.IsComplex != 0:
		v := constant.ToComplex(c.Value)
		re := nonZero(0, size/2, floatBits(constant.Real(v), size/2))
		return append(re, nonZero(size/2, size/2, floatBits(constant.Imag(v), size/2))...), true
	case u.Info()&types.IsString != 0:
		return m.stringScalars(constant.StringVal(c.Value)), true
	}
	return nil, false
}

func (m *data) stringScalars(s string) sval {
	if s == "" {
		return nil
	}
	return sval{{size: 8, op: func() ir.Value { return m.stringData(s) }}, {off: 8, size: 8, bits: uint64(len(s))}}
}

func nonZero(off, size int64, bits uint64) sval {
	if size < 8 {
		bits &= 1<<(8*size) - 1
	}
	if bits == 0 {
		return nil
	}
	return sval{{off: off, size: size, bits: bits}}
}

func intBits(v constant.Value) uint64 {
	v = constant.ToInt(v)
	if i, ok := constant.Int64Val(v); ok {
		return uint64(i)
	}
	u, _ := constant.Uint64Val(v)
	return u
}

func floatBits(v constant.Value, size int64) uint64 {
	v = constant.ToFloat(v)
	if size == 4 {
		f, _ := constant.Float32Val(v)
		return uint64(math.Float32bits(f))
	}
	f, _ := constant.Float64Val(v)
	return math.Float64bits(f)
}

// object returns the object of a variable or allocation.
func (e *staticEval) object(v mid.Value) *object {
	if o, ok := e.objects[v]; ok {
		return o
	}
	t := under(v.Type()).(*types.Pointer).Elem()
	o := &object{typ: t, size: e.m.sizes.Sizeof(t), cells: map[int64]scalar{}, dirty: map[int64]bool{}}
	switch v := v.(type) {
	case *mid.Global:
		o.global = v
	case *mid.Alloc:
		o.alloc, o.epoch = v, e.epoch
	}
	e.objects[v] = o
	e.order = append(e.order, o)
	return o
}

// pointer returns the object and offset that v is known to point to.
func (e *staticEval) pointer(v mid.Value) (o *object, off int64, ok bool) {
	s, ok := e.value(v)
	if !ok || len(s) != 1 || s[0].obj == nil {
		return nil, 0, false
	}
	return s[0].obj, s[0].delta, true
}

// step executes one instruction; spine tells whether it is always executed.
func (e *staticEval) step(in mid.Instr, spine bool) {
	switch in := in.(type) {
	case *mid.Store:
		if !e.storeMap(in, spine) {
			e.store(in, spine)
		}
		return
	case *mid.MakeMap:
		e.startMap(in, spine)
	case *mid.MapUpdate:
		e.addEntry(in, spine)
	case *mid.Call:
		if e.call(in) {
			return
		}
	case *mid.If, *mid.Jump, *mid.Return:
		return
	case mid.Value:
		if s, ok := e.eval(in); ok {
			e.set(in, s)
			return
		}
	}
	if e.mayWrite(in) {
		e.epoch++
	}
	e.expose(in)
}

// mayWrite reports whether an instruction may change memory, itself or by letting other code
// run. Initialisers of imported packages do not know this package's variables.
func (e *staticEval) mayWrite(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Call:
		switch in.Call.Builtin() {
		case mid.NoBuiltin:
		case mid.BuiltinLen, mid.BuiltinCap, mid.BuiltinMin, mid.BuiltinMax, mid.BuiltinReal, mid.BuiltinImag, mid.BuiltinComplex:
			return false
		default:
			return true
		}
		g := in.Call.StaticCallee()
		return g == nil || !e.m.foreignInit(g)
	case *mid.UnOp:
		return in.Op == token.ARROW
	case *mid.Alloc, *mid.BinOp, *mid.ChangeInterface, *mid.ChangeType, *mid.Convert, *mid.Extract, *mid.Field, *mid.FieldAddr,
		*mid.Index, *mid.IndexAddr, *mid.Lookup, *mid.MakeChan, *mid.MakeClosure, *mid.MakeInterface, *mid.MakeMap,
		*mid.MakeSlice, *mid.MapUpdate, *mid.Phi, *mid.Slice, *mid.SliceToArrayPointer, *mid.TypeAssert:
		return false
	}
	return true
}

// expose marks everything that a remaining instruction can reach through its operands.
func (e *staticEval) expose(in mid.Instr) {
	var ops []*mid.Value
	for _, op := range in.Operands(ops) {
		if *op != nil {
			if s, ok := e.value(*op); ok {
				e.exposeValue(s)
			}
		}
	}
}

func (e *staticEval) exposeValue(s sval) {
	for _, c := range s {
		e.exposeValue(c.boxed)
		if o := c.obj; o != nil && !o.seen {
			o.seen = true
			for _, c := range o.cells {
				e.exposeValue(sval{c})
			}
		}
	}
}

// store executes a store, as data if that is sound.
func (e *staticEval) store(in *mid.Store, spine bool) {
	o, off, ok := e.pointer(in.Addr)
	v, vok := e.value(in.Val)
	t := in.Val.Type()
	if !ok {
		e.epoch++ // could be anything
		e.expose(in)
		return
	}
	size := e.m.sizes.Sizeof(t)
	if vok && spine && (o.global != nil || !o.seen && !o.read) && !o.overlapsDirty(off, size) {
		if o.global != nil && len(o.cells) == 0 && len(o.dirty) == 0 {
			o.epoch = e.epoch // its initialisation begins
		}
		o.clear(off, size)
		for _, c := range v {
			c.off += off
			o.cells[c.off] = c
			if c.obj != nil && o.seen {
				e.exposeValue(sval{c})
			}
		}
		e.moved[in] = true
		return
	}
	o.markDirty(off, size)
	if vok {
		e.exposeValue(v)
	}
}

// overlapsDirty reports whether code stores to a part of [off, off+size).
func (o *object) overlapsDirty(off, size int64) bool {
	if o.dirty[-1] {
		return true
	}
	if size > int64(len(o.dirty)) {
		for d := range o.dirty {
			if off <= d && d < off+size {
				return true
			}
		}
		return false
	}
	for i := off; i < off+size; i++ {
		if o.dirty[i] {
			return true
		}
	}
	return false
}

// maxTracked is the size up to which stores by code are remembered byte by byte.
const maxTracked = 256

func (o *object) markDirty(off, size int64) {
	if size > maxTracked {
		o.dirty[-1] = true
		return
	}
	for i := off; i < off+size; i++ {
		o.dirty[i] = true
	}
}

func (o *object) clear(off, size int64) {
	if size <= 64 {
		for i := off; i < off+size; i++ {
			delete(o.cells, i)
		}
		return
	}
	for i := range o.cells {
		if off <= i && i < off+size {
			delete(o.cells, i)
		}
	}
}

// load returns the known contents of memory.
func (e *staticEval) load(o *object, off int64, t types.Type) (sval, bool) {
	size := e.m.sizes.Sizeof(t)
	if o.overlapsDirty(off, size) || o.epoch != e.epoch || o.global != nil && len(o.cells) == 0 || o.seen && o.global == nil {
		return nil, false
	}
	o.read = true
	var s sval
	if size <= 64 {
		for i := off; i < off+size; i++ {
			if c, ok := o.cells[i]; ok {
				c.off -= off
				s = append(s, c)
			}
		}
		return s, true
	}
	for i, c := range o.cells {
		if off <= i && i < off+size {
			c.off -= off
			s = append(s, c)
		}
	}
	sort.Slice(s, func(i, j int) bool { return s[i].off < s[j].off })
	return s, true
}

// eval computes the value of an instruction without side effects.
func (e *staticEval) eval(in mid.Value) (sval, bool) {
	switch in := in.(type) {
	case *mid.Alloc:
		if in.Made == mid.New {
			// As in gc, what new makes is in the heap: a sync.WaitGroup can then belong to a bubble
			// of testing/synctest, as a package variable cannot.
			return nil, false
		}
		if o := e.object(in); o.size <= maxStatic {
			return sval{{size: 8, obj: o}}, true
		}
	case *mid.FieldAddr:
		if o, off, ok := e.pointer(in.X); ok {
			u := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Struct)
			return sval{{size: 8, obj: o, delta: off + e.m.fieldOffsets(u)[in.Field]}}, true
		}
	case *mid.IndexAddr:
		return e.indexAddr(in)
	case *mid.Slice:
		return e.slice(in)
	case *mid.UnOp:
		if in.Op == token.MUL && !in.CommaOk {
			if o, off, ok := e.pointer(in.X); ok {
				return e.load(o, off, in.Type())
			}
		}
	case *mid.ChangeType:
		return e.value(in.X)
	case *mid.Convert:
		return e.convert(in)
	case *mid.MakeInterface:
		return e.makeInterface(in)
	case *mid.Field:
		if s, ok := e.value(in.X); ok {
			u := under(in.X.Type()).(*types.Struct)
			return part(s, e.m.fieldOffsets(u)[in.Field], e.m.sizes.Sizeof(in.Type())), true
		}
	}
	return nil, false
}

// part cuts [off, off+size) out of a value.
func part(s sval, off, size int64) sval {
	var r sval
	for _, c := range s {
		if off <= c.off && c.off < off+size {
			c.off -= off
			r = append(r, c)
		}
	}
	return r
}

func constIndex(v mid.Value) (int64, bool) {
	c, ok := v.(*mid.Const)
	if !ok || c.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(c.Value))
}

func (e *staticEval) indexAddr(in *mid.IndexAddr) (sval, bool) {
	i, ok := constIndex(in.Index)
	s, known := e.value(in.X)
	if !ok || !known || len(s) == 0 || s[0].obj == nil || s[0].off != 0 {
		return nil, false
	}
	var n int64
	var elem types.Type
	switch u := under(in.X.Type()).(type) {
	case *types.Pointer:
		a := under(u.Elem()).(*types.Array)
		n, elem = a.Len(), a.Elem()
	case *types.Slice:
		elem = u.Elem()
		if l := part(s, 8, 8); len(l) == 1 {
			n = int64(l[0].bits)
		}
	}
	if i < 0 || i >= n {
		return nil, false
	}
	return sval{{size: 8, obj: s[0].obj, delta: s[0].delta + i*e.m.sizes.Sizeof(elem)}}, true
}

// slice evaluates slicing of an array by constant bounds.
func (e *staticEval) slice(in *mid.Slice) (sval, bool) {
	p, ok := under(in.X.Type()).(*types.Pointer)
	if !ok {
		return nil, false
	}
	o, off, known := e.pointer(in.X)
	if !known {
		return nil, false
	}
	a := under(p.Elem()).(*types.Array)
	lo, hi, max := int64(0), a.Len(), a.Len()
	for _, b := range []struct {
		v mid.Value
		n *int64
	}{{in.Low, &lo}, {in.High, &hi}, {in.Max, &max}} {
		if b.v == nil {
			continue
		}
		if *b.n, ok = constIndex(b.v); !ok {
			return nil, false
		}
	}
	if in.High == nil {
		hi = a.Len()
	}
	if lo < 0 || lo > hi || hi > max || max > a.Len() {
		return nil, false
	}
	s := sval{{size: 8, obj: o, delta: off}}
	if lo < max {
		s[0].delta += lo * e.m.sizes.Sizeof(a.Elem())
	}
	s = append(s, nonZero(8, 8, uint64(hi-lo))...)
	return append(s, nonZero(16, 8, uint64(max-lo))...), true
}

// convert evaluates conversions that keep the bits, and string constants to []byte.
func (e *staticEval) convert(in *mid.Convert) (sval, bool) {
	from, to := under(in.X.Type()), under(in.Type())
	pointerLike := func(t types.Type) bool {
		if b, ok := t.(*types.Basic); ok {
			return b.Kind() == types.UnsafePointer
		}
		_, ok := t.(*types.Pointer)
		return ok
	}
	if pointerLike(from) && pointerLike(to) {
		return e.value(in.X)
	}
	c, ok := in.X.(*mid.Const)
	sl, isSlice := to.(*types.Slice)
	if !ok || !isSlice || c.Value == nil || c.Value.Kind() != constant.String {
		return nil, false
	}
	if b, ok := under(sl.Elem()).(*types.Basic); !ok || b.Kind() != types.Byte {
		return nil, false
	}
	str := constant.StringVal(c.Value)
	o := &object{typ: types.NewArray(types.Typ[types.Byte], int64(len(str))), size: int64(len(str)),
		cells: map[int64]scalar{}, dirty: map[int64]bool{}, epoch: e.epoch}
	e.order = append(e.order, o)
	for i := range len(str) {
		if str[i] != 0 {
			o.cells[int64(i)] = scalar{off: int64(i), size: 1, bits: uint64(str[i])}
		}
	}
	s := sval{{size: 8, obj: o}}
	s = append(s, nonZero(8, 8, uint64(len(str)))...)
	return append(s, nonZero(16, 8, uint64(len(str)))...), true
}

// makeInterface boxes a known value: the data word is the value itself if it is
// pointer-shaped, otherwise the address of read-only memory.
func (e *staticEval) makeInterface(in *mid.MakeInterface) (sval, bool) {
	v, ok := e.value(in.X)
	if !ok {
		return nil, false
	}
	return e.box(in.X.Type(), in.Type(), v), true
}

func (e *staticEval) box(t, iface types.Type, v sval) sval {
	m := e.m
	tab := scalar{size: 8, op: func() ir.Value {
		if under(iface).(*types.Interface).NumMethods() == 0 {
			return m.typeDesc(t)
		}
		return m.itab(iface, t)
	}}
	if isDirectIface(t) {
		if len(v) == 0 {
			return sval{tab}
		}
		d := v[0]
		d.off = 8
		return sval{tab, d}
	}
	var data ir.Value
	return sval{tab, {off: 8, size: 8, boxed: v, op: func() ir.Value {
		if !data.IsSet() {
			data = e.readOnly(t, v)
		}
		return data
	}}}
}

// call evaluates the calls that are worth knowing: errors.New of a constant.
func (e *staticEval) call(in *mid.Call) bool {
	f := in.Call.StaticCallee()
	if f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "errors" || f.Name() != "New" || f.Signature.Recv() != nil {
		return false
	}
	v, ok := e.value(in.Call.Args[0])
	tn, _ := f.Pkg.Pkg.Scope().Lookup("errorString").(*types.TypeName)
	if !ok || tn == nil {
		return false
	}
	o := &object{typ: tn.Type(), size: 16, cells: map[int64]scalar{}, dirty: map[int64]bool{}, epoch: e.epoch}
	e.order = append(e.order, o)
	for _, c := range v {
		o.cells[c.off] = c
	}
	e.set(in, e.box(types.NewPointer(tn.Type()), in.Type(), sval{{size: 8, obj: o}}))
	return true
}

// skippable finds the instructions that need not be lowered: moved stores, and values that
// have a constant operand or no user left.
func (e *staticEval) skippable(skip map[mid.Instr]bool) {
	for in := range e.moved {
		skip[in] = true
	}
	for i := len(e.blocks) - 1; i >= 0; i-- {
		instrs := e.blocks[i].Instrs
		for k := len(instrs) - 1; k >= 0; k-- {
			v, ok := instrs[k].(mid.Value)
			if !ok {
				continue
			}
			if _, ok := e.known[v]; !ok {
				continue
			}
			if e.unused(v, skip) {
				skip[instrs[k]] = true
				continue
			}
			if op, ok := e.operand(v); ok {
				e.m.staticVals[v] = op
				skip[instrs[k]] = true
			}
		}
	}
}

func (e *staticEval) unused(v mid.Value, skip map[mid.Instr]bool) bool {
	for _, r := range v.Referrers() {
		if !skip[r] {
			return false
		}
	}
	return true
}
