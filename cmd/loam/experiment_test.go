package main_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestExperiments: a program says by which experiments its Go differs from the release, as gc's
// does, and what GOEXPERIMENT was.
func TestExperiments(t *testing.T) {
	if testing.Short() {
		t.Skip("builds runtime with experiments")
	}
	dir := module(t, `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func main() {
	info, _ := debug.ReadBuildInfo()
	fmt.Println(runtime.Version(), info.GoVersion)
	for _, s := range info.Settings {
		if s.Key == "GOEXPERIMENT" {
			fmt.Println(s.Value)
		}
	}
}
`)
	for _, experiments := range []string{"", "arenas", "none"} {
		env := []string{"GOEXPERIMENT=" + experiments}
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), env...)
		gc, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want(t, run(t, dir, env, "run", "."), 0, string(gc), "")
	}
}
