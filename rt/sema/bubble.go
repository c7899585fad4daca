//go:build loam

package sema

import "loam/rt/park"

// checkBubble: a goroutine of a synctest bubble that waits on a Cond counts as
// blocked by its bubble, so nobody else may wake it.
func checkBubble(g *park.G) {
	if g.Bubble != nil && (*park.Bubble)(g.Bubble) != park.CurBubble() {
		park.Fatal("semaphore wake of synctest goroutine from outside bubble")
	}
}
