package pass

import (
	"os"
	"testing"

	"loam/internal/mid"
)

// All code that the tests make is verified.
func TestMain(m *testing.M) {
	mid.Checking = true
	os.Exit(m.Run())
}
