package mid

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// diamond makes func(x int) int { if x == 1 { return phi(x+1) } else { return phi(x) } }.
func diamond() (*Func, []*Block, *BinOp, *Phi) {
	tint := types.Typ[types.Int]
	v := func() *types.Tuple { return types.NewTuple(types.NewParam(token.NoPos, nil, "x", tint)) }
	f := NewFunc("f", Declared, &Program{}, types.NewSignatureType(nil, nil, nil, v(), v(), false), FuncInfo{}, false)
	x := NewParameter(f, "x", f.Signature.Params().At(0), tint)
	blocks := make([]*Block, 4)
	for i := range blocks {
		blocks[i] = NewBlock(Plain)
		f.Own(blocks[i])
	}
	add := func(b *Block, in Instr, t types.Type) {
		if r, ok := in.(Register); ok {
			r.SetType(t)
		}
		b.Append(in)
		AddUses(in)
	}
	one := NewConst(constant.MakeInt64(1), tint)
	is := &BinOp{Op: token.EQL, X: x, Y: one}
	add(blocks[0], is, types.Typ[types.Bool])
	add(blocks[0], &If{Cond: is}, nil)
	sum := &BinOp{Op: token.ADD, X: x, Y: one}
	add(blocks[1], sum, tint)
	add(blocks[1], &Jump{}, nil)
	add(blocks[2], &Jump{}, nil)
	phi := &Phi{Edges: []Value{sum, x}}
	add(blocks[3], phi, tint)
	add(blocks[3], &BinOp{Op: token.SUB, X: x, Y: one}, tint)
	add(blocks[3], &Return{Results: []Value{phi}}, nil)
	link(blocks[0], blocks[1])
	link(blocks[0], blocks[2])
	link(blocks[1], blocks[3])
	link(blocks[2], blocks[3])
	f.SetBody(blocks, nil)
	return f, blocks, sum, phi
}

// TestVerify breaks a function in ways that Verify has to find.
func TestVerify(t *testing.T) {
	if f, _, _, _ := diamond(); f.Verify() != nil {
		t.Fatal(f.Verify())
	}
	for want, harm := range map[string]func([]*Block, *BinOp, *Phi){
		"operands, the block":         func(b []*Block, _ *BinOp, phi *Phi) { phi.Edges = phi.Edges[:1] },
		"does not agree":              func(b []*Block, _ *BinOp, _ *Phi) { b[3].Preds = b[3].Preds[:1] },
		"is missing":                  func(b []*Block, sum *BinOp, _ *Phi) { sum.Y = nil },
		"need not have been computed": func(b []*Block, sum *BinOp, phi *Phi) { SetOperand(b[3].Instrs[2], phi, sum) },
		"is used":                     func(b []*Block, sum *BinOp, phi *Phi) { b[3].Instrs[2].(*Return).Results[0] = sum.X },
		"where the block ends":        func(b []*Block, _ *BinOp, _ *Phi) { b[1].Instrs = b[1].Instrs[:1] },
		"is not float64":              func(b []*Block, _ *BinOp, phi *Phi) { phi.SetType(types.Typ[types.Float64]) },
		"is in no block":              func(b []*Block, _ *BinOp, _ *Phi) { b[1].Instrs = b[1].Instrs[1:] },
		"follows other":               func(b []*Block, _ *BinOp, phi *Phi) { b[3].SetInstrs([]Instr{b[3].Instrs[1], phi, b[3].Instrs[2]}) },
		"in another block":            func(b []*Block, sum *BinOp, _ *Phi) { sum.block = b[0] },
		"is numbered":                 func(b []*Block, _ *BinOp, _ *Phi) { b[1].Index = 2 },
	} {
		f, blocks, sum, phi := diamond()
		harm(blocks, sum, phi)
		if err := f.Verify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Verify returns %v, want %q", err, want)
		}
	}
}
