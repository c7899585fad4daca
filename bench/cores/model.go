package main

import (
	"container/heap"
	"math/rand"
)

// The model: cores that repeat an operation, each for itself, and cache lines that they share. A
// core has a line to read, or alone to write. If it has not, the line comes from the core that has
// written it last, which takes a transfer, one after the other for a line. A lock is held from the
// instruction that takes it to the one that releases it; who finds it held waits for its turn.
// Instructions between these take the same time each.

// kind is what an event does.
type kind uint8

const (
	read kind = iota
	write
	update // an atomic instruction
	lock   // one that takes a lock
	unlock // and one that releases it
)

// An event is an access to a line that cores share.
type event struct {
	gap  float64 // nanoseconds of instructions before it
	kind kind
	line int
	own  bool // the line is one that each core has, and others read
	rest bool // such a line of each of the other cores
}

// An operation is what one core repeats.
type operation struct {
	events []event
	tail   float64 // nanoseconds after the last event
}

// machine says what accesses take, in nanoseconds.
type machine struct {
	cores    int
	transfer float64 // of a line between two cores
	atomic   float64 // an atomic instruction, with the line at hand
}

// lineState is what the model knows of a line.
type lineState struct {
	owner   int          // the core that has it alone, -1: none
	readers map[int]bool // those that have it to read
	free    float64      // when the next transfer may begin
	holder  int          // of the lock in it, -1: nobody
	queue   []int        // who waits for it
}

// core is a processor of the model.
type core struct {
	id   int
	at   int // next event
	now  float64
	done int
	wait bool
}

type schedule []*core

func (s schedule) Len() int           { return len(s) }
func (s schedule) Less(i, j int) bool { return s[i].now < s[j].now }
func (s schedule) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *schedule) Push(x any)        { *s = append(*s, x.(*core)) }
func (s *schedule) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// key names a line: owner is -1 for those that all share, else the core whose line it is.
type key struct{ line, owner int }

type simulation struct {
	machine
	op    operation
	lines map[key]*lineState
	ready schedule
	cores []*core
}

// cost returns how long one operation takes, in nanoseconds, if all cores repeat it rounds times.
func (m machine) cost(op operation, rounds int) float64 {
	s := &simulation{machine: m, op: op, lines: map[key]*lineState{}}
	random := rand.New(rand.NewSource(1))
	span := op.tail
	for _, e := range op.events {
		span += e.gap
	}
	for i := range m.cores {
		c := &core{id: i, now: random.Float64() * span}
		s.cores = append(s.cores, c)
		heap.Push(&s.ready, c)
	}
	for s.ready.Len() > 0 {
		c := heap.Pop(&s.ready).(*core)
		if c.at == len(op.events) {
			c.now += op.tail
			c.at = 0
			c.done++
		} else if s.step(c); c.wait {
			continue // who releases the lock goes on with it
		}
		if c.done < rounds {
			heap.Push(&s.ready, c)
		}
	}
	end := 0.0
	for _, c := range s.cores {
		end = max(end, c.now)
	}
	return end / float64(rounds)
}

// step does c's next event.
func (s *simulation) step(c *core) {
	e := s.op.events[c.at]
	c.now += e.gap
	switch {
	case e.rest:
		for other := range s.machine.cores {
			if other != c.id {
				s.access(c, s.line(e.line, other), read)
			}
		}
	case e.own:
		s.access(c, s.line(e.line, c.id), e.kind)
	default:
		l := s.line(e.line, -1)
		if e.kind == lock && l.holder >= 0 {
			l.queue = append(l.queue, c.id)
			c.wait = true
			return
		}
		s.access(c, l, e.kind)
		switch e.kind {
		case lock:
			l.holder = c.id
		case unlock:
			s.release(c, l)
		}
	}
	c.at++
}

// release gives a lock to the first that waits.
func (s *simulation) release(c *core, l *lineState) {
	l.holder = -1
	if len(l.queue) == 0 {
		return
	}
	next := s.cores[l.queue[0]]
	l.queue = l.queue[1:]
	next.wait = false
	next.now = max(next.now, c.now)
	s.access(next, l, lock)
	l.holder = next.id
	next.at++
	heap.Push(&s.ready, next)
}

func (s *simulation) line(n, owner int) *lineState {
	k := key{n, owner}
	l := s.lines[k]
	if l == nil {
		l = &lineState{owner: owner, readers: map[int]bool{}, holder: -1}
		s.lines[k] = l
	}
	return l
}

// access brings the line to the core and does what k says.
func (s *simulation) access(c *core, l *lineState, k kind) {
	if k >= update {
		c.now += s.atomic
	}
	if k == read {
		if l.owner != c.id && !l.readers[c.id] {
			s.bring(c, l)
		}
		if l.owner >= 0 && l.owner != c.id {
			l.readers[l.owner] = true
			l.owner = -1
		}
		if l.owner < 0 {
			l.readers[c.id] = true
		}
		return
	}
	if l.owner != c.id {
		if len(l.readers) > 1 || l.owner >= 0 || !l.readers[c.id] {
			s.bring(c, l)
		}
		clear(l.readers)
		l.owner = c.id
	}
}

// bring waits for the line and its way.
func (s *simulation) bring(c *core, l *lineState) {
	begin := max(c.now, l.free)
	c.now = begin + s.transfer
	l.free = c.now
}
