package plan

import (
	"go/token"

	"loam/internal/mid"
)

// NeverNil reports whether v is the address of something that exists.
func NeverNil(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.Alloc, *mid.Global, *mid.FieldAddr, *mid.IndexAddr, *mid.MakeClosure, *mid.Func:
		return true
	case *mid.FreeVar:
		return capturedVariable(v)
	case *mid.ChangeType:
		return NeverNil(v.X)
	}
	return false
}

// capturedVariable reports whether a free variable is the address of a captured variable,
// as all are but the receivers of bound methods and the like.
func capturedVariable(v *mid.FreeVar) bool {
	p := v.Parent()
	return p.Kind == mid.Declared || p.Kind == mid.LoopBody
}

// ComparedToNil is the value that is not nil if cond is as holds says; nil if that says nothing.
func ComparedToNil(cond mid.Value, holds bool) mid.Value {
	op, ok := cond.(*mid.BinOp)
	if !ok || !(op.Op == token.NEQ && holds || op.Op == token.EQL && !holds) {
		return nil
	}
	switch {
	case IsNil(op.Y):
		return op.X
	case IsNil(op.X):
		return op.Y
	}
	return nil
}

// IsNil reports whether v is the constant nil.
func IsNil(v mid.Value) bool {
	c, ok := v.(*mid.Const)
	return ok && c.Value == nil
}
