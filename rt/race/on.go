//go:build race

package race

// Enabled says whether the program was built to look for data races (-sim.race). The run-time
// system asks before each of its hooks, which a build without them does not contain.
const Enabled = true
