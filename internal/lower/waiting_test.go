package lower

import (
	"strings"
	"testing"

	"loam/internal/mid/pass"
)

// TestServes: a function that a go statement starts has a clear frame if its own loops wait,
// whatever loops it got by inlining.
func TestServes(t *testing.T) {
	const start = "\nfunc count(s []int) (n int) { for _, x := range s { n += x }; return }\nfunc Start(c chan []int, d chan int) { go f(c, d) }"
	for text, serves := range map[string]bool{
		"func f(c chan []int, d chan int) { for { d <- len(<-c) } }":                                    true,
		"func f(c chan []int, d chan int) { for { d <- count(<-c) } }":                                  true,
		"func f(c chan []int, d chan int) { d <- count(<-c) }":                                          false,
		"func f(c chan []int, d chan int) { for { n := 0; for _, x := range <-c { n += x }; d <- n } }": false,
		"func f(c chan []int, d chan int) { for n := range 100 { if n == count(nil) { return } } }":     false,
	} {
		body := loweredBy(t, text+start, "f", func(in *Input) {
			pass.InlineCalls(&pass.Input{Pkg: in.Pkg}, in.Pkg.Functions())
		})
		if strings.Contains(body, "p.count") {
			t.Errorf("%s: count is not inlined:\n%s", text, body)
		}
		if got := strings.Contains(body, `"probe-stack"="loam.clear_frame"`); got != serves {
			t.Errorf("%s: serves %v:\n%s", text, got, body)
		}
	}
}
