//go:build loam

// Package replog is a log on three nodes, in the way of Raft (Ongaro and Ousterhout, "In search of
// an understandable consensus algorithm", 2014): the nodes elect a leader for a term by a majority
// of votes, the leader sends its entries to the others, and an entry that a majority has is
// committed. Messages are lost and late, and nodes stop and start again with what they have stored.
//
// A node may give one vote in a term. In replog.go it remembers whom it voted for in memory, and
// forgets it when it starts again: then a term can have two leaders, which commit different entries
// at one place. fixed.go stores the vote before it is given.
//
//	loam test -sim=3000 ./examples/sim/replog
package replog

import (
	"testing/sim"
	"time"
)

const nodes = 3

// entry is a line of the log.
type entry struct {
	term  int
	value string
}

// message is a request, or the answer to one.
type message struct {
	from, term int
	kind       kind
	granted    bool

	// Of a request for a vote: where the candidate's log ends. Of entries: the leader's whole log,
	// and how much of it is committed. It is short. Of an answer to that: how much the sender has.
	lastTerm, length int
	log              []entry
	commit           int
}

type kind int

const (
	askVote kind = iota
	giveVote
	entries
	stored
)

// disk is what a node finds again when it starts.
type disk struct {
	term  int
	voted int // in that term, 1 + node; 0: nobody
	log   []entry
}

// node is one of the three, while it runs. Only its own goroutine touches it.
type node struct {
	id      int
	cluster *cluster
	disk    *disk
	inbox   chan message

	voted   int // as disk's
	leader  bool
	votes   [nodes]bool
	has     [nodes]int // of a leader: how much of its log each has
	commit  int
	written int // values that this leader has made up
}

// run is the node's life, until stop is closed.
func (n *node) run(stop <-chan struct{}) {
	timer := time.NewTimer(n.patience())
	defer timer.Stop()
	for {
		select {
		case m := <-n.inbox:
			if n.take(m) {
				timer.Reset(n.patience())
			}
		case <-timer.C:
			if n.leader {
				n.write()
			} else {
				n.stand()
			}
			timer.Reset(n.patience())
		case <-stop:
			return
		}
	}
}

// patience is how long the node waits: a leader until it sends again, the others until they stand
// for election.
func (n *node) patience() time.Duration {
	if n.leader {
		return 20 * time.Millisecond
	}
	return time.Duration(50+sim.Rand().IntN(100)) * time.Millisecond
}

// take handles a message. It says whether the node has heard of a leader, or has voted, and so
// waits anew.
func (n *node) take(m message) (heard bool) {
	if m.term > n.disk.term {
		n.begin(m.term)
	}
	if m.term < n.disk.term {
		return false // of an earlier term
	}
	switch m.kind {
	case askVote:
		granted := n.mayVote(m) && n.cluster.vote(n, m.from)
		n.send(m.from, message{kind: giveVote, granted: granted})
		return granted
	case giveVote:
		if m.granted && !n.leader {
			n.votes[m.from] = true
			n.count()
		}
	case entries:
		if len(m.log) >= len(n.disk.log) || lastTerm(m.log) > lastTerm(n.disk.log) {
			n.disk.log = m.log
		}
		n.commitUpTo(min(m.commit, len(n.disk.log)))
		n.send(m.from, message{kind: stored, length: len(n.disk.log)})
		return true
	case stored:
		if n.leader {
			n.has[m.from] = max(n.has[m.from], m.length)
			n.countStored()
		}
	}
	return false
}

// begin moves on to a term, in which the node has voted for nobody.
func (n *node) begin(term int) {
	n.disk.term, n.disk.voted, n.voted = term, 0, 0
	n.leader, n.votes = false, [nodes]bool{}
}

// mayVote reports whether the candidate's log is not behind the node's, and the vote still to be
// had.
func (n *node) mayVote(m message) bool {
	own := lastTerm(n.disk.log)
	upToDate := m.lastTerm > own || m.lastTerm == own && m.length >= len(n.disk.log)
	return upToDate && (n.voted == 0 || n.voted == 1+m.from) && !n.leader
}

// voteInMemory is the bug: when the node starts again it may vote again.
func voteInMemory(n *node, for_ int) bool {
	n.voted = 1 + for_
	return true
}

// stand begins a new term as candidate.
func (n *node) stand() {
	n.begin(n.disk.term + 1)
	if n.cluster.vote(n, n.id) {
		n.votes[n.id] = true
	}
	for id := range nodes {
		if id != n.id {
			n.send(id, message{kind: askVote, lastTerm: lastTerm(n.disk.log), length: len(n.disk.log)})
		}
	}
}

// count makes the node leader if a majority has voted for it.
func (n *node) count() {
	votes := 0
	for _, v := range n.votes {
		if v {
			votes++
		}
	}
	if votes <= nodes/2 {
		return
	}
	n.leader, n.has = true, [nodes]int{}
	n.cluster.elected(n.disk.term, n.id)
	n.write()
}

// write adds an entry, if there are few, and sends the log to the others.
func (n *node) write() {
	if n.written < 3 {
		n.written++
		log := append([]entry(nil), n.disk.log...)
		n.disk.log = append(log, entry{n.disk.term, n.cluster.value(n)})
	}
	n.has[n.id] = len(n.disk.log)
	for id := range nodes {
		if id != n.id {
			n.send(id, message{kind: entries, log: n.disk.log, commit: n.commit})
		}
	}
}

// countStored commits what a majority has, up to an entry of the leader's own term.
func (n *node) countStored() {
	for length := len(n.disk.log); length > n.commit; length-- {
		have := 0
		for _, h := range n.has {
			if h >= length {
				have++
			}
		}
		if have > nodes/2 && n.disk.log[length-1].term == n.disk.term {
			n.commitUpTo(length)
			return
		}
	}
}

func (n *node) commitUpTo(length int) {
	for ; n.commit < length; n.commit++ {
		n.cluster.committed(n.commit, n.disk.log[n.commit])
	}
}

func (n *node) send(to int, m message) {
	m.from, m.term = n.id, n.disk.term
	n.cluster.send(to, m)
}

func lastTerm(log []entry) int {
	if len(log) == 0 {
		return 0
	}
	return log[len(log)-1].term
}
