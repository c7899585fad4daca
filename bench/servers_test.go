package main

import (
	"os/exec"
	"testing"
)

// TestServersTimes runs the test of what bench/servers counts with. That program is a module of its
// own, whose packages nobody tests who has not loaded the servers' modules.
func TestServersTimes(t *testing.T) {
	c := exec.Command("go", "test", "times.go", "times_test.go")
	c.Dir = "servers"
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", c, err, out)
	}
}
