package plan

import (
	"go/token"
	"go/types"

	"loam/internal/escape"
	"loam/internal/mid"
)

// aliasUse is an instruction that may use memory of the frame.
type aliasUse struct {
	in mid.Instr
	// through is the variable in which it finds the memory's address, nil if it has that itself.
	through *mid.Alloc
}

// aliasUses returns the instructions that may use memory of the frame that belongs to owner: the
// uses of owner's value, and of everything that may be an address computed from it. made: the
// memory is for what a second form makes, so that its results may point there. known is false if
// the memory's uses cannot be told. second tells of calls of second forms.
func (fr *Frame) aliasUses(owner mid.Instr, made bool, second func(*mid.Call) bool) (uses []mid.Instr, known bool) {
	list, known := fr.aliases(owner, made, second)
	for _, u := range list {
		uses = append(uses, u.in)
	}
	return uses, known
}

// aliases is aliasUses, with the variables that the uses go through.
func (fr *Frame) aliases(owner mid.Instr, made bool, second func(*mid.Call) bool) (uses []aliasUse, known bool) {
	switch owner.(type) {
	case *mid.Defer, *mid.Go, *mid.RunDefers:
		return nil, false
	}
	first, ok := owner.(mid.Value)
	if !ok {
		return nil, true // not a value: what it used is used up
	}
	if fr.how.Hidden(first) {
		return nil, false
	}
	type member struct {
		v      mid.Value
		stored bool // v is the address of memory in which an address was stored
		// through is the variable in which that was stored last
		through *mid.Alloc
	}
	seen := map[member]bool{}
	work := []member{{first, made, nil}} // what a second form makes may hold each other's addresses
	var through *mid.Alloc
	add := func(v mid.Value, stored bool) {
		if w := (member{v, stored, through}); !seen[w] {
			seen[w] = true
			work = append(work, w)
		}
	}
	// isResult reports whether v is what owner returned in the memory, or beside it: a value without
	// pointers to it.
	isResult := func(v mid.Value) bool {
		if x, ok := v.(*mid.Extract); ok {
			v = x.Tuple
		}
		return v == first && !made && returnsCopies(first)
	}
	if _, tuple := first.Type().(*types.Tuple); !tuple && isResult(first) && !fr.how.Big(first.Type()) {
		return nil, true
	}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if !mid.IsLocal(d.v) {
			return nil, false
		}
		for _, r := range d.v.Referrers() {
			uses = append(uses, aliasUse{r, d.through})
			through = nil
			switch r.(type) {
			case *mid.FieldAddr, *mid.IndexAddr, *mid.Slice:
				through = d.through // an address in the variable; what else makes may hold what is there
			}
			switch r := r.(type) {
			case *mid.Store:
				if r.Val == d.v && (d.stored || !isAggregate(d.v.Type())) { // aggregates are copied
					root := rootOf(r.Addr)
					if root == nil {
						return nil, false
					}
					through = root
					add(root, true)
				}
			case *mid.Send:
				if d.stored || !isAggregate(d.v.Type()) { // aggregates are copied
					return nil, false
				}
			case *mid.MapUpdate: // the map itself takes no address of itself up
				if (r.Key == d.v || r.Value == d.v) && (d.stored || !isAggregate(d.v.Type())) {
					return nil, false
				}
			case *mid.Defer, *mid.Go, *mid.Panic, *mid.Return, *mid.Select:
				return nil, false
			case *mid.Extract:
				if !isResult(d.v) || fr.how.Big(r.Type()) {
					add(r, d.stored)
				}
			case *mid.Call:
				builtin := r.Call.Builtin()
				if builtin == mid.BuiltinCopy && d.stored && r.Call.Args[1] == d.v {
					return nil, false // the address is in the memory that is copied to, too
				}
				appended := builtin == mid.BuiltinAppend && r.Call.Args[0] != d.v // its elements are copied
				if mayBeAddress(r.Type()) && (d.stored || !appended) {
					add(r, d.stored || second(r)) // what a second form makes may hold the address
				}
			case *mid.MakeClosure:
				if !copies(r, d.v) || d.stored {
					add(r, d.stored)
				}
			case *mid.Lookup, *mid.Next:
				if d.stored { // what is in a map is read out of it
					add(r.(mid.Value), true)
				}
			case *mid.UnOp:
				if d.stored || holdsAddress(r.X.Type(), r.Type()) {
					add(r, d.stored)
				}
			case mid.Value:
				if mayBeAddress(r.Type()) {
					add(r, d.stored)
				}
			}
		}
	}
	return uses, true
}

// returnsCopies reports whether v, unless it is big, is in registers and no address of memory of
// the frame, whatever memory v has for its operands and results.
func returnsCopies(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.Call:
		return v.Call.Builtin() == mid.NoBuiltin
	case *mid.UnOp:
		return v.Op == token.ARROW
	case *mid.Select, *mid.Lookup:
		return true
	}
	return false
}

// copies reports whether closure c takes the value of variable v with it rather than its address.
func copies(c *mid.MakeClosure, v mid.Value) bool {
	for i, x := range c.Bindings {
		if x == v && !escape.ByValue(c.Fn.FreeVars[i]) {
			return false
		}
	}
	return true
}

// holdsAddress reports whether the value of type t that is read through an address of type from may
// be the memory itself, as big values are.
func holdsAddress(from, t types.Type) bool {
	_, pointer := under(from).(*types.Pointer)
	return !pointer || isAggregate(t)
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// mayBeAddress reports whether a value of type t can hold an address; numbers cannot.
func mayBeAddress(t types.Type) bool {
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	return !ok || basic.Kind() == types.Uintptr || basic.Kind() == types.UnsafePointer || basic.Info()&types.IsString != 0
}

// rootOf returns the local variable that addr is in, or nil.
func rootOf(addr mid.Value) *mid.Alloc {
	if a, ok := addr.(*mid.Alloc); ok {
		return a
	}
	return mid.Base(addr)
}
