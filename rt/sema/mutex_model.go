//go:build !loam

package sema

import "loam/rt/park"

// modelSpins is how often each goroutine of the model spins before it waits.
var modelSpins int

func canSpin(round int) bool { return round < modelSpins }

func doSpin() { park.Point() }
