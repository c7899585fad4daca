package lower

import (
	"strings"
	"testing"
)

// TestTraits: each trait has a symbol, and no symbol that is expanded waits or collects.
func TestTraits(t *testing.T) {
	var all trait
	for sym := range traits {
		all |= traitsOf(sym)
		if !strings.Contains(sym, ".") {
			t.Errorf("%s is no symbol", sym)
		}
	}
	if all != collects|parks|parksBriefly|expands|seesFrame|wraps|givesEntry|inLoops|registers {
		t.Errorf("traits %b", all)
	}
	for sym := range intrinsics {
		if have := traitsOf(sym); have&expands == 0 || have&(collects|parks|parksBriefly|wraps) != 0 {
			t.Errorf("%s: traits %b", sym, have)
		}
	}
	if have := traitsOf("p.f"); have != 0 {
		t.Errorf("p.f: traits %b", have)
	}
}
