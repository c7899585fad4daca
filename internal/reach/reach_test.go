package reach

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wanted walks through packages, and returns the chunks that are needed, as "package.chunk".
func wanted(t *testing.T, needs []string, packages ...*Facts) (list []string) {
	t.Helper()
	w := NewWalk(func(p, chunk int) { list = append(list, fmt.Sprintf("%d.%d", p, chunk)) })
	for _, s := range needs {
		w.Need(s)
	}
	for _, f := range packages {
		g, err := Decode(string(f.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		w.Add(g, false)
	}
	for p, f := range packages {
		for c, is := range w.Wanted(p) {
			if at := fmt.Sprintf("%d.%d", p, c); is != slices.Contains(list, at) {
				t.Errorf("Wanted says %v of %s", is, at)
			}
		}
		if f.Chunks() != len(w.Wanted(p)) {
			t.Errorf("package %d has %d chunks, %d after a round trip", p, f.Chunks(), len(w.Wanted(p)))
		}
	}
	slices.Sort(list)
	return list
}

func TestWalk(t *testing.T) {
	library := New([]Node{
		{Name: "lib.F", Chunk: 0, Refs: []int{1}},
		{Chunk: 1, Refs: []int{2}},                           // local
		{Chunk: NoChunk, Names: []string{"other.G"}},         // a constant with a reference
		{Name: "lib.Unused", Chunk: 2, Names: []string{"x"}}, // leads on, but nobody to it
		{Name: "lib.FromAsm", Chunk: 3},
	}, 4, nil)
	other := New([]Node{{Name: "other.G", Chunk: 0}, {Name: "x", Chunk: 1}}, 2, []string{"lib.FromAsm"})
	main := New([]Node{{Name: "main.main", Chunk: 0, Names: []string{"lib.F", "nowhere"}}}, 1, nil)
	for _, order := range [][]*Facts{{library, other, main}, {main, other, library}} {
		got := strings.Join(wanted(t, []string{"main.main"}, order...), " ")
		want := "0.0 0.1 0.3 1.0 2.0"
		if order[0] == main {
			want = "0.0 1.0 2.0 2.1 2.3"
		}
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := wanted(t, []string{"main.main"}, main); len(got) != 1 {
		t.Errorf("alone: %v", got)
	}
}

// TestMerged: of what several packages have, the one is taken that is asked for, and others only
// where their chunks are linked anyway.
func TestMerged(t *testing.T) {
	first := New([]Node{
		{Name: "instance", Chunk: 0, Merged: true, Refs: []int{1}},
		{Chunk: 1},
		{Name: "first.F", Chunk: 2},
	}, 3, nil)
	second := New([]Node{
		{Name: "instance", Chunk: 0, Merged: true},
		{Name: "second.F", Chunk: 1, Refs: []int{0}},
	}, 2, nil)
	if got := strings.Join(wanted(t, []string{"second.F"}, first, second), " "); got != "1.0 1.1" {
		t.Errorf("second's own: %s", got)
	}
	// the linker takes the first package's, once its chunk is there
	linked := New([]Node{
		{Name: "instance", Chunk: 0, Merged: true, Refs: []int{1}},
		{Chunk: 1},
		{Name: "first.F", Chunk: 0},
	}, 2, nil)
	for _, needs := range [][]string{{"first.F", "second.F"}, {"second.F", "first.F"}} {
		if got := strings.Join(wanted(t, needs, linked, second), " "); !strings.HasPrefix(got, "0.0 0.1") {
			t.Errorf("needs %v: %s", needs, got)
		}
	}
	// what is weak in one package may be strong in another
	weak := New([]Node{{Name: "hook", Chunk: 0}, {Name: "weak.F", Chunk: 1, Refs: []int{0}}}, 2, nil)
	strong := New([]Node{{Name: "hook", Chunk: 0}}, 1, nil)
	for _, order := range [][]*Facts{{weak, strong}, {strong, weak}} {
		if got := wanted(t, []string{"weak.F"}, order...); len(got) != 3 {
			t.Errorf("weak and strong: %v", got)
		}
	}
}

func TestAll(t *testing.T) {
	f := New([]Node{{Name: "a", Chunk: 0}, {Name: "b", Chunk: 1, Names: []string{"c"}}}, 2, nil)
	g := New([]Node{{Name: "c", Chunk: 0}, {Name: "d", Chunk: 1}}, 2, nil)
	var list []string
	w := NewWalk(func(p, chunk int) { list = append(list, fmt.Sprint(p, chunk)) })
	w.Add(f, true)
	w.Add(g, false)
	if len(list) != 3 || slices.Contains(list, "1 1") {
		t.Errorf("%v", list)
	}
	names := w.Reached()
	slices.Sort(names)
	if strings.Join(names, "") != "abc" {
		t.Errorf("reached %v", names)
	}
}

// TestDamaged: what is cut short or changed is refused, or read as something else, without a panic.
func TestDamaged(t *testing.T) {
	text := string(New([]Node{{Name: "a", Chunk: 0, Refs: []int{1}, Names: []string{"x", "y"}}, {Chunk: 1}}, 2, []string{"r"}).Encode())
	for i := range len(text) {
		if _, err := Decode(text[:i]); err == nil {
			t.Errorf("the first %d bytes are taken for all", i)
		}
		for _, c := range []byte{0, 1, 0x7f, 0xff} {
			if f, err := Decode(text[:i] + string([]byte{c}) + text[i+1:]); err == nil {
				NewWalk(func(int, int) {}).Add(f, true)
			}
		}
	}
	if _, err := Decode(text + "x"); err == nil {
		t.Error("a byte too many is not noticed")
	}
}

// TestMethods: the function of a method is needed once a type is reached that has it and a function
// that calls one like it, in whichever order; and of all exported ones where methods are found by
// their names.
func TestMethods(t *testing.T) {
	symbol := func(name, signature string) string { return Method(name, signature, "p.T."+name) }
	types := []Node{
		{Name: "type:T", Chunk: 0, Names: []string{symbol("Read", "a"), symbol("Write", "a"), symbol("q.hidden", "a")}},
		{Name: "p.T.Read", Chunk: 1},
		{Name: "p.T.Write", Chunk: 2},
		{Name: "p.T.q.hidden", Chunk: 3},
		{Name: "type:U", Chunk: 4, Names: []string{Method("Read", "a", "p.U.Read")}},
		{Name: "p.U.Read", Chunk: 5},
	}
	reflection := New([]Node{{Name: "reflect.Value.Method", Chunk: 0}}, 1, nil)
	for _, c := range []struct {
		what  string
		names []string // that main refers to
		want  string   // chunks of the package with types
		needs string
	}{
		{"nothing is called", []string{"type:T"}, "0", ""},
		{"a call", []string{"type:T", Call("Read", "a")}, "0 1", "p.T.Read"},
		{"the call comes first", []string{Call("Read", "a"), "type:T"}, "0 1", "p.T.Read"},
		{"another signature", []string{"type:T", Call("Read", "b")}, "0", ""},
		{"no type", []string{Call("Read", "a")}, "", ""},
		{"two types", []string{"type:T", "type:U", Call("Read", "a")}, "0 1 4 5", "p.T.Read p.U.Read"},
		{"unexported", []string{"type:T", Call("q.hidden", "a")}, "0 3", "p.T.q.hidden"},
		{"by name", []string{"type:T", "reflect.Value.Method"}, "0 1 2", "p.T.Read p.T.Write"},
		{"by name first", []string{"reflect.Value.Method", "type:T"}, "0 1 2", "p.T.Read p.T.Write"},
	} {
		main := Node{Name: "main.main", Chunk: 0, Names: c.names}
		for _, first := range []bool{true, false} {
			w := NewWalk(func(int, int) {})
			w.Need("main.main")
			list := []*Facts{New(types, 6, nil), reflection, New([]Node{main}, 1, nil)}
			at := 0
			if first {
				slices.Reverse(list)
				at = 2
			}
			for _, f := range list {
				w.Add(f, false)
			}
			var got []string
			for i, is := range w.Wanted(at) {
				if is {
					got = append(got, fmt.Sprint(i))
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s (%t): chunks %s, want %s", c.what, first, s, c.want)
			}
			var needs []string
			for _, m := range w.Methods() {
				if !IsMethod(m) {
					t.Errorf("%s is none", m)
				}
				needs = append(needs, Function(m))
			}
			slices.Sort(needs)
			if s := strings.Join(needs, " "); s != c.needs {
				t.Errorf("%s (%t): needs %s, want %s", c.what, first, s, c.needs)
			}
		}
	}
}
