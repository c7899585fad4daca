package install

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCopyInto: a program from another file system appears whole, in the place of an older one, and
// nothing else does.
func TestCopyInto(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made")
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for _, text := range []string{"\x7fELF one", "\x7fELF the second"} {
		if err := os.WriteFile(made, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := copyInto(dir, made, out, 0o777); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil || string(data) != text {
			t.Errorf("%q, %v; want %q", data, err, text)
		}
		if st, err := os.Stat(out); err != nil || st.Mode().Perm() != 0o777&^umask {
			t.Errorf("%v, %v", st.Mode(), err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("the directory has %v, %v", entries, err)
		}
	}
	if err := copyInto(dir, made, filepath.Join(dir, "no", "out"), 0o777); err == nil {
		t.Error("there is a program in a directory that does not exist")
	}
	if err := copyInto(dir, made+"none", out, 0o777); err == nil {
		t.Error("nothing was copied without an error")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("after errors the directory has %v, %v", entries, err)
	}
}
