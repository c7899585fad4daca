package lower

import (
	"fmt"
	"strings"
	"testing"

	"loam/internal/plan"
)

// TestTypeSwitch: a switch of many types goes by the hash, and each type is still compared; one of
// few types is a chain.
func TestTypeSwitch(t *testing.T) {
	for _, n := range []int{plan.LongTypeChain - 1, plan.LongTypeChain, 40} {
		var types, cases strings.Builder
		for i := range n {
			fmt.Fprintf(&types, "type T%d int\n", i)
			fmt.Fprintf(&cases, "case T%d: return int(v) + %d\n", i, i)
		}
		body := lowered(t, types.String()+"func f(x any) int { switch v := x.(type) {\n"+cases.String()+"}; return 0 }", "f")
		table, tests := strings.Count(body, "  switch i32 "), strings.Count(body, "icmp eq ptr %v")-1
		long := n >= plan.LongTypeChain
		if (table == 1) != long {
			t.Errorf("%d types: %d tables", n, table)
		}
		if !long {
			tests++
		}
		if tests != n {
			t.Errorf("%d types: %d comparisons", n, tests)
		}
	}
}

// TestSpread: few of many hashes share a place.
func TestSpread(t *testing.T) {
	for _, n := range []int{8, 20, 100, 1000} {
		var hashes []uint32
		for i := range n {
			hashes = append(hashes, nameHash(fmt.Sprint("main.T", i)))
		}
		bits, factor := spread(hashes)
		taken := map[uint32]int{}
		for _, h := range hashes {
			taken[h*factor>>(32-bits)]++
		}
		if len(taken) < n*3/4 || 1<<bits > 4*n {
			t.Errorf("%d hashes: %d of %d places", n, len(taken), 1<<bits)
		}
	}
}

// TestItabPlaces: an assertion that must hold remembers one type, a question two that share a word.
func TestItabPlaces(t *testing.T) {
	const i = "type I interface { M() }\n"
	for text, want := range map[string]int{
		"func f(x any) I { return x.(I) }":                 1,
		"func f(x any) bool { _, ok := x.(I); return ok }": 2,
	} {
		body := lowered(t, i+text, "f")
		if got := strings.Count(body, "load atomic ptr"); got != want {
			t.Errorf("%s: looks at %d words, not %d:\n%s", text, got, want, body)
		}
	}
}
