package toolchain

import (
	"strings"
	"testing"

	"loam/internal/tools"
)

// TestBitcode: a linker that is older than clang cannot read what clang writes, and the error says
// which tools these are.
func TestBitcode(t *testing.T) {
	clang := tools.Tool{Path: "/bin/clang", ID: "Debian clang version 20.1.2 (3) 0123"}
	for version, ok := range map[string]bool{"19.1.7": false, "20.1.0": true, "21.0.0": true} {
		lld := tools.Tool{Path: "/bin/ld.lld", ID: "Debian LLD " + version + " (compatible with GNU linkers) 4567"}
		err := (&Toolchain{Clang: clang, LLD: lld}).ReadsBitcode()
		if ok != (err == nil) {
			t.Errorf("lld %s: %v", version, err)
		}
		if err != nil && !strings.Contains(err.Error(), "/bin/ld.lld (LLVM 19) cannot read the bitcode of /bin/clang (LLVM 20)") {
			t.Errorf("lld %s: %v", version, err)
		}
	}
}
