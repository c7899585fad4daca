package lower

import (
	"go/token"

	"loam/internal/mid"
	"loam/internal/mid/pass"
	"loam/internal/pgo"
)

// Guide says how profile names the functions that the package's code is made of, nil without
// a profile.
func (in *Input) Guide(profile *pgo.Profile) *pass.Guide {
	if profile == nil {
		return nil
	}
	m := newModule(in)
	m.collectLinknames()
	line := func(pos token.Pos) int {
		_, line := m.dbg.position(pos)
		return line
	}
	return &pass.Guide{
		Profile: profile,
		Name: func(f *mid.Func) string {
			if f.IsGenericValue() {
				return "" // its number depends on what is reachable
			}
			return m.profileName(f, m.displayName(f))
		},
		Line:  line,
		Start: func(f *mid.Func) int { return line(funcPos(f)) },
	}
}
