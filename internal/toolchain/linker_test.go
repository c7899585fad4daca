package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"loam/internal/store"
	"loam/internal/tools"
)

// linking returns a builder with an lld.
func linking(t *testing.T) *Toolchain {
	t.Helper()
	cache, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tc := &Toolchain{Cache: cache}
	if tc.LLD, err = tools.Find(tc.Cache, "LOAM_LLD", "ld.lld"); err != nil {
		t.Fatal(err)
	}
	return tc
}

// TestExpectedLinker: a linker that started before its arguments were known makes the same program,
// from names that need quotes, too.
func TestExpectedLinker(t *testing.T) {
	tc := linking(t)
	dir := filepath.Join(t.TempDir(), `a "b" \c 'd'`)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	data, response := filepath.Join(dir, "x"), filepath.Join(dir, "response")
	if err := os.WriteFile(data, []byte("data"), 0o666); err != nil {
		t.Fatal(err)
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(data) + `"`
	if err := os.WriteFile(response, []byte(quoted+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	link := func(name string) []byte {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := tc.Link("p", []string{"-r", "-m", "elf_x86_64", "--format=binary", "-o", name, "@" + response}, nil); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	own := link("own")
	tc.ExpectLinker()
	l := <-tc.servers.linker
	if l == nil {
		t.Fatal("no linker has started")
	}
	coming := make(chan *linker, 1)
	coming <- l
	tc.servers.linker = coming
	if string(link("expected")) != string(own) {
		t.Error("the programs differ")
	}
	if !l.cmd.ProcessState.Success() {
		t.Errorf("the expected linker did not make it: %v", l.cmd.ProcessState)
	}
	tc.ExpectLinker()
	if tc.servers.takeLinker() != nil {
		t.Error("a second linker has started")
	}
	if string(link("again")) != string(own) {
		t.Error("the programs differ")
	}
	if _, err := os.Stat(l.dir); err == nil {
		t.Error("the directory of the linker is left")
	}
}

// TestExpectedLinkerFails: when the expected linker cannot do it, or is killed, one of its own has
// the messages.
func TestExpectedLinkerFails(t *testing.T) {
	for _, kill := range []bool{false, true} {
		tc := linking(t)
		tc.ExpectLinker()
		l := <-tc.servers.linker
		if kill {
			syscall.Kill(l.cmd.Process.Pid, syscall.SIGKILL)
			<-l.ended
		}
		coming := make(chan *linker, 1)
		coming <- l
		tc.servers.linker = coming
		err := tc.Link("p", []string{"-o", filepath.Join(t.TempDir(), "x"), "/none.o"}, nil)
		if err == nil || !strings.Contains(err.Error(), "cannot open /none.o") {
			t.Errorf("%v", err)
		}
	}
}
