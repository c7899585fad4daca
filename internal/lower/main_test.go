package lower

import (
	"os"
	"testing"
)

// TestMain has all code checked that the tests make, also by the compilers that they run.
func TestMain(m *testing.M) {
	Verify = true
	os.Setenv("LOAMVERIFY", "1")
	os.Exit(m.Run())
}
