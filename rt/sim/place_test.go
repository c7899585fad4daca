package sim

import (
	"fmt"
	"strings"
	"testing"
)

// A place is known by its kind and name, keeps its counts, and has a name of its own.
func TestPlaces(t *testing.T) {
	var p Places
	p.Keep(make([]Place, MaxPlaces), make([]byte, NameBytes))
	name := []byte("one")
	p.At(Sometimes, string(name)).Yes++
	copy(name, "two")
	p.At(Sometimes, "one").Yes++
	p.At(Always, "one").No++
	if all := p.All(); len(all) != 2 || all[0].Name != "one" || all[0].Yes != 2 || all[1].Kind != Always || all[1].No != 1 {
		t.Errorf("%+v", p.All())
	}
	p.Forget()
	if len(p.All()) != 0 || p.At(Sometimes, "one").Yes != 0 {
		t.Error("not forgotten")
	}
	for i := range MaxPlaces - 1 {
		if at := p.At(Reachable, fmt.Sprint(i)); at == nil || at.Yes != 0 {
			t.Fatalf("place %d: %+v", i, at)
		}
	}
	if p.At(Reachable, "one too many") != nil {
		t.Error("there is room for more than MaxPlaces")
	}
	if p.At(Sometimes, "one") == nil {
		t.Error("the first place is lost")
	}
	p.Forget()
	if p.At(Reachable, strings.Repeat("x", LongestName+1)) != nil {
		t.Error("a name is too long")
	}
	for i := range NameBytes / LongestName {
		if p.At(Reachable, fmt.Sprintf("%0*d", LongestName, i)) == nil {
			t.Fatalf("no room for name %d", i)
		}
	}
	if p.At(Reachable, "x") != nil {
		t.Error("a name lies behind the memory for names")
	}
}

// Which faults there are is the seed's and the name's affair alone, and differs between seeds.
func TestMaybe(t *testing.T) {
	faults := func(seed uint64, names ...string) map[string]string {
		var o Oracle
		o.Begin(Settings{Seed: seed, Steps: 1000})
		var p Places
		p.Keep(make([]Place, MaxPlaces), make([]byte, NameBytes))
		m := map[string]string{}
		var log []byte
		o.Log.Start(make([]byte, 4096), func(b []byte) { log = append(log, b...) })
		for range 50 {
			for _, name := range names {
				m[name] += fmt.Sprint(b2u(o.Maybe(p.At(Fault, name))))
			}
		}
		o.Log.End()
		if n := strings.Count(string(log), "fault "); n != strings.Count(m["drop"]+m["late"]+m["torn"], "1") {
			t.Errorf("seed %d: %d faults in the list", seed, n)
		}
		return m
	}
	ways := map[string]bool{}
	none := 0
	for seed := range uint64(64) {
		alone, among := faults(seed, "drop"), faults(seed, "late", "drop", "torn")
		if alone["drop"] != among["drop"] {
			t.Errorf("seed %d: other places change this one: %s, %s", seed, alone["drop"], among["drop"])
		}
		if !strings.Contains(alone["drop"], "1") {
			none++
		}
		ways[alone["drop"]] = true
	}
	if none < 10 || none > 50 || len(ways) < 10 {
		t.Errorf("of 64 seeds %d have no fault at the place, and there are %d ways", none, len(ways))
	}
}

// A run that follows a list has the faults of the list, and no others.
func TestListedFaults(t *testing.T) {
	o := start(t, "seed=1,list=x", nil)
	load(o, "fault 2 drop it\n")
	var p Places
	p.Keep(make([]Place, MaxPlaces), make([]byte, NameBytes))
	got := ""
	for range 4 {
		got += fmt.Sprint(b2u(o.Maybe(p.At(Fault, "drop it"))), b2u(o.Maybe(p.At(Fault, "tear it"))), " ")
	}
	if got != "0 0 1 0 0 0 0 0 " {
		t.Error(got)
	}
}
