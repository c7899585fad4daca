//go:build loam

package world

import (
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Partitions: two of the machine's addresses, which stand for hosts then, that cannot reach each
// other for a while. What is sent by connections waits and is sent again, datagrams are lost.

type cut struct{ a, b [16]byte }

var cuts struct {
	now   [64]cut
	n     int
	timer timer.Timer

	// Groups that are separated from everybody else.
	group   [64]member
	grouped int
	groups  int
}

type member struct {
	ip    [16]byte
	group int
}

// isGrouped reports whether a group has one of the addresses, and not the other.
func isGrouped(a, b [16]byte) bool {
	for g := 1; g <= cuts.groups; g++ {
		hasA, hasB := false, false
		for _, m := range cuts.group[:cuts.grouped] {
			hasA = hasA || m.group == g && m.ip == a
			hasB = hasB || m.group == g && m.ip == b
		}
		if hasA != hasB {
			return true
		}
	}
	return false
}

// isCut reports whether nothing gets from a to b just now.
func isCut(a, b *address) bool {
	if a.unix || b.unix || a.port == 0 {
		return false
	}
	if i, k := machineAt(a), machineAt(b); i >= 0 || k >= 0 {
		return others.IsCut(max(i, k), me)
	}
	if cuts.groups > 0 && isGrouped(a.ip, b.ip) {
		return true
	}
	for _, c := range cuts.now[:cuts.n] {
		if c.a == a.ip && c.b == b.ip || c.a == b.ip && c.b == a.ip {
			return true
		}
	}
	return false
}

// Cut separates two IPv4 addresses of the machine, or joins them again. False: too many are
// separate.
func Cut(a, b [4]byte, apart bool) bool {
	c := cut{a: v4(a), b: v4(b)}
	for i, have := range cuts.now[:cuts.n] {
		if have == c || have == (cut{c.b, c.a}) {
			if !apart {
				cuts.n--
				cuts.now[i] = cuts.now[cuts.n]
			}
			return true
		}
	}
	if !apart {
		return true
	}
	if cuts.n == len(cuts.now) {
		return false
	}
	cuts.now[cuts.n] = c
	cuts.n++
	return true
}

func v4(ip [4]byte) (a [16]byte) {
	copy(a[:], mapped[:])
	copy(a[12:], ip[:])
	return a
}

// startPartitions lets partitions come and go, if the settings ask for them.
func startPartitions() {
	if Faults.Partitions != 0 {
		cuts.timer.Fire = repartition
		repartition(&cuts.timer, sys.SimTime.Now, 0)
	}
}

// repartition is the timer's: it ends the partition there is, or begins another.
func repartition(t *timer.Timer, now, late int64) {
	if cuts.n > 0 {
		cuts.n--
	} else {
		var hosts [64][16]byte
		n := addresses(hosts[:])
		if n > 1 {
			i := simulation.Draw(sim.World, uint64(n))
			k := simulation.Draw(sim.World, uint64(n-1))
			if k >= i {
				k++
			}
			cuts.now[0], cuts.n = cut{hosts[i], hosts[k]}, 1
		}
	}
	simulation.Fold(sim.Cut, uint64(cuts.n), uint64(now))
	t.Start(now+1+int64(simulation.Draw(sim.World, 2*Faults.Partitions)), 0)
}

// addresses lists the addresses that sockets of the program have.
func addresses(to [][16]byte) int {
	n := 0
	for s := net.all; s != nil && n < len(to); s = s.older {
		if s.unix || s.state == fresh || s.local.isAny() {
			continue
		}
		known := false
		for _, ip := range to[:n] {
			known = known || ip == s.local.ip
		}
		if !known {
			to[n] = s.local.ip
			n++
		}
	}
	return n
}
