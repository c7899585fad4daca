package sim

import "unsafe"

// PlaceKind is what a program says about a place (package testing/sim, which repeats the numbers).
type PlaceKind uint8

const (
	Always PlaceKind = iota
	Unreachable
	Sometimes
	Reachable
	Fault // where the seed may decide for a fault

	// What the program has asked for that is outside of the simulated world.
	Variable // of the environment
	Server   // an address at which nobody listens
	Host     // a name that the resolver does not know
)

// kinds are what reports call them.
var kinds = [...]string{
	Always: "always", Unreachable: "unreachable", Sometimes: "sometimes", Reachable: "reachable", Fault: "fault",
	Variable: "variable", Server: "server", Host: "host",
}

func (k PlaceKind) String() string { return kinds[k] }

// Place is a name that the program has given to something, and how often it was so.
type Place struct {
	Name    string
	Kind    PlaceKind
	Yes, No uint64
	hash    uint64
}

// Places are those of a run, in the order in which the program came to them. They need memory for
// MaxPlaces places and NameBytes bytes, which their owner gives (Keep).
type Places struct {
	all   []Place
	n     int
	names []byte
	used  int                   // of names
	index [2 * MaxPlaces]uint16 // 1 + place, by hash
}

const (
	MaxPlaces   = 2048
	NameBytes   = 64 * MaxPlaces
	LongestName = 1024
)

// Keep gives the memory.
func (p *Places) Keep(all []Place, names []byte) { p.all, p.names = all, names }

// Forget makes all places unknown. A run that has named none does not touch the index, as a forked
// process would get pages of its own for it.
func (p *Places) Forget() {
	if p.n > 0 {
		p.n, p.used, p.index = 0, 0, [2 * MaxPlaces]uint16{}
	}
}

// Kept reports whether there is memory.
func (p *Places) Kept() bool { return p.all != nil }

// All are the places so far.
func (p *Places) All() []Place { return p.all[:p.n] }

// At returns the place with the name, nil if there is no room for another one, or the name is too
// long.
func (p *Places) At(kind PlaceKind, name string) *Place {
	h := hashName(kind, name)
	i := h % uint64(len(p.index))
	for ; p.index[i] != 0; i = (i + 1) % uint64(len(p.index)) {
		if at := &p.all[p.index[i]-1]; at.hash == h && at.Kind == kind && at.Name == name {
			return at
		}
	}
	if p.n == len(p.all) || len(name) > min(LongestName, len(p.names)-p.used) {
		return nil
	}
	at := &p.all[p.n]
	p.n++
	p.index[i] = uint16(p.n)
	own := p.names[p.used : p.used+len(name)]
	p.used += copy(own, name)
	*at = Place{Name: unsafe.String(unsafe.SliceData(own), len(own)), Kind: kind, hash: h}
	return at
}

func hashName(kind PlaceKind, name string) uint64 {
	h := uint64(kind)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(printable(name[i]))) * 0x100000001b3
	}
	return finish(h)
}

// Maybe reports whether there is a fault at the place now. Which places have any in this run, and
// how many, the seed and the name decide: another place more or less changes nothing.
func (o *Oracle) Maybe(at *Place) bool {
	n := at.Yes + at.No + 1
	yes := false
	if o.strategy == Listed {
		yes = o.list.due('f', at.hash, n, 0)
		if o.Choices && !yes {
			o.Log.choice()
			o.Log.fault(n, at.Name)
		}
	} else {
		run := finish(o.Seed ^ at.hash)
		switch oneIn := [...]uint64{0, 0, 2, 4, 16, 64, 0, 1}[run%8]; oneIn {
		case 0:
		case 1: // at the first occasion only
			yes = n == 1
		default:
			yes = finish(run^n)%oneIn == 0
		}
	}
	if yes {
		at.Yes++
		o.Log.fault(n, at.Name)
	} else {
		at.No++
	}
	o.Fold(Doubted, at.hash, n<<1|b2u(yes))
	return yes
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
