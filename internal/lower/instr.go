package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// instr lowers one instruction.
func (b *fn) instr(in mid.Instr) {
	b.point(in)
	b.race(in)
	switch in := in.(type) {
	case *mid.Alloc:
		b.alloc(in)
		b.describeAlloc(in)
	case *mid.BinOp:
		b.binop(in)
	case *mid.UnOp:
		b.unop(in)
	case *mid.Call:
		b.call(in)
		b.forgetYield(in)
	case *mid.ChangeType:
		// ChangeType: operand() looks through it
	case *mid.Convert:
		b.vals[in] = b.convert(in, in.X, in.X.Type(), in.Type())
	case *mid.Whole:
		b.vals[in] = b.PureAsm(ir.Asm{Constraints: "=r,0"}, b.m.lltype(in.Type()), b.operand(in.X))
	case *mid.ChangeInterface:
		if !plan.OnlyCompared(in) {
			b.vals[in] = b.changeInterface(in)
		}
	case *mid.SliceToArrayPointer:
		b.sliceToArrayPointer(in)
	case *mid.MakeInterface:
		b.vals[in] = b.makeInterface(in)
	case *mid.MakeClosure:
		b.vals[in] = b.makeClosure(in)
		b.describeYield(in)
	case *mid.MakeMap:
		b.makeMap(in)
	case *mid.MakeChan:
		b.makeChan(in)
	case *mid.MakeSlice:
		b.makeSlice(in)
	case *mid.Slice:
		b.slice(in)
	case *mid.FieldAddr:
		b.fieldAddr(in)
	case *mid.Field:
		b.field(in)
	case *mid.IndexAddr:
		b.indexAddr(in)
	case *mid.Index:
		b.index(in)
	case *mid.Lookup:
		b.lookup(in)
	case *mid.Select:
		b.selectStmt(in)
	case *mid.Range:
		b.rangeStart(in)
	case *mid.Next:
		b.next(in)
	case *mid.TypeAssert:
		b.typeAssert(in)
	case *mid.Extract:
		b.vals[in] = b.tuples[in.Tuple][in.Index]
	case *mid.Jump:
		b.Br(b.entrance(in.Block(), in.Block().Succs[0]))
	case *mid.If:
		if tests := b.plan.Chains[in.Block()]; tests != nil {
			b.switchChain(tests)
			break
		}
		b.branch(in.Block(), b.operand(in.Cond))
	case *mid.Return:
		b.ret(in)
	case *mid.RunDefers:
		if b.collects() && !b.plan.Frame.Defers && b.frame.IsSet() {
			b.beforeCollection(in, true)
		}
		b.runDefers(in)
	case *mid.Panic:
		b.panicInstr(in)
	case *mid.Go:
		b.goStmt(in)
	case *mid.Defer:
		b.deferStmt(in)
	case *mid.Send:
		b.send(in)
	case *mid.Store:
		b.storeInstr(in)
		b.pointBehind(in)
	case *mid.MapUpdate:
		b.mapUpdate(in)
	default:
		panic(fmt.Sprintf("lower: instruction %T", in))
	}
}

func (b *fn) unop(in *mid.UnOp) {
	ll := b.m.lltype(in.Type())
	switch in.Op {
	case token.MUL:
		b.deref(in)
		b.nextRangeState(in)
	case token.ARROW:
		b.recv(in)
	case token.NOT:
		b.vals[in] = b.Xor(b.operand(in.X), ir.Bool(true))
	case token.XOR:
		b.vals[in] = b.Xor(b.operand(in.X), ir.Int(ll, -1))
	case token.SUB:
		x := b.operand(in.X)
		switch info := basicInfo(in.Type()); {
		case info&types.IsFloat != 0:
			b.vals[in] = b.FNeg(x)
		case info&types.IsComplex != 0:
			re, im := b.FNeg(b.extract(x, 0)), b.FNeg(b.extract(x, 1))
			b.vals[in] = b.pair(ll, re, im)
		default:
			b.vals[in] = b.Sub(ir.Int(ll, 0), x)
		}
	default:
		panic("lower: unary " + in.Op.String())
	}
}

func (b *fn) ret(in *mid.Return) {
	switch {
	case b.passed[in]:
		b.Ret(ir.Value{})
	case b.sig.area:
		// All results are read before the first is written: an operand may be the old
		// content of the area's source.
		for i, r := range in.Results {
			b.store(r.Type(), b.operand(r), b.gep(b.area, b.sig.offsets[i]))
		}
		b.Ret(ir.Value{})
	case len(in.Results) == 0:
		b.Ret(ir.Value{})
	default:
		vals := make([]ir.Value, len(in.Results))
		for i, r := range in.Results {
			vals[i] = b.operand(r)
		}
		b.leave(vals)
	}
}

// makeClosure builds a closure object {code, captures...}.
func (b *fn) makeClosure(in *mid.MakeClosure) ir.Value {
	vals, ts := b.bindings(in)
	if in.Fn.Kind == mid.Bound {
		b.boundNilCheck(in, vals[0])
	}
	code := b.m.funcRef(in.Fn)
	if d := b.plan.Defers.Placed; d != nil && plan.PlacedLiteral(d) == in {
		b.defers.thunk = code
		return b.closureObject(ir.Value{}, vals, ts, in, b.behindFrame)
	}
	return b.closureObject(code, vals, ts, in, func(size int64) (ir.Value, bool) { return b.slot(in, size, 8) })
}

func (b *fn) panicInstr(in *mid.Panic) {
	if b.rangePanic(in) {
		return
	}
	v := b.operand(in.X)
	b.trapCall("gopanic", b.extract(v, 0), b.extract(v, 1))
}

// slice lowers x[lo:hi:max] of a string, slice or pointer to array.
func (b *fn) slice(in *mid.Slice) {
	if b.onlyListed(in) {
		return // appendSlice does without it
	}
	x := b.operand(in.X)
	if plan.MakesSlice(in) && b.madeTooLarge(in.X.(*mid.Alloc)) {
		b.refuseSlice(in)
		return
	}
	var base, length, capacity ir.Value
	var size int64
	kind := "Acap"
	switch u := under(in.X.Type()).(type) {
	case *types.Basic:
		base, length = b.extract(x, 0), b.extract(x, 1)
		capacity, size, kind = length, 1, "Alen"
	case *types.Slice:
		base, length, capacity = b.extract(x, 0), b.extract(x, 1), b.extract(x, 2)
		size = b.m.info(u.Elem()).size
	case *types.Pointer:
		a := under(u.Elem()).(*types.Array)
		b.nilCheck(in, x)
		base, length = x, ir.Int(ir.I64, a.Len())
		capacity, kind = length, "Alen"
		size = b.m.info(a.Elem()).size
	}
	zero := ir.Int(ir.I64, 0)
	type bound struct {
		op       ir.Value
		unsigned bool
	}
	get := func(v mid.Value, def ir.Value) bound {
		if v == nil {
			return bound{op: def}
		}
		op, u := b.index64(v)
		return bound{op, u}
	}
	checkBelow := func(i bound, limit ir.Value, how ir.Pred, n ir.Value, name string) {
		if i.op == n || i.op == zero || b.m.in.Flags.NoChecks && !plan.MakesSlice(in) {
			return
		}
		if i.unsigned {
			name += "U"
		}
		b.check(b.ICmp(how, i.op, limit), func() {
			if plan.MakesSlice(in) {
				b.makeSliceTrap(i.op, i.unsigned, x.IsSlot(), size)
				return
			}
			b.trapCall(name, i.op, n)
		})
	}
	check := func(i bound, n ir.Value, name string) { checkBelow(i, n, ir.ULE, n, name) }
	lo, hi := get(in.Low, zero), get(in.High, length)
	end := capacity
	if in.Max != nil {
		max := get(in.Max, ir.Value{})
		check(max, capacity, "panicSlice3"+kind)
		check(hi, max.op, "panicSlice3B")
		check(lo, hi.op, "panicSlice3C")
		end = max.op
	} else {
		if in.High != nil {
			limit, how := b.limit(in, length, capacity)
			checkBelow(hi, limit, how, capacity, "panicSlice"+kind)
		}
		check(lo, hi.op, "panicSliceB")
	}
	b.sliceResult(in, base, lo.op, hi.op, end, size)
}

// pointBehind asks behind in, if it is a change of a map's flag.
func (b *fn) pointBehind(in *mid.Store) {
	if !b.m.in.Flags.Points || !b.m.isMaps() {
		return
	}
	if a, ok := in.Addr.(*mid.FieldAddr); ok {
		if s, ok := under(under(a.X.Type()).(*types.Pointer).Elem()).(*types.Struct); ok && s.Field(a.Field).Name() == "writing" {
			b.ask("simaccess")
		}
	}
}
