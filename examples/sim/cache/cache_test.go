//go:build loam

package cache

import (
	"sync"
	"testing"
	"testing/sim"
)

func TestBug(t *testing.T)   { readsWhatWasWritten(t, (*cache).getStale) }
func TestFixed(t *testing.T) { readsWhatWasWritten(t, (*cache).get) }

func readsWhatWasWritten(t *testing.T, get func(*cache, string) int) {
	if !sim.Running() {
		t.Skip("for loam test -sim")
	}
	c := newCache()
	var wg sync.WaitGroup
	wg.Go(func() { c.set("x", 1) })
	wg.Go(func() { sim.Sometimes(get(c, "x") == 0, "read before the write") })
	wg.Wait()
	if got := get(c, "x"); got != 1 {
		t.Errorf("the store has 1, the cache says %d", got)
	}
}
