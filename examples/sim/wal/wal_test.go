//go:build loam

// Package wal is the world of a database that has to survive losses of power: one machine, which
// runs examples/sim/wal/db, and a client.
//
//	loam test -sim=1000 ./examples/sim/wal
package wal

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/sim"
	"time"
)

func TestBug(t *testing.T)   { survives(t) }
func TestFixed(t *testing.T) { survives(t, "-fixed") }

const accounts = 8

type balances [accounts]int

// survives moves money to and fro while the machine loses its power now and then. Of a move that
// was not answered nobody knows whether it was made, but it was made whole or not at all.
func survives(t *testing.T, args ...string) {
	if !sim.Running() {
		t.Skip("for loam test -sim")
	}
	db := sim.NewMachine("db", "./db", args...)
	db.Start()
	r := sim.Rand()
	want := list() // as soon as there is somebody to answer
	for range 12 {
		booted := make(chan struct{})
		if sim.Maybe("power is lost") {
			time.AfterFunc(time.Duration(r.IntN(3000))*time.Microsecond, func() {
				db.Restart()
				close(booted)
			})
		} else {
			close(booted)
		}

		from := r.IntN(accounts)
		to, amount := (from+1+r.IntN(accounts-1))%accounts, 1+r.IntN(100)
		moved := want
		moved[from] -= amount
		moved[to] += amount
		answer, err := ask(fmt.Sprintf("move %d %d %d", from, to, amount))
		<-booted

		got := list()
		switch {
		case got == moved:
			want = moved
			sim.Sometimes(err != nil, "made, but not answered")
		case got == want && err != nil:
			sim.Reachable("not made")
		default:
			t.Fatalf("there is %v; it was %v, and %v after a move (%q, %v)", got, want, moved, answer, err)
		}
	}
}

// list asks for the balances until there is an answer.
func list() (b balances) {
	for {
		answer, err := ask("list")
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for i, word := range strings.Fields(answer) {
			fmt.Sscan(word, &b[i])
		}
		return b
	}
}

// ask sends a line, and returns the answer.
func ask(line string) (string, error) {
	c, err := net.DialTimeout("tcp", "db:7000", time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprintln(c, line)
	answer, err := bufio.NewReader(c).ReadString('\n')
	if strings.HasPrefix(answer, "error") {
		err = errors.New(answer)
	}
	return strings.TrimSuffix(answer, "\n"), err
}
