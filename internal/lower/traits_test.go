package lower

import (
	"strings"
	"testing"
)

// TestTraits: each trait has a symbol, and no symbol that is expanded waits or collects.
func TestTraits(t *testing.T) {
	var all trait
	for sym, have := range traits {
		all |= have
		if !strings.Contains(sym, ".") {
			t.Errorf("%s is no symbol", sym)
		}
	}
	if all != collects|parks|parksBriefly|seesFrame|wraps|givesEntry|inLoops|registers {
		t.Errorf("traits %b", all)
	}
	for sym := range intrinsics {
		if have := traits[sym]; have&(collects|parks|parksBriefly|wraps) != 0 {
			t.Errorf("%s: traits %b", sym, have)
		}
	}
}
