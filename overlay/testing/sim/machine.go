package sim

import (
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	_ "unsafe"
)

// Machine is a computer of a simulated world. It has a name and an address, by which other machines
// reach it, a clock, a disk, and at most one process: a program that knows nothing of the
// simulation.
//
// The program that makes machines is the scenario. It has a machine of its own, which is as good
// for clients as any program: package net reaches the servers by their names. It lives in the same
// simulated time. When it ends, the world does.
//
// A world needs loam sim, or loam test -sim for a test that is a scenario.
type Machine struct {
	// Name is what other machines know it by.
	Name string
	// Program is the package that its process is made of, as loam build takes it: relative paths
	// begin at the directory of the scenario.
	Program string
	// Args are the arguments.
	Args []string
	// Env are variables of its environment, each NAME=VALUE, besides those that all machines have.
	Env []string

	number int
}

// NewMachine makes a machine, which is switched off. The name is one of a host: letters, digits and
// hyphens.
func NewMachine(name, program string, args ...string) *Machine {
	m := &Machine{Name: name, Program: program, Args: args}
	m.number = int(do("NewMachine", opAdd, 0, 0, name))
	return m
}

// Addr is the machine's address.
func (m *Machine) Addr() netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(m.number)}) }

// Start starts the process; a machine that is switched off boots first. It panics if there is a
// process.
//
// A process that ends by itself with another status than 0 is a failure of the run, unless the
// scenario waits for it.
func (m *Machine) Start() {
	for _, v := range m.Env {
		if name, _, ok := strings.Cut(v, "="); !ok || name == "" || strings.ContainsAny(name, ",;") {
			panic("sim: Start: " + strconv.Quote(v) + " is not NAME=VALUE")
		}
	}
	do("Start", opStart, m.number, 0, list(slices.Concat([]string{m.Program, strconv.Itoa(len(m.Env))}, m.Env, m.Args)))
}

// Crash takes the machine's power away, now: of the disk only what was synced is sure to survive,
// and those that have connections to it are not told. It panics if it is switched off.
func (m *Machine) Crash() { do("Crash", opStop, m.number, orderCrash, "") }

// Kill ends the process at once, as SIGKILL does: the system goes on, so files are as they are, and
// connections end. It panics if there is no process.
func (m *Machine) Kill() { do("Kill", opStop, m.number, orderKill, "") }

// Stop sends SIGTERM to the process, waits until it has ended, and returns its exit status.
func (m *Machine) Stop() int {
	m.Signal(syscall.SIGTERM)
	return m.Wait()
}

// Restart crashes the machine if it is on, and starts it again.
func (m *Machine) Restart() {
	if m.state() != stateOff {
		m.Crash()
	}
	m.Start()
}

// Signal sends a signal to the process, if there is one.
func (m *Machine) Signal(s syscall.Signal) { do("Signal", opSignal, m.number, int64(s), "") }

// Wait waits until there is no process, and returns the exit status of the last one: 128 and the
// number of a signal if that has ended it.
func (m *Machine) Wait() int { return int(do("Wait", opAwait, m.number, 0, "")) }

// Running reports whether there is a process.
func (m *Machine) Running() bool { return m.state() == stateRunning }

func (m *Machine) state() int64 { return do("Running", opState, m.number, 0, "") }

// Disk disturbs the machine's disk from now on.
func (m *Machine) Disk(f DiskFaults) { f.set(m.number) }

// Jump sets the machine's wall clock forward, or back. Its monotonic clock goes on.
func (m *Machine) Jump(d time.Duration) { do("Jump", opClock, m.number, int64(d), "") }

// DiskFaults is how a disk fails.
type DiskFaults struct {
	Errors      int           // one in so many operations fails (EIO); 0: none
	ShortWrites int           // one in so many writes writes a part only
	Time        time.Duration // that an operation takes at the most
	Room        int64         // bytes for what is written (ENOSPC); 0: enough
}

func (f DiskFaults) set(machine int) {
	for i, v := range []int64{int64(f.Errors), int64(f.ShortWrites), int64(f.Time), f.Room} {
		if v < 0 || v >= 1<<48 {
			panic("sim: Disk: a setting is negative, or too large")
		}
		do("Disk", opDisk, machine, int64(i)<<48|v, "")
	}
}

// Disk disturbs the disk of the machine that the program runs on, from now on.
func Disk(f DiskFaults) { f.set(-1) }

// Jump sets the wall clock of the machine that the program runs on forward, or back.
func Jump(d time.Duration) { do("Jump", opClock, -1, int64(d), "") }

// NetworkFaults is how the network is disturbed. Streams lose nothing, but may be late or reset;
// datagrams are lost.
type NetworkFaults struct {
	Latency    time.Duration // by which everything is longer on its way
	Bandwidth  int           // bytes a second of a connection's directions; 0: any
	Resets     int           // one in so many writes to a connection loses it; 0: none
	Pieces     int           // one in so many writes to a TCP connection arrives in two pieces
	Loss       int           // one in so many datagrams is lost
	Duplicates int           // one in so many comes twice
	Reorder    int           // one in so many is overtaken by later ones
}

// Network disturbs the network of all machines from now on.
func Network(f NetworkFaults) {
	for i, v := range []int64{int64(f.Latency), int64(f.Bandwidth), int64(f.Resets), int64(f.Pieces), int64(f.Loss), int64(f.Duplicates),
		int64(f.Reorder)} {
		if v < 0 {
			panic("sim: Network: a setting is negative")
		}
		do("Network", opNetwork, i, v, "")
	}
}

// Partition separates the named machines from all others, until Heal: connections wait, datagrams
// are lost. They reach each other, and the scenario reaches all. Partitions add up.
//
// In a simulation of one process the names are addresses like 127.0.0.2, on which its parts listen.
func Partition(names ...string) { do("Partition", opPartition, 0, 0, list(names)) }

// Cut separates two machines, or the scenario's and one, until Join or Heal. The scenario's name is
// "scenario".
func Cut(a, b string) { do("Cut", opCut, 0, 0, list([]string{a, b})) }

// Join ends a Cut.
func Join(a, b string) { do("Join", opJoin, 0, 0, list([]string{a, b})) }

// Heal ends all partitions and cuts.
func Heal() { do("Heal", opHeal, 0, 0, "") }

func list(elements []string) string {
	for _, e := range elements {
		if strings.Contains(e, "\x00") {
			panic("sim: a name or an argument has a zero byte")
		}
	}
	return strings.Join(elements, "\x00") + "\x00"
}

// What the world is asked for; rt/world has the same numbers.
const (
	opAdd = iota
	opStart
	opStop
	opSignal
	opAwait
	opState
	opPartition
	opCut
	opJoin
	opHeal
	opNetwork
	opDisk
	opClock

	orderCrash = 2
	orderKill  = 3

	stateOff     = 0
	stateRunning = 2
)

var refusals = [...]error{
	errors.New("this run has one machine: worlds need loam sim, or loam test -sim"),
	errors.New("only the scenario has a say in that"),
	errors.New("no such name, or it is taken, or it is none of a machine"),
	errors.New("there are too many"),
	errors.New("the machine has a process already, or it has none"),
	errors.New("arguments are too long"),
}

// do asks the world. Mistakes of the scenario panic.
func do(what string, op, machine int, value int64, text string) int64 {
	if !running() {
		panic("sim: " + what + " outside of a simulated run (sim.Running says whether it is one)")
	}
	r := ask(op, machine, value, text)
	if r < 0 {
		const first = 1000
		if i := -r - first; i >= 0 && i < int64(len(refusals)) {
			panic("sim: " + what + ": " + refusals[i].Error())
		}
		panic("sim: " + what + ": " + syscall.Errno(-r).Error())
	}
	return r
}

//go:linkname ask runtime.simAsk
func ask(op, machine int, value int64, text string) int64
