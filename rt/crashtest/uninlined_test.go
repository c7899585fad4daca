package crashtest

import (
	"testing"

	"loam/internal/loamtest"
)

const uninlined = "testdata/uninlined/main.go"

// TestUninlined wants -gcflags=-l to inline nothing: every frame has its function then.
func TestUninlined(t *testing.T) {
	const flag = "-gcflags=-l"
	want := run(t, loamtest.Build(t, "go", uninlined, flag))
	if have := run(t, loamtest.Build(t, loamtest.Command(t), uninlined, flag)); have != want {
		t.Errorf("printed\n%s\ngc's program prints\n%s", have, want)
	}
}
