package plan

import (
	"go/types"
	"slices"

	"loam/internal/mid"
)

// Type switches of many types.

// LongTypeChain is how many types make it worth while to look at the hash.
const LongTypeChain = 8

// typeTest returns the instruction by which blk asks for the dynamic type of an interface value, to
// branch at its end.
func typeTest(blk *mid.Block) *mid.TypeAssert {
	instrs := blk.Instrs
	branch, ok := instrs[len(instrs)-1].(*mid.If)
	if !ok || blk.Succs[0] == blk.Succs[1] {
		return nil
	}
	cond, ok := branch.Cond.(*mid.Extract)
	if !ok || cond.Index != 1 {
		return nil
	}
	test, ok := cond.Tuple.(*mid.TypeAssert)
	if !ok || !test.CommaOk || types.IsInterface(test.AssertedType) {
		return nil
	}
	// Behind the test there is nothing but its results.
	at := slices.Index(instrs, mid.Instr(test))
	if at < 0 || slices.ContainsFunc(instrs[at+1:len(instrs)-1], func(in mid.Instr) bool {
		x, ok := in.(*mid.Extract)
		return !ok || x.Tuple != mid.Value(test)
	}) {
		return nil
	}
	return test
}

// findTypeChains finds the long chains, by their first tests.
func (p *Func) findTypeChains() {
	seen := map[*mid.Block]bool{}
	for _, head := range p.f.DomPreorder() {
		first := typeTest(head)
		if first == nil || seen[head] || !usedInBody(first) {
			continue
		}
		chain := []*mid.TypeAssert{first}
		for blk := head.Succs[1]; len(blk.Preds) == 1 && blk != p.f.Recover() && !p.linksAtEnd(blk); blk = blk.Succs[1] {
			test := typeTest(blk)
			if test == nil || test.X != first.X || blk.Instrs[0] != mid.Instr(test) || !usedInBody(test) {
				break
			}
			seen[blk] = true
			chain = append(chain, test)
		}
		if len(chain) < LongTypeChain {
			continue
		}
		if p.TypeChains == nil {
			p.TypeChains = map[*mid.TypeAssert][]*mid.TypeAssert{}
		}
		p.TypeChains[first] = chain
	}
}

// usedInBody reports whether what a test finds is only used where it has succeeded: the tests
// behind it can do without it.
func usedInBody(test *mid.TypeAssert) bool {
	blk := test.Block()
	for _, r := range test.Referrers() {
		x, ok := r.(*mid.Extract)
		if !ok || x.Block() != blk {
			return false
		}
		for _, use := range x.Referrers() {
			if use.Block() != blk && !blk.Succs[0].Dominates(use.Block()) {
				return false
			}
		}
	}
	return true
}
