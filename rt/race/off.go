//go:build !race

package race

// Enabled says whether the program was built to look for data races (-race, -sim.race). The
// run-time system asks before each of its hooks, which a build without them does not contain.
const Enabled = false

// Link is what the scheduler keeps in a goroutine: nothing.
type Link struct{}

// Actor is nil.
func (l *Link) Actor() *Actor { return nil }

// Set does nothing.
func (l *Link) Set(a *Actor) {}
