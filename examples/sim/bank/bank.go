//go:build loam

// Package bank moves money between two branches that send each other messages over a line which
// loses some and delivers others twice. The sum of all accounts has to stay what it was.
//
// The sender keeps asking until there is an answer. bank.go credits a message whenever one comes,
// and so the money twice when an answer is late; fixed.go knows which it has had.
//
//	loam test -sim=1000 ./examples/sim/bank
package bank

import (
	"sync"
	"testing/sim"
	"time"
)

// transfer asks a branch to credit an amount. The number is the sender's, and the same each time
// that it asks.
type transfer struct {
	number int
	amount int
	done   chan<- int // gets the number
}

// line takes transfers to a branch, or not, or twice.
type line struct{ to chan transfer }

func (l line) send(t transfer) {
	copies := 1
	switch {
	case sim.Maybe("message is lost"):
		copies = 0
	case sim.Maybe("message comes twice"):
		copies = 2
	}
	for range copies {
		time.AfterFunc(time.Duration(1+sim.Rand().IntN(5))*time.Millisecond, func() { l.to <- t })
	}
}

// branch has an account.
type branch struct {
	mu      sync.Mutex
	balance int
	inbox   line
	credit  func(b *branch, t transfer)
	seen    map[int]bool // fixed.go
}

func newBranch(balance int, credit func(*branch, transfer)) *branch {
	return &branch{balance: balance, credit: credit, seen: map[int]bool{}, inbox: line{make(chan transfer, 64)}}
}

// serve credits what comes, until the branch is closed.
func (b *branch) serve(closed <-chan struct{}) {
	for {
		select {
		case t := <-b.inbox.to:
			b.mu.Lock()
			b.credit(b, t)
			b.mu.Unlock()
			if !sim.Maybe("answer is lost") {
				t.done <- t.number
			}
		case <-closed:
			return
		}
	}
}

// creditEach is the bug: a transfer that comes twice is credited twice.
func creditEach(b *branch, t transfer) { b.balance += t.amount }

// move takes an amount from one branch to another, and returns when the other has said that it has
// it.
func move(from, to *branch, number, amount int) {
	from.mu.Lock()
	from.balance -= amount
	from.mu.Unlock()
	done := make(chan int, 64)
	for {
		to.inbox.send(transfer{number, amount, done})
		select {
		case <-done:
			return
		case <-time.After(10 * time.Millisecond):
			sim.Reachable("asked again")
		}
	}
}
