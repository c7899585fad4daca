//go:build loam

package replog

import (
	"sync"
	"testing"
	"testing/sim"
	"time"
)

func TestBug(t *testing.T)   { agree(t, voteInMemory) }
func TestFixed(t *testing.T) { agree(t, voteOnDisk) }

// agree lets the nodes live for some time. The cluster checks what must be true.
func agree(t *testing.T, vote func(*node, int) bool) {
	if !sim.Running() {
		t.Skip("for loam test -sim")
	}
	c := newCluster(vote)
	end := make(chan struct{})
	var living sync.WaitGroup
	for id := range nodes {
		living.Go(func() { c.live(id, end) })
	}
	time.Sleep(2 * time.Second)
	close(end)
	living.Wait()
}
