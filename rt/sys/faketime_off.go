//go:build !faketime

package sys

// FakeTime says whether the program was built with the tag faketime.
const FakeTime = false
