package symtab

import (
	"fmt"
	"math/rand/v2"
	"testing"

	table "loam/rt/symtab"
)

// TestIndex looks addresses up in functions of all lengths, those with an index among them: what
// the table says is what was written.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []*function
	at := uint64(0x1000)
	for _, calls := range []int{0, 1, 31, 32, 33, 63, 64, 65, 200, 255, 256, 257, 300, 1000, 5000} {
		f := randomFunction(r, at, calls)
		all = append(all, f)
		at = f.hi + 16
	}
	tab := table.Table(encode(all))
	for _, f := range all {
		row := codeRow{f.lo, 0, f.file, f.line}
		next := f.rows
		for pc := f.lo; pc < f.hi; pc++ {
			for len(next) > 0 && next[0].addr <= pc {
				row, next = next[0], next[1:]
			}
			end := f.hi
			if len(next) > 0 {
				end = next[0].addr
			}
			var out [table.MaxInline]table.Frame
			n := tab.Lookup(uintptr(pc), &out)
			got := fmt.Sprint(out[0].From, out[0].To)
			want := fmt.Sprint(row.addr, end)
			for _, o := range out[:n] {
				got += fmt.Sprintf(" %s:%s:%d,%v,%d", o.Func, o.File, o.Line, o.Inlined, o.Call)
			}
			file, line := row.file, row.line
			for call := row.call; ; call = f.around(call) {
				d := f.of(call)
				want += fmt.Sprintf(" %s:%s:%d,%v,%d", d.name, file, line, call != 0, codeOf(f, call))
				if call == 0 {
					break
				}
				file, line = f.of(f.around(call)).file, f.calls[call-1].line
			}
			if got != want {
				t.Fatalf("%d calls, %#x:\n%s, want\n%s", len(f.calls), pc, got, want)
			}
		}
	}
}

// codeOf returns where the code of a call begins: its first piece of two bytes, or its first.
func codeOf(f *function, call int) uint64 {
	if call == 0 {
		return 0
	}
	first := uint64(0)
	for i := 0; i < len(f.rows); i++ {
		if !f.isIn(f.rows[i].call, call) {
			continue
		}
		begin, end := f.rows[i].addr, f.hi
		for ; i < len(f.rows); i++ {
			if !f.isIn(f.rows[i].call, call) {
				end = f.rows[i].addr
				break
			}
		}
		if end > begin+1 {
			return begin
		}
		if first == 0 {
			first = begin
		}
	}
	return first
}

// randomFunction makes a function at an address, into which so many calls are inlined.
func randomFunction(r *rand.Rand, at uint64, calls int) *function {
	f := &function{lo: at, unit: &unit{}}
	f.declared = &declared{declaration: declaration{name: fmt.Sprint("f", calls), file: "/f.go", line: 10}}
	for i := range calls {
		around := 0
		for around = i; around > 0 && (r.IntN(3) > 0 || f.calls[around-1].depth >= table.MaxInline-1); {
			around = f.calls[around-1].around
		}
		c := inlined{line: uint64(r.IntN(3000)), around: around, depth: 1,
			declared: &declared{declaration: declaration{name: fmt.Sprint("g", i), file: fmt.Sprintf("/%d.go", i%3), line: uint64(i)}}}
		if around > 0 {
			c.depth = f.calls[around-1].depth + 1
		}
		f.calls = append(f.calls, c)
		for o := around; o > 0; o = f.calls[o-1].around {
			f.calls[o-1].inside++
		}
	}
	// Each call has code: in order, and then anywhere.
	add := func(call int) {
		row := codeRow{at, call, f.of(call).file, uint64(r.IntN(3000))}
		if r.IntN(4) == 0 {
			row.file = "/other.go"
		}
		f.rows = append(f.rows, row)
		at += 1 + uint64(r.IntN(4))
	}
	at += uint64(r.IntN(3))
	for i := range calls {
		add(i + 1)
	}
	for range 1 + r.IntN(2*calls+1) {
		add(r.IntN(calls + 1))
	}
	f.hi = at
	return f
}
