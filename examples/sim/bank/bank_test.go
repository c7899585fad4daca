//go:build loam

package bank

import (
	"sync"
	"testing"
	"testing/sim"
	"time"
)

func TestBug(t *testing.T)   { sumStays(t, creditEach) }
func TestFixed(t *testing.T) { sumStays(t, creditOnce) }

func sumStays(t *testing.T, credit func(*branch, transfer)) {
	if !sim.Running() {
		t.Skip("for loam test -sim")
	}
	a, b := newBranch(100, credit), newBranch(100, credit)
	closed := make(chan struct{})
	var serving, moving sync.WaitGroup
	serving.Go(func() { a.serve(closed) })
	serving.Go(func() { b.serve(closed) })
	moving.Go(func() { move(a, b, 1, 30) })
	moving.Go(func() { move(b, a, 2, 50) })
	moving.Wait()
	time.Sleep(time.Second) // what is still on its way arrives
	close(closed)
	serving.Wait()
	if sum := a.balance + b.balance; sum != 200 {
		t.Errorf("the sum is %d, %d of %d", sum, a.balance, b.balance)
	}
}
