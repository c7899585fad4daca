package race

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// program runs actors 1, 2, ... of a detector of its own.
type program struct {
	*testing.T
	Detector
	kept   [][]uint64
	actors map[uintptr]*Actor
	runs   uintptr // the one that runs
	timer  uintptr
}

func begin(t *testing.T) *program {
	p := &program{T: t, actors: map[uintptr]*Actor{}}
	p.Current = func() *Actor { return p.actors[p.runs] }
	p.Timer = func() *uintptr { return &p.timer }
	p.Begin(func(bytes uintptr) unsafe.Pointer {
		words := make([]uint64, (bytes+7)/8)
		p.kept = append(p.kept, words)
		return unsafe.Pointer(&words[0])
	})
	p.Stack = func(*Actor) uint32 { return p.Number([]uintptr{p.runs, 7}) }
	p.spawn(1)
	p.as(1)
	return p
}

func (p *program) spawn(ref uintptr) { p.actors[ref] = p.Spawn(Born{Number: uint64(ref)}) }

func (p *program) end(ref uintptr) {
	p.End(p.actors[ref])
	delete(p.actors, ref)
}

// as lets ref run.
func (p *program) as(ref uintptr) *Actor {
	p.Current().Leaves()
	p.runs = ref
	p.Current().Begins()
	return p.Now()
}

// access lets ref access memory, and wants to know whether that is a race.
func (p *program) access(ref, addr, size uintptr, kind Kind, race bool) {
	p.Helper()
	if got := p.Access(p.as(ref), addr, size, kind); got != race {
		p.Errorf("goroutine %d, %d bytes at %#x, kind %d: race %v", ref, size, addr, kind, got)
	}
}

const x, y = 0x1000, 0x400000

func TestSpawn(t *testing.T) {
	p := begin(t)
	p.access(1, x, 8, Write, false)
	p.spawn(2)
	p.access(2, x, 8, Write, false)
	p.access(1, y, 8, Write, false) // behind the go statement
	p.access(2, y, 8, 0, true)
	r := p.Now().Race
	if r.Addr != y || r.Second != 0 || r.First != Write || r.Who.Number != 1 || r.FirstAddr != y || r.FirstSize != 8 || r.Ended {
		t.Errorf("%+v", r)
	}
	if f := p.frames(r.Stack); len(f) != 2 || f[0] != 1 {
		t.Errorf("it was made at %v", f)
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		first, second Kind
		race          bool
	}{{0, 0, false}, {0, Write, true}, {Write, 0, true}, {Write, Write, true}, {Atomic | Write, Atomic | Write, false},
		{Atomic, Atomic | Write, false}, {Atomic | Write, 0, true}, {0, Atomic | Write, true}, {Atomic, Write, true}, {Atomic, 0, false}} {
		p := begin(t)
		p.spawn(2)
		p.access(1, x, 4, c.first, false)
		p.access(2, x, 4, c.second, c.race)
	}
}

func TestBytes(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x+3, 1, Write, false)
	p.access(2, x+2, 1, Write, false)
	p.access(2, x+4, 9, Write, false)
	p.access(1, x+13, 100, Write, false)
	p.access(2, x+113, 1, Write, false)
	p.access(2, x+112, 1, 0, true)
	if r := p.Now().Race; r.Who.Number != 1 || r.FirstAddr != x+112 || r.FirstSize != 1 {
		t.Errorf("%+v", r)
	}
	p.access(1, x+12, 1, 0, true)
}

// TestRelease: what happens before a release is known behind an acquire, and what happens after it
// is not.
func TestRelease(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x, 8, Write, false)
	p.ReleaseMerge(p.as(1), y)
	p.access(1, x+8, 8, Write, false)
	p.Acquire(p.as(2), y)
	p.access(2, x, 8, Write, false)
	p.access(2, x+8, 8, 0, true)
}

// TestSilentRelease: what happens after a release is not known behind an acquire, also if the actor
// has done nothing since the release before.
func TestSilentRelease(t *testing.T) {
	for name, publish := range map[string]func(p *program){
		"release":     func(p *program) { p.ReleaseMerge(p.as(1), y); p.Acquire(p.as(2), y) },
		"spawn":       func(p *program) { p.as(1); p.spawn(2) },
		"meet":        func(p *program) { p.Meet(p.as(1), p.actors[2]) },
		"acquire all": func(p *program) { p.AcquireAll(p.as(2)) },
	} {
		p := begin(t)
		p.spawn(2)
		p.access(1, x, 8, Write, false)
		p.Release(p.as(1), y+8)
		publish(p)
		p.access(2, x, 8, 0, false)
		p.access(1, x+8, 8, Write, false)
		if p.access(2, x+8, 8, 0, true); t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestReleaseReplaces(t *testing.T) {
	for _, merge := range []bool{true, false} {
		p := begin(t)
		p.spawn(2)
		p.spawn(3)
		p.access(1, x, 8, Write, false)
		p.Release(p.as(1), y)
		if merge {
			p.ReleaseMerge(p.as(2), y)
		} else {
			p.Release(p.as(2), y)
		}
		p.Acquire(p.as(3), y)
		p.access(3, x, 8, 0, !merge)
	}
}

// TestPlaces: a send knows what the receive knew whose place it uses, and not the one before.
func TestPlaces(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.spawn(3)
	p.access(1, x, 8, Write, false)
	p.Swap(p.as(1), y) // sends
	p.access(2, x+8, 8, Write, false)
	p.Swap(p.as(2), y) // receives
	p.access(2, x, 8, Write, false)
	p.access(1, x+8, 8, 0, true)
	p.Swap(p.as(3), y) // sends again
	p.access(3, x+8, 8, 0, false)
}

func TestMeet(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x, 8, Write, false)
	p.access(2, y, 8, Write, false)
	p.Meet(p.as(1), p.actors[2])
	p.access(1, y, 8, Write, false)
	p.access(2, x, 8, Write, false)
}

func TestIgnored(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x, 8, Write, false)
	a := p.as(1)
	p.Ignore(a)
	p.Release(a, y)
	p.Heed(a)
	p.Acquire(p.as(2), y)
	p.access(2, x, 8, 0, true)
}

// TestReaders: a write races with the one of many readers that it does not know.
func TestReaders(t *testing.T) {
	for unknown := uintptr(2); unknown < 6; unknown++ {
		p := begin(t)
		for ref := uintptr(2); ref < 6; ref++ {
			p.as(1)
			p.spawn(ref)
			p.access(ref, x, 8, 0, false)
			p.access(ref, x, 8, 0, false)
			if ref != unknown {
				p.ReleaseMerge(p.as(ref), y)
			}
		}
		p.Acquire(p.as(1), y)
		p.access(1, x, 8, Write, true)
		if p.Now().Race.Who.Number != uint64(unknown) {
			t.Errorf("the race is with goroutine %d, want %d", p.Now().Race.Who.Number, unknown)
		}
	}
}

func TestForget(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x, 64, Write, false)
	p.ReleaseMerge(p.as(1), x+8)
	p.Forget(x+8, 16)
	p.access(2, x+8, 16, Write, false)
	p.Acquire(p.as(2), x+8)
	p.access(2, x, 8, 0, true)
	p.access(2, x+24, 8, 0, true)
	p.Forget(0, 1<<30)
	p.access(2, x, 64, 0, false)
}

// TestSlots: a goroutine's slot is used again when it cannot hide a race.
func TestSlots(t *testing.T) {
	p := begin(t)
	for ref := uintptr(2); ref < 5000; ref++ {
		p.spawn(ref)
		p.access(ref, x, 8, Write, false)
		p.ReleaseMerge(p.as(ref), y)
		p.end(ref)
		p.Acquire(p.as(1), y)
	}
	if p.nSlots != 1 {
		t.Errorf("%d slots", p.nSlots)
	}
	p.spawn(5000)
	p.access(5000, x, 8, Write, false)
	p.end(5000)
	p.as(1)
	p.spawn(5001)
	p.access(5001, x, 8, 0, true)
	if r := p.Now().Race; r.Who.Number != 5000 || !r.Ended {
		t.Errorf("%+v", r)
	}
}

// TestTimers: what a timer makes knows what was done before it was started, and nothing of the
// goroutine when it fires.
func TestTimers(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.access(1, x, 8, Write, false)
	p.access(2, y+8, 8, Write, false)
	p.ReleaseMerge(p.as(1), y)
	p.as(2)
	was := p.Pause()
	if p.Access(p.Now(), x, 8, Write) {
		t.Error("nobody has a race")
	}
	p.Fires(y)
	p.spawn(3)
	p.Resume(was)
	p.access(3, x, 8, Write, false)
	p.access(3, y+8, 8, 0, true)
}

func TestAll(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	p.spawn(3)
	p.access(1, x, 8, Write, false)
	p.access(2, x+8, 8, Write, false)
	p.end(2)
	p.AcquireAll(p.as(3))
	p.access(3, x, 16, Write, false)
}

// TestRecent: an access that a cell has is one that Recent tells apart from all others: those of
// another epoch, of another actor, of more bytes, that write.
func TestRecent(t *testing.T) {
	p := begin(t)
	p.Threads = true
	p.spawn(2)
	a, b := p.actors[1], p.actors[2]
	const at uintptr = x + 8
	has := func(who *Actor, what access) bool {
		return p.region(at).cells[at%regionSize/cellBytes].says(access(who.Recent) | what)
	}
	if has(a, 0xf) {
		t.Error("it has an access before the first")
	}
	p.access(1, at, 4, Write, false)
	for _, of := range []struct {
		actor *Actor
		what  access
		want  bool
	}{
		{a, 0xf | writeBit, true}, {a, 0xf, true}, {a, 0x3, true}, {a, 0x3c, false}, {a, 0xff, false},
		{a, 0xf | atomicBit, true}, {b, 0xf, false},
	} {
		if got := has(of.actor, of.what); got != of.want {
			t.Errorf("%#x: %v", of.what, got)
		}
	}
	p.access(1, at, 4, Atomic|Write, false)
	p.Release(a, y)
	if has(a, 0xf) || a.Recent != 0 {
		t.Error("it has an access after a release")
	}
	p.access(1, at+4, 4, Atomic, false)
	if has(a, 0xf0) || !has(a, 0xf0|atomicBit) {
		t.Error("an atomic access is another one")
	}
	p.access(1, y, 4, 0, false)
	p.as(2)
	if p.rob(); a.slot >= 0 || a.Recent != 0 {
		t.Error("who has lost its slot has accesses")
	}
}

// TestRenew: an actor goes on in another slot when its own is worn, and Renew gives that out again.
// What was done before is forgotten then, and what comes behind is not.
func TestRenew(t *testing.T) {
	p := begin(t)
	p.spawn(2)
	for i := range uintptr(renewStep) {
		if p.Worn() {
			t.Fatalf("%d slots are worn", i)
		}
		p.access(1, x, 8, Write, false)
		a, slot := p.actors[1], p.actors[1].slot
		a.epoch = p.since[slot] + epochs - 1
		p.access(1, x+8, 8, Write, false)
		p.ReleaseMerge(a, y)
		p.access(1, x+16, 8, Write, false)
		if a.slot == slot {
			t.Fatal("the actor keeps its slot")
		}
		p.Acquire(p.as(2), y)
		p.access(2, x, 8, 0, false)
		p.access(2, x+8, 8, 0, false)
		p.access(2, x+16, 8, 0, true)
		if p.Now().Race.Who.Number != 1 {
			t.Errorf("%+v", p.Now().Race)
		}
		p.ReleaseMerge(p.as(2), y+8)
		p.Acquire(p.as(1), y+8)
	}
	p.access(1, x+24, 8, Write, false)
	slots := p.nSlots
	if !p.Worn() {
		t.Errorf("%d slots are worn", p.worn)
	}
	p.Renew(func(cells unsafe.Pointer, bytes uintptr) { clear(unsafe.Slice((*byte)(cells), bytes)) })
	p.access(2, x+24, 8, 0, false)
	p.access(1, x+32, 8, Write, false)
	p.access(2, x+32, 8, 0, true)
	for ref := uintptr(3); ref < renewStep; ref++ {
		p.as(1)
		p.spawn(ref)
		p.access(ref, x+40, 8, 0, false)
	}
	if p.nSlots != slots {
		t.Errorf("%d slots, and then %d", slots, p.nSlots)
	}
	p.access(1, x+40, 8, Write, true)
}

// TestNote: the short way of note comes to what the long one comes to.
func TestNote(t *testing.T) {
	p := begin(t)
	for ref := uintptr(2); ref < 5; ref++ {
		p.spawn(ref)
		p.access(ref, x, 8, 0, false)
	}
	p.access(1, x, 8, 0, false)
	random := rand.New(rand.NewPCG(1, 2))
	any := func(a *Actor) access {
		bytes := []access{0xff, 0x0f, 0xf0, 1 << random.IntN(8)}[random.IntN(4)]
		return access(random.IntN(2))<<releaseFrom | access(a.slot)<<slotShift | by(uint32(random.IntN(3))) | access(random.IntN(4))<<8 | bytes
	}
	short, races := 0, 0
	for range 100000 {
		a := p.actors[uintptr(1+random.IntN(4))]
		var c cell
		for i := range random.IntN(perCell + 1) {
			c[random.IntN(i+1)] = any(p.actors[uintptr(1+random.IntN(4))])
		}
		got, want, what := c, c, any(a)
		evict := a.evict
		racy := p.note(&got, a, what)
		a.evict = evict
		wantRacy := p.noteAmong(&want, a, what, want.lock())
		if racy != wantRacy || got != want {
			t.Fatalf("%#x and %#x: %#x, %#x, want %#x, %#x", c, what, got, racy, want, wantRacy)
		}
		if c[1]|c[2]|c[3] == 0 {
			short++
		}
		if racy != 0 {
			races++
		}
	}
	if short < 1000 || races < 1000 {
		t.Errorf("%d short cells, %d races", short, races)
	}
}
