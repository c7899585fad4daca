package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/store"
)

// TestToolIdentity: a tool is what it says and what its file holds, wherever it is and however old.
func TestToolIdentity(t *testing.T) {
	cache, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(t.TempDir(), "asked")
	make := func(version string, age time.Duration) Tool {
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
		found, err := checkedTool(cache, name, "clang")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := checkedTool(cache, name, "clang"); again != found || err != nil {
			t.Errorf("%v %v, then %v", found, again, err)
		}
		return found
	}
	one, two, other := make("19.1.7 (3)", time.Hour), make("19.1.7 (3)", time.Minute), make("19.1.7 (4)", time.Hour)
	if one.ID != two.ID || one.Path == two.Path || one.ID == other.ID {
		t.Errorf("%+v\n%+v\n%+v", one, two, other)
	}
	if text, err := os.ReadFile(asked); string(text) != "asked\nasked\nasked\n" {
		t.Errorf("three tools were asked: %q %v", text, err)
	}
	if !strings.HasPrefix(one.ID, "Debian clang version 19.1.7 (3) ") {
		t.Errorf("id %q", one.ID)
	}
	old := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho clang version 18.0\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := checkedTool(cache, old, "clang"); err == nil || !strings.Contains(err.Error(), "is LLVM 18, but 19 or newer is needed") {
		t.Errorf("%v", err)
	}
}
