package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSizes: programs are at most so much bigger than those that go build makes. What methods
// nobody calls, and what they call, is in none of them.
func TestSizes(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/sizes

go 1.26
-- hello/main.go --
package main

import "fmt"

func main() { fmt.Println("hello") }
-- server/main.go --
package main

import "net/http"

func main() { http.ListenAndServe("", nil) }
`)
	size := func(tool, what, flags string) float64 {
		exe := filepath.Join(t.TempDir(), "exe")
		cmd := exec.Command(tool, "build", "-ldflags="+flags, "-o", exe, "./"+what)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		info, err := os.Stat(exe)
		if err != nil {
			t.Fatal(err)
		}
		return float64(info.Size())
	}
	for _, c := range []struct {
		what, flags string
		most        float64
	}{{"hello", "", 1.23}, {"hello", "-s -w", 1.3}, {"server", "", 1}, {"server", "-s -w", 1.07}} {
		if ratio := size(loam, c.what, c.flags) / size("go", c.what, c.flags); ratio > c.most {
			t.Errorf("%s %s: %.3f times gc's size, more than %.2f", c.what, c.flags, ratio, c.most)
		}
	}
}
