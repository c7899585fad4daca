package lower

import "go/types"

// The order in which the fields of two structs are compared. The language wants a comparison to
// stop at the first difference, because a later field may panic (an interface that holds something
// uncomparable). Between fields that cannot panic the order shows in nothing but time, so cheap
// comparisons (numbers, pointers, the lengths of strings) come before those that follow pointers,
// as in gc (fixedbugs/issue8606b.go counts on it). No comparison moves over one that may panic.

// eqPart says which part of a field a step compares.
type eqPart int

const (
	eqWhole    eqPart = iota
	eqLength          // the length of a string
	eqContents        // the bytes of a string whose length is known to be equal
)

// eqStep is one step of a comparison of structs.
type eqStep struct {
	field int
	part  eqPart
}

// comparisonOrder returns the steps that compare two values of u.
func comparisonOrder(u *types.Struct) []eqStep {
	var steps, late []eqStep
	for i := range u.NumFields() {
		f := u.Field(i)
		if f.Name() == "_" {
			continue
		}
		switch {
		case containsKind(f.Type(), isInterface):
			steps = append(append(steps, late...), eqStep{i, eqWhole})
			late = nil
		case isString(f.Type()):
			steps = append(steps, eqStep{i, eqLength})
			late = append(late, eqStep{i, eqContents})
		case containsKind(f.Type(), isString):
			late = append(late, eqStep{i, eqWhole})
		default:
			steps = append(steps, eqStep{i, eqWhole})
		}
	}
	return append(steps, late...)
}

func isInterface(t types.Type) bool { return types.IsInterface(t) }

// containsKind reports whether t or a part of it within the same memory satisfies is.
func containsKind(t types.Type, is func(types.Type) bool) bool {
	switch u := under(t).(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if containsKind(u.Field(i).Type(), is) {
				return true
			}
		}
		return false
	case *types.Array:
		return u.Len() > 0 && containsKind(u.Elem(), is)
	}
	return is(t)
}
