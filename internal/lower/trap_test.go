package lower

import (
	"os"
	"regexp"
	"testing"
)

// TestTraps has a stub for each function that checks in functions without a frame go to, and no
// other.
func TestTraps(t *testing.T) {
	text, err := os.ReadFile("../../overlay/runtime/traps.gas")
	if err != nil {
		t.Fatal(err)
	}
	stubs := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\ttrap (\w+)$`).FindAllSubmatch(text, -1) {
		stubs[string(m[1])] = true
	}
	for name := range traps {
		if !stubs[name] {
			t.Errorf("%s has no stub", name)
		}
		delete(stubs, name)
	}
	for name := range stubs {
		t.Errorf("nothing goes to the stub of %s", name)
	}
}
