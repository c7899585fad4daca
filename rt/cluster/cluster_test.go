package cluster

import (
	"fmt"
	"testing"
	"unsafe"
)

func newWorld(machines int) *World {
	// The type is gigabytes: a test takes only what it touches.
	w := new(World)
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
