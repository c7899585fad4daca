package lower

import (
	"strings"
	"testing"

	"loam/internal/mid/pass"
)

// TestServes: a function has a clear frame if it waits itself, or if a go statement starts it and
// its own loops wait, whatever loops it got by inlining.
func TestServes(t *testing.T) {
	const start = "\nfunc count(s []int) (n int) { for _, x := range s { n += x }; return }" +
		"\nfunc take(c chan []int) []int { defer count(nil); return <-c }\nfunc Start(c chan []int, d chan int) { go f(c, d) }"
	for text, clears := range map[string]bool{
		"func f(c chan []int, d chan int) { for { d <- len(<-c) } }":                                            true,
		"func f(c chan []int, d chan int) { d <- count(<-c) }":                                                  true,
		"func f(c chan []int, d chan int) { for { n := 0; for _, x := range <-c { n += x }; d <- n } }":         true,
		"func f(c chan []int, d chan int) { for { take(c) } }":                                                  true,
		"func f(c chan []int, d chan int) { for { count(take(c)) } }":                                           true,
		"func f(c chan []int, d chan int) { count(take(c)) }":                                                   false,
		"func f(c chan []int, d chan int) { for { n := 0; for _, x := range take(c) { n += x }; count(nil) } }": false,
		"func f(c chan []int, d chan int) { for n := range 100 { if n == count(nil) { return } } }":             false,
	} {
		body := loweredBy(t, text+start, "f", func(in *Input) {
			pass.InlineCalls(&pass.Input{Pkg: in.Pkg}, in.Pkg.Functions())
		})
		if strings.Contains(body, "p.count") {
			t.Errorf("%s: count is not inlined:\n%s", text, body)
		}
		if got := strings.Contains(body, `"probe-stack"="loam.clear_frame"`); got != clears {
			t.Errorf("%s: clears %v:\n%s", text, got, body)
		}
	}
}

// TestWaits: a function has homes if a value that lives across a call may be dead where it waits,
// and clears them there; one that does not wait, or whose values live on, has none.
func TestWaits(t *testing.T) {
	const others = "\ntype waiter interface { Wait(); Count(*int) }\nvar kept *int\nfunc made() *int\nfunc use(p *int)\nfunc block() { <-never }\nfunc brief(w waiter) { w.Wait() }\nvar never chan int\n"
	for text, homes := range map[string]bool{
		"func f(c chan int) { p := made(); use(p); use(p); <-c }":                             true,
		"func f(c chan int) { p := made(); use(p); use(p); c <- 1 }":                          true,
		"func f(c chan int) { p := made(); use(p); use(p); select { case <-c: case c<-1: } }": true,
		"func f(c chan int) { p := made(); use(p); use(p); block() }":                         true,
		"func f(w waiter) { p := made(); use(p); use(p); w.Wait() }":                          true,
		"func f(c chan int) { for { p := made(); use(p); use(p); <-c } }":                     true,
		"func f(c chan int) { p := made(); use(p); <-c; use(p) }":                             false,
		"func f(c chan int) { <-c; p := made(); use(p); use(p) }":                             false,
		"func f(c chan int) { for { <-c; p := made(); use(p); use(p) } }":                     true,
		"func f(c chan int) { p := made(); use(p); <-c }":                                     false,
		"func f(w waiter) { p := made(); use(p); use(p); w.Count(nil) }":                      true,
		"func f(w waiter, p *int) { use(p); use(p); w.Wait() }":                               false,
		"func f(c chan int, p *int) { use(p); use(p); <-c }":                                  true,
		"func f(w waiter) { for { p := made(); use(p); use(p); w.Wait() } }":                  false,
		"func f(w waiter) { p := made(); use(p); use(p); brief(w) }":                          false,
		"func f() { p := made(); use(p); use(p) }":                                            false,
		"func f(w waiter) { for { p := made(); w.Count(p); w.Count(p) } }":                    false,
	} {
		body := loweredBy(t, text+others, "f", func(in *Input) { in.User = true })
		if got := strings.Contains(body, "!alias.scope"); got != homes {
			t.Errorf("%s: homes %v:\n%s", text, got, body)
		}
	}
}
