// Package gcsays asks the compiler of the installed go what it decides, for tests that compare
// Loam's decisions with it.
package gcsays

import (
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Inlines is what gc says of the functions of a package.
type Inlines struct {
	Dir   string   // of the package
	Files []string // their names
	// Costs are what functions cost gc where it inlines them, by position (file.go:1:2);
	// math.MaxInt of those that it does not inline.
	Costs map[string]int
}

var saysInline = regexp.MustCompile(`^\S*?([^/\s]+\.go:\d+:\d+): (can|cannot) inline (?:.*with cost (\d+) as)?`)

// InlinesOf asks the installed go.
func InlinesOf(t testing.TB, path string) Inlines {
	t.Helper()
	listed, err := exec.Command("go", "list", "-f", "{{.Dir}} {{range .GoFiles}}{{.}} {{end}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(listed))
	text, err := exec.Command("go", "build", "-gcflags=-m=2", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	said := Inlines{words[0], words[1:], map[string]int{}}
	for line := range strings.Lines(string(text)) {
		m := saysInline.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		said.Costs[m[1]] = math.MaxInt
		if m[2] == "can" {
			said.Costs[m[1]], _ = strconv.Atoi(m[3])
		}
	}
	return said
}
