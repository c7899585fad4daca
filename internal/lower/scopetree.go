package lower

import (
	"go/token"
	"go/types"
	"slices"
)

// scopeTree finds scopes by positions, as (*types.Scope).Innermost does, which goes through all the
// scopes side by side: a function may have thousands. It has, by scope, those right inside it, in
// the order of the source.
type scopeTree map[*types.Scope][]*types.Scope

// innermost returns the innermost scope within s that contains pos, nil if s does not.
func (t *scopeTree) innermost(s *types.Scope, pos token.Pos) *types.Scope {
	if s.Parent() != types.Universe && !s.Contains(pos) {
		return nil
	}
	for found := s; ; found = s {
		inner := t.inner(found)
		i, exact := slices.BinarySearchFunc(inner, pos, func(c *types.Scope, pos token.Pos) int { return int(c.Pos()) - int(pos) })
		if !exact {
			i--
		}
		if i < 0 || !inner[i].Contains(pos) {
			if found.Parent() == types.Universe {
				return nil // a package's scope has no extent of its own
			}
			return found
		}
		s = inner[i]
	}
}

// inner returns the scopes right inside s.
func (t *scopeTree) inner(s *types.Scope) []*types.Scope {
	if list, ok := (*t)[s]; ok {
		return list
	}
	var list []*types.Scope
	for c := range s.Children() {
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b *types.Scope) int { return int(a.Pos()) - int(b.Pos()) })
	if *t == nil {
		*t = scopeTree{}
	}
	(*t)[s] = list
	return list
}
