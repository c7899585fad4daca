package lower

import (
	"fmt"
	"strings"
	"testing"
)

// TestSeenThrough: an itab of an interface with few methods names the functions, for LLVM to
// inline; one of an interface with many names the methods that may be left out, all but the first.
func TestSeenThrough(t *testing.T) {
	for n := 1; n <= maxSeenThrough+2; n++ {
		var methods, wanted strings.Builder
		for i := range n {
			fmt.Fprintf(&methods, "func (T) M%d() {}\n", i)
			fmt.Fprintf(&wanted, "M%d(); ", i)
		}
		text := "type T struct{}\n" + methods.String() + "type I interface { " + wanted.String() + "}\nfunc F(t T) I { return t }"
		module := string(lowerPackage(t, "p", text, func(*Input) {}).Text())
		_, itab, ok := strings.Cut(module, `@"itab:p.T,p.I" = `)
		if !ok {
			t.Fatalf("no itab of %d methods:\n%s", n, module)
		}
		itab, _, _ = strings.Cut(itab, "\n")
		hidden := 0
		if n > maxSeenThrough {
			hidden = n - 1
		}
		if got := strings.Count(itab, `@"method:`); got != hidden {
			t.Errorf("%d methods: %d are hidden, want %d: %s", n, got, hidden, itab)
		}
	}
}
