package sim

// Chances are choices that a run has at an operation besides who goes on. Each is made for its
// place by itself (Oracle.There), so that one more or less changes no other, and is a deviation if
// it is yes.

// Chance is such a choice.
type Chance uint8

const (
	TryFails Chance = iota // TryLock fails, although nobody has the lock, as the memory model allows
	Drops                  // sync.Pool loses what it has
	Collects               // a collection begins with the next allocation that asks for memory

	// What goes wrong with the world, as often as the settings say (Faults).
	DiskFails   // an operation of the disk (EIO)
	WritesLess  // a write writes a part only
	LosesLine   // a write loses the connection
	LosesPacket // a datagram is lost
	Doubles     // a datagram comes twice
	Lags        // a datagram is overtaken by later ones
	Divides     // what a write sends arrives in two pieces
	chances
)

// chanceWords are the first words of their lines in a schedule: G OP N follows, the N-th at an
// operation.
var chanceWords = [...]string{TryFails: "try", Drops: "drop", Collects: "collect", DiskFails: "error", WritesLess: "write",
	LosesLine: "reset", LosesPacket: "lose", Doubles: "again", Lags: "behind",
	Divides: "halves"}

// beginChances says how often each is yes: in some runs one in so many, in the others never.
func (o *Oracle) beginChances() {
	o.oneIn[TryFails] = pick(o, 0, 0, 2, 8)
	o.oneIn[Drops] = pick(o, 0, 0, 4, 32)
	o.oneIn[Collects] = pick(o, 0, 0, 0, 0, 0, 0, 32, 256)
}

// Try makes the n-th choice at the place.
func (o *Oracle) Try(c Chance, at At, n uint64) (yes bool) { return o.TryOneIn(c, at, n, o.oneIn[c]) }

// TryOneIn is Try for what goes wrong in one of so many cases.
func (o *Oracle) TryOneIn(c Chance, at At, n, oneIn uint64) (yes bool) {
	if o.strategy == Listed {
		yes = o.list.due(chanceWords[c][0], at.G, at.Op, n)
		if !yes && o.Choices && c == TryFails {
			o.Log.choice()
			o.Log.chance(c, o.Decisions, at, n)
		}
	} else if oneIn != 0 {
		yes = o.There(Pools, At{G: at.G, Op: at.Op, Turn: n*uint64(chances) + uint64(c)})%oneIn == 0
	}
	if yes {
		o.Log.chance(c, o.Decisions, at, n)
		o.Fold(Happened, at.G^n, at.Op*uint64(chances)+uint64(c))
	}
	return yes
}
