package progress

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAccount: what is said of a build goes by what costs time, from an estimate of what a program
// needs to what it does need, and never backwards.
func TestAccount(t *testing.T) {
	var out bytes.Buffer
	p := &Printer{w: &out, shown: true, wait: time.NewTimer(time.Hour)}
	p.Open(1000, "loam: compiling")
	p.Read(100)
	p.Asked(1000)
	p.Compiled(1000)
	p.change(func(a *account) { a.read += 900; a.asked += 3000 })
	p.Compiled(2000)
	p.AllAsked()
	p.Compiled(1000)
	var said []string
	for line := range strings.SplitSeq(out.String(), "\r") {
		said = append(said, strings.TrimSuffix(line, "\x1b[K"))
	}
	want := []string{"loam: compiling\n", "[0%] ", "[1%] ", "[1%] ", "[10%] ", "[25%] ", "[41%] ", "[83%] ", "[100%] "}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	// More is asked for than was thought.
	a := account{source: 10, asked: 1000, compiled: 500}
	if s := a.String(); s != "[49%] " {
		t.Error(s)
	}
	a.asked = 4000
	if s := a.String(); s != "[49%] " {
		t.Errorf("%s is less than before", s)
	}
	if s := new(account).String(); s != "" {
		t.Errorf("%q of nothing", s)
	}
}
