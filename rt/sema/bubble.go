//go:build loam

package sema

import "loam/rt/park"

// foreign reports whether g, which waits on a Cond, is of a synctest bubble that the running
// goroutine is not of. It counts as blocked by its bubble, so nobody else may wake it.
func foreign(g *park.G) bool {
	return g.Bubble != nil && (*park.Bubble)(g.Bubble) != park.CurBubble()
}
