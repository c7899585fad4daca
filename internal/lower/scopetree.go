package lower

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
)

// scopeTree finds scopes by positions, as (*types.Scope).Innermost does, which goes through all the
// scopes side by side and down into them: a function may have thousands, and they may be as deep.
// It has, by scope, the places where another scope becomes the innermost, in the order of the
// source.
type scopeTree map[*types.Scope][]change

// change says which scope is the innermost from pos to the next change, nil if none is.
type change struct {
	pos   token.Pos
	scope *types.Scope
}

// innermost returns the innermost scope within s that contains pos, nil if s does not.
func (t *scopeTree) innermost(s *types.Scope, pos token.Pos) *types.Scope {
	changes, ok := (*t)[s]
	if !ok {
		if s.Parent() == types.Universe {
			// A package's scope has no extent of its own.
			changes = inside(changes, s, nil, token.NoPos, token.Pos(1<<62))
		} else {
			changes = inside([]change{{s.Pos(), s}}, s, s, s.Pos(), s.End())
			changes = append(changes, change{s.End(), nil})
		}
		if *t == nil {
			*t = scopeTree{}
		}
		(*t)[s] = changes
	}
	i, _ := slices.BinarySearchFunc(changes, pos, func(c change, pos token.Pos) int {
		if c.pos > pos {
			return 1
		}
		return -1 // of several at a place, the last one holds
	})
	if i == 0 {
		return nil
	}
	return changes[i-1].scope
}

// inside adds the changes between from and to that are in s, beside whose scopes is around.
func inside(changes []change, s, around *types.Scope, from, to token.Pos) []change {
	list := slices.SortedStableFunc(s.Children(), func(a, b *types.Scope) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for i, c := range list {
		begins, ends := max(c.Pos(), from), min(c.End(), to)
		if i+1 < len(list) {
			ends = min(ends, list[i+1].Pos())
		}
		if begins >= ends {
			continue
		}
		changes = inside(append(changes, change{begins, c}), c, c, begins, ends)
		changes = append(changes, change{ends, around})
	}
	return changes
}
