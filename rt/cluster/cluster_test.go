package cluster

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"
)

func newWorld(machines int) *World {
	// The type is a gigabyte: a test takes only what it touches.
	memory, err := syscall.Mmap(-1, 0, int(Size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		panic(err)
	}
	w := (*World)(unsafe.Pointer(&memory[0]))
	for k := range machines {
		w.Add(fmt.Sprint("m", k))
	}
	return w
}

// The turn goes to the machine that has something to do first, and ends before another could have
// sent anything.
func TestTurns(t *testing.T) {
	w := newWorld(4)
	if k, _ := w.Pick(); k != -1 {
		t.Errorf("nobody runs, but %d has the turn", k)
	}
	w.Boot(1, 5000)
	if k, limit := w.Pick(); k != 1 || limit != Never {
		t.Errorf("%d until %d", k, limit)
	}
	w.Boot(2, 3000)
	w.Boot(3, 9000)
	if k, limit := w.Pick(); k != 2 || limit != 5000+Lookahead {
		t.Errorf("%d until %d", k, limit)
	}
	w.EndTurn(2, 20000, Never, 7)
	if k, limit := w.Pick(); k != 1 || limit != 9000+Lookahead || w.Limit(1) != limit {
		t.Errorf("%d until %d, %d", k, limit, w.Limit(1))
	}
	hash := w.Hash
	w.EndTurn(1, 20000, Never, 7)
	if w.Hash == hash || w.Turns != 2 {
		t.Error("a turn leaves nothing in the hash")
	}
	w.Halt(3, true, 0)
	if k, _ := w.Pick(); k != -1 {
		t.Errorf("nobody has anything to do, but %d has the turn", k)
	}
}

// Frames come to the receiver in order and whole, make it run in time, and are lost with it.
func TestFrames(t *testing.T) {
	w := newWorld(3)
	w.Boot(1, 100)
	w.EndTurn(1, 200, Never, 0)
	for i := range 5 {
		content := make([]byte, i*3)
		for j := range content {
			content[j] = byte(i)
		}
		if !w.Post(1, &Frame{When: int64(1000 - i), Kind: Data, Connection: uint64(i)}, content) {
			t.Fatal("no room")
		}
	}
	if k, _ := w.Pick(); k != 1 || w.Machines[1].Next != 996 {
		t.Errorf("%d at %d", k, w.Machines[1].Next)
	}
	n := 0
	w.Take(1, func(f *Frame, content []byte) {
		if f.Connection != uint64(n) || len(content) != 3*n || n > 0 && content[3*n-1] != byte(n) {
			t.Errorf("frame %d: %+v %v", n, f, content)
		}
		n++
	})
	if n != 5 {
		t.Errorf("%d frames", n)
	}
	w.Take(1, func(*Frame, []byte) { t.Error("a frame came twice") })
	if !w.Post(2, &Frame{When: 1}, nil) || w.Machines[2].Next != Never {
		t.Error("a machine that is off has something to do")
	}
	w.Post(1, &Frame{When: 1}, nil)
	w.Boot(1, 300)
	w.Take(1, func(*Frame, []byte) { t.Error("a frame has survived its receiver") })
	big := make([]byte, 1<<20)
	sent := 0
	for w.Post(1, &Frame{When: 1}, big) {
		sent++
	}
	if sent != inboxSize>>20-1 {
		t.Errorf("%d megabytes had room", sent)
	}
}

func TestNames(t *testing.T) {
	w := newWorld(0)
	for name, want := range map[string]int{"": -1, "a b": -1, "-a": -1, "n.1": -1, string(make([]byte, 64)): -1} {
		if got := w.Add(name); got != want {
			t.Errorf("%q: %d", name, got)
		}
	}
	if w.Add("n1") != 0 || w.Add("n1") != -1 || w.Add("N-2") != 1 || w.Find("N-2") != 1 || w.Find("n3") != -1 {
		t.Error("names")
	}
	for w.N < MaxMachines {
		w.Add(fmt.Sprint("m", w.N))
	}
	if w.Add("more") != -2 {
		t.Error("there is room for more than there is")
	}
	for k := range MaxMachines {
		if got := w.At(Address(k)); got != k {
			t.Errorf("machine %d: %v is %d's", k, Address(k), got)
		}
	}
	if w.At([4]byte{10, 0, 1, 1}) != -1 || w.At([4]byte{10, 0, 0, 200}) != -1 || w.At([4]byte{10, 0, 0, 0}) != -1 {
		t.Error("an address that nobody has")
	}
}

// A partition is between machines; the scenario reaches all of them.
func TestPartition(t *testing.T) {
	w := newWorld(5)
	w.Partition(func(k int) bool { return k == 2 || k == 3 })
	for a := range 5 {
		for b := range 5 {
			want := a != Scenario && b != Scenario && (a == 2 || a == 3) != (b == 2 || b == 3)
			if w.IsCut(a, b) != want {
				t.Errorf("%d and %d: %v", a, b, !want)
			}
		}
	}
	w.Heal()
	w.Cut(1, Scenario, true)
	if w.IsCut(2, 1) || !w.IsCut(Scenario, 1) {
		t.Error("not healed")
	}
}

func TestOutputs(t *testing.T) {
	w := newWorld(2)
	w.Boot(0, 1)
	w.Boot(1, 1)
	for _, k := range []int{0, 0, 1, 0} {
		w.Wrote(k, 10)
	}
	if got := fmt.Sprint(w.Outputs()); got != "[{0 20} {1 10} {0 10}]" {
		t.Error(got)
	}
	if unsafe.Sizeof(Frame{})%8 != 0 {
		t.Error("frames are not aligned")
	}
}

// A pipe gives its bytes in order, also across the end of its buffer, and has no more than it has
// room for.
func TestPipe(t *testing.T) {
	w := newWorld(2)
	p, i := w.NewPipe(1, 0)
	if i != 0 || w.Pipe(0) != p || p.Open() {
		t.Fatal("no pipe")
	}
	p.Readers, p.Writers = 1, 1
	if _, other := w.NewPipe(1, 0); other != 1 {
		t.Error("a pipe that is open is made again")
	}
	big := make([]byte, PipeSize-10)
	if n := p.Put(big); n != len(big) || p.Room() != 10 {
		t.Errorf("%d of %d bytes", n, len(big))
	}
	if n := p.Take(big); n != len(big) || p.Len() != 0 {
		t.Errorf("%d of %d bytes", n, len(big))
	}
	text := []byte("a text that is longer than what is left")
	if n := p.Put(text); n != len(text) {
		t.Errorf("%d bytes", n)
	}
	got := make([]byte, 100)
	if n := p.Take(got[:5]); n != 5 {
		t.Error(n)
	}
	if n := p.Take(got[5:]); string(got[:5+n]) != string(text) {
		t.Errorf("%q", got[:5+n])
	}
	fifo, k := w.NewPipe(1, 7)
	fifo.Writers = 1
	if q, n := w.PipeOf(1, 7); q != fifo || n != k {
		t.Error("a FIFO is not found")
	}
	if _, n := w.PipeOf(0, 7); n != -1 {
		t.Error("another machine's FIFO is found")
	}
}

// Processes have numbers and names of their own, are found by these, and wait for their children.
func TestProcesses(t *testing.T) {
	w := newWorld(3)
	w.Boot(1, 100)
	w.Boot(2, 100)
	a := w.Conceive(1)
	w.Boot(a, 200)
	b := w.Conceive(a)
	w.Boot(b, 300)
	c := w.Conceive(2)
	w.Boot(c, 400)
	if w.Host(a) != 1 || w.Host(b) != 1 || w.Host(c) != 2 || w.PIDOf(a) != 4243 || w.PIDOf(b) != 4244 || w.PIDOf(c) != 4243 {
		t.Errorf("hosts %d %d %d, names %d %d %d", w.Host(a), w.Host(b), w.Host(c), w.PIDOf(a), w.PIDOf(b), w.PIDOf(c))
	}
	if w.Process(1, 4243) != a || w.Process(2, 4243) != c || w.Process(1, FirstPID) != 1 || w.Process(1, 4250) != -1 {
		t.Error("a name leads to another process")
	}
	if !w.IsChild(a, 1) || !w.IsChild(b, a) || w.IsChild(b, 1) {
		t.Error("children")
	}
	w.EndTurn(1, 100, Never, 0)
	w.EndTurn(2, 100, Never, 0)
	if k, limit := w.Pick(); k != a || limit != 300+Lookahead || w.Limit(a) != limit {
		t.Errorf("%d has the turn, until %d", k, limit)
	}
	w.Cut(1, 2, true)
	if !w.IsCut(a, c) || w.IsCut(a, b) {
		t.Error("a process is not cut off as its machine is")
	}
	w.Bury(a, 3<<8)
	if !w.IsChild(a, 1) || w.Machines[a].Status != 3<<8 || w.Machines[b].Parent != -1 {
		t.Error("an end is not noted")
	}
	if k := w.Conceive(1); k == a {
		t.Error("a process that was not waited for is forgotten")
	}
	w.Forget(a)
	if k := w.Conceive(1); k != a || w.PIDOf(k) != 4246 {
		t.Errorf("%d is %d", k, w.PIDOf(k))
	}
	w.Bury(b, 0)
	if w.IsChild(b, a) || w.Process(1, 4244) != -1 {
		t.Error("an orphan that has ended is kept")
	}
	for k := w.Conceive(2); k >= 0; k = w.Conceive(2) {
		w.Boot(k, 1)
	}
	if int(w.Further) != MaxProcesses-MaxMachines {
		t.Errorf("%d processes", w.Further)
	}
}

// Names of sockets are found by the other processes of a machine, until they are retracted.
func TestSocketNames(t *testing.T) {
	w := newWorld(2)
	w.Boot(1, 1)
	a := w.Conceive(1)
	w.Boot(a, 1)
	all := func(n *Name) bool { return n.Kind == 1 }
	if i := w.Publish(-1, &Name{Process: 1, Kind: 1}); i != 0 || w.Named(1, a, all) != 0 || w.Named(1, 1, all) != -1 ||
		w.Named(0, a, all) != -1 {
		t.Error("a name is not found, or by others")
	}
	w.Publish(0, &Name{Process: 1, Kind: 2})
	if w.Named(1, a, all) != -1 || w.Name(0).Kind != 2 {
		t.Error("a name has not changed")
	}
	w.Retract(0)
	if w.Publish(-1, &Name{Process: 1, Kind: 1}) != 0 {
		t.Error("a place is not free again")
	}
	w.Boot(1, 2)
	if w.Named(1, a, all) != -1 {
		t.Error("a process that has lost its power is still found")
	}
	o, i := w.NewOpen()
	o.Users = 1
	if _, k := w.NewOpen(); w.Open(i) != o || k == i {
		t.Error("an open file is used twice")
	}
}
