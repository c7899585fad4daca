//go:build loam

package replog

import (
	"fmt"
	"sync"
	"testing/sim"
	"time"
)

// cluster is the three nodes, what lies between them, and what must be true of all.
type cluster struct {
	vote   func(n *node, for_ int) bool // gives the node's vote; false: it could not
	inbox  [nodes]chan message
	disks  [nodes]disk
	leader map[int]int // by term

	mu     sync.Mutex
	log    []entry // what was committed
	values int
}

func newCluster(vote func(*node, int) bool) *cluster {
	c := &cluster{vote: vote, leader: map[int]int{}}
	for i := range c.inbox {
		c.inbox[i] = make(chan message, 256)
	}
	return c
}

// live lets a node run, and now and then stop and start again with its disk, until the end.
func (c *cluster) live(id int, end <-chan struct{}) {
	for {
		stop := make(chan struct{})
		ended := make(chan struct{})
		n := &node{id: id, cluster: c, disk: &c.disks[id], inbox: c.inbox[id]}
		n.voted = n.disk.voted
		go func() {
			defer close(ended)
			n.run(stop)
		}()
		next := time.NewTimer(time.Duration(30+sim.Rand().IntN(300)) * time.Millisecond)
		last := false
		select {
		case <-next.C:
		case <-end:
			last = true
		}
		next.Stop()
		close(stop)
		<-ended
		if last {
			return
		}
	}
}

// send delivers a message after some time, or never.
func (c *cluster) send(to int, m message) {
	if sim.Maybe("message is lost") {
		return
	}
	delay := time.Duration(1+sim.Rand().IntN(10)) * time.Millisecond
	if sim.Maybe("message is late") {
		delay *= 10
	}
	time.AfterFunc(delay, func() {
		select {
		case c.inbox[to] <- m:
		default: // the node stands still, and its queue is full
		}
	})
}

// elected checks that a term has one leader.
func (c *cluster) elected(term, id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before, ok := c.leader[term]; ok {
		sim.Always(before == id, "a term has one leader")
	}
	c.leader[term] = id
}

// committed checks that all nodes commit the same.
func (c *cluster) committed(place int, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if place < len(c.log) {
		sim.Always(c.log[place] == e, "what is committed stays")
		return
	}
	sim.Always(place == len(c.log), "nothing is left out")
	c.log = append(c.log, e)
	sim.Sometimes(len(c.log) > 2, "three entries are committed")
}

// value makes up what a leader writes.
func (c *cluster) value(n *node) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values++
	return fmt.Sprint("value ", c.values, " of node ", n.id)
}
