//go:build race

package race

// Enabled says whether the program was built to look for data races (-race, -sim.race). The
// run-time system asks before each of its hooks, which a build without them does not contain.
const Enabled = true

// Link is what the scheduler keeps in a goroutine.
type Link struct{ actor *Actor }

// Actor is the goroutine's, nil if it has none.
func (l *Link) Actor() *Actor { return l.actor }

// Set sets it.
func (l *Link) Set(a *Actor) { l.actor = a }
