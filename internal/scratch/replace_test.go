package scratch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(from, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := Replace(from, to); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(to); err != nil || string(data) != text {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := os.Lstat(from); err == nil {
			t.Error("the old name is still there")
		}
	}
	if err := Replace(from, to); !os.IsNotExist(err) {
		t.Errorf("of a file that is not there: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Replace(to, filepath.Join(dir, "dir")); err == nil {
		t.Error("a directory is replaced by a file")
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "second" {
		t.Errorf("after a failure: %q, %v", data, err)
	}
}
