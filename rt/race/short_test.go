package race

import (
	"math/rand/v2"
	"testing"
)

// forgetOwners lets the objects of a line know nobody whose clock theirs is.
func (p *program) forgetOwners(addr uintptr) {
	for o := p.lineOf(addr).first; o != nil; o = o.next {
		o.by = 0
	}
}

// says reports whether the cell of an access has it.
func (p *program) says(a *Actor, addr, size uintptr, kind Kind) bool {
	x := access(a.Recent) | does(kind) | (bytesMask>>(8-size))<<(addr%8)
	return p.region(addr).cells[addr%regionSize/8].says(x)
}

// TestShortPaths: Span, News, objects that know whose clock theirs is and slots that wear find what
// Access finds with clocks that are always joined, in random programs.
func TestShortPaths(t *testing.T) {
	found, worn := 0, 0
	for seed := range uint64(10) {
		plain, short := begin(t), begin(t)
		short.Threads = true
		for _, p := range []*program{plain, short} {
			for ref := range uintptr(4) {
				p.spawn(ref + 2)
			}
		}
		random := rand.New(rand.NewPCG(seed, 1))
		for range 6000 {
			ref, what := uintptr(1+random.IntN(5)), random.IntN(9)
			addr := x + uintptr(random.IntN(6))*8
			offset, size, kind := uintptr(random.IntN(8)), uintptr(1+random.IntN(30)), Kind(random.IntN(4))
			if random.IntN(2) == 0 {
				offset, size = 0, 8<<random.IntN(2)
			}
			acquires := random.IntN(2) == 0
			releases := !acquires || random.IntN(2) == 0
			var races [2]Race
			for i, p := range []*program{plain, short} {
				a := p.as(ref)
				if p == plain {
					p.forgetOwners(addr)
				}
				switch what {
				case 0:
					p.Acquire(a, addr)
				case 1:
					p.Release(a, addr)
					if p == short {
						a.epoch += uint64(random.IntN(epochs / 8)) // as if it had acted
					}
				case 2:
					p.ReleaseMerge(a, addr)
				case 3:
					p.AcquireRelease(a, addr)
				case 4:
					p.Swap(a, addr)
				case 5:
					p.BeginAtomic(addr)
					p.EndAtomic(a, addr, acquires, releases)
				case 6:
					if other := p.actors[1+ref%5]; other != a {
						p.Meet(a, other)
					}
				default:
					at, where := addr+offset, p.Stack(a)
					race := false
					switch {
					case p == plain || !p.Acts(a) || !p.HasCellsFor(at, size):
						race = p.Access(a, at, size, kind)
					case offset == 0 && size%8 == 0 || offset+size <= 8 && size&(size-1) == 0:
						// compiled code has looked whether one cell has it
						race = (size > 8 || kind&Atomic != 0 || !p.says(a, at, size, kind)) && p.News(a, at, size, kind, where)
					default:
						race = p.Span(a, at, size, kind, where)
					}
					if race {
						races[i] = a.Race
						found++
					}
				}
			}
			races[0].Stack, races[1].Stack = 0, 0
			if races[0] != races[1] {
				t.Fatalf("seed %d: %+v, and on the short way %+v", seed, races[0], races[1])
			}
		}
		worn += short.worn
	}
	if found < 1000 || worn < 100 {
		t.Errorf("%d races only, and %d slots wear", found, worn)
	}
}
