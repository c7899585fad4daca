//go:build loam

// Package store is the world of a bank on a bbolt database (server), whose machine loses its power
// again and again.
package store

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/sim"
	"time"
)

const (
	clients = 4
	moves   = 12 // of each
	total   = 1000
)

// Nothing is lost or made by transactions, whether they were finished or not when the power was
// gone, and those that were acknowledged stay.
func TestBank(t *testing.T) { run(t) }

// The name of a database is lost with the power when nobody has synced the directory.
func TestNewDatabase(t *testing.T) { run(t, "-lazy") }

func run(t *testing.T, args ...string) {
	b := &bank{machine: sim.NewMachine("bank", "./server", args...)}
	b.machine.Start()
	var all sync.WaitGroup
	for range clients {
		all.Go(b.use)
	}
	done := make(chan bool)
	go func() {
		all.Wait()
		close(done)
	}()
	r := sim.Rand()
	for {
		select {
		case <-done:
			b.machine.Disk(sim.DiskFaults{})
			for !b.look() {
				b.recover()
			}
			return
		case <-time.After(time.Duration(1+r.IntN(200)) * time.Millisecond):
		}
		switch r.IntN(5) {
		case 0:
			b.machine.Kill()
		case 1:
			b.machine.Disk(sim.DiskFaults{Errors: r.IntN(2) * 200, Time: time.Duration(r.IntN(5)) * time.Millisecond})
			continue
		default:
			b.machine.Crash()
		}
		b.machine.Disk(sim.DiskFaults{})
		b.machine.Start()
	}
}

type bank struct {
	machine *sim.Machine

	mu    sync.Mutex
	known int // transactions that were acknowledged
}

// recover starts the machine again, if a fault of the disk has ended the server.
func (b *bank) recover() {
	if !b.machine.Running() {
		b.machine.Start()
	}
	time.Sleep(20 * time.Millisecond)
}

// use moves money between accounts, and looks at them.
func (b *bank) use() {
	r := sim.Rand()
	for i := 0; i < moves; {
		if r.IntN(4) == 0 {
			b.look()
			continue
		}
		var n int
		if _, err := fmt.Sscanf(ask(fmt.Sprintf("move %d %d %d", r.IntN(10), r.IntN(10), r.IntN(100))), "ok %d", &n); err != nil {
			time.Sleep(20 * time.Millisecond)
			i += r.IntN(2)
			continue
		}
		sim.Reachable("money is moved")
		b.mu.Lock()
		b.known = max(b.known, n)
		b.mu.Unlock()
		i++
	}
}

// look compares the sum of all accounts, if the server answers.
func (b *bank) look() bool {
	b.mu.Lock()
	known := b.known
	b.mu.Unlock()
	var n, sum int
	if _, err := fmt.Sscanf(ask("sum"), "ok %d %d", &n, &sum); err != nil {
		return false
	}
	sim.Always(sum == total, "the accounts have what they had")
	sim.Always(n >= known, "what was acknowledged is there")
	return true
}

// ask returns the server's answer, "" if there is none in time.
func ask(line string) string {
	c, err := net.DialTimeout("tcp", "bank:8000", 200*time.Millisecond)
	if err != nil {
		return ""
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := fmt.Fprintln(c, line); err != nil {
		return ""
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(answer, "\n")
}
