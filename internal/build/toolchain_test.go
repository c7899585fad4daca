package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestToolIdentity: a tool is what it says and what its file holds, wherever it is and however old.
func TestToolIdentity(t *testing.T) {
	cache, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(t.TempDir(), "asked")
	make := func(version string, age time.Duration) tool {
		t.Helper()
		name := filepath.Join(t.TempDir(), "clang")
		script := "#!/bin/sh\necho 'Debian clang version " + version + "'\necho Target: x86_64\necho asked >>" + asked + "\n"
		if err := os.WriteFile(name, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		found, err := cache.checkedTool(name, "clang")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := cache.checkedTool(name, "clang"); again != found || err != nil {
			t.Errorf("%v %v, then %v", found, again, err)
		}
		return found
	}
	one, two, other := make("19.1.7 (3)", time.Hour), make("19.1.7 (3)", time.Minute), make("19.1.7 (4)", time.Hour)
	if one.id != two.id || one.path == two.path || one.id == other.id {
		t.Errorf("%+v\n%+v\n%+v", one, two, other)
	}
	if text, err := os.ReadFile(asked); string(text) != "asked\nasked\nasked\n" {
		t.Errorf("three tools were asked: %q %v", text, err)
	}
	if !strings.HasPrefix(one.id, "Debian clang version 19.1.7 (3) ") {
		t.Errorf("id %q", one.id)
	}
	old := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho clang version 18.0\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := cache.checkedTool(old, "clang"); err == nil || !strings.Contains(err.Error(), "is LLVM 18, but 19 or newer is needed") {
		t.Errorf("%v", err)
	}
}

// TestBitcode: a linker that is older than clang cannot read what clang writes, and the error says
// which tools these are.
func TestBitcode(t *testing.T) {
	clang := tool{"/bin/clang", "Debian clang version 20.1.2 (3) 0123"}
	for version, ok := range map[string]bool{"19.1.7": false, "20.1.0": true, "21.0.0": true} {
		err := readsBitcode(tool{"/bin/ld.lld", "Debian LLD " + version + " (compatible with GNU linkers) 4567"}, clang)
		if ok != (err == nil) {
			t.Errorf("lld %s: %v", version, err)
		}
		if err != nil && !strings.Contains(err.Error(), "/bin/ld.lld (LLVM 19) cannot read the bitcode of /bin/clang (LLVM 20)") {
			t.Errorf("lld %s: %v", version, err)
		}
	}
}
