package scratch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestSweep: what dead processes have left goes, what others use or may use stays.
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	make := func(name string, files ...string) string {
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	make("loam-tmp-1-dead", lockName, "x.o")
	dead := make("loam-tmp-new-dead", lockName)
	make("loam-tmp-2-empty")
	old := make("loam-tmp-new-old")
	past := time.Now().Add(-2 * unreadyAge)
	for _, dir := range []string{old, dead} {
		if err := os.Chtimes(dir, past, past); err != nil {
			t.Fatal(err)
		}
	}
	make("loam-tmp-new-young")
	make("loam-tmp-not-ours", "file")
	make("loam-work-kept", "file")
	lock, err := os.OpenFile(filepath.Join(make("loam-tmp-3-alive", lockName, "x.o"), lockName), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Skip(err)
	}
	check := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q are there, want %q", got, want)
		}
	}
	Sweep(parent)
	stay := []string{"loam-tmp-3-alive", "loam-tmp-new-young", "loam-tmp-not-ours", "loam-work-kept"}
	check(stay...)

	dir, err := Dir(parent)
	if err != nil {
		t.Fatal(err)
	}
	Sweep(parent) // leaves this process's own
	check(slices.Sorted(slices.Values(append(slices.Clone(stay), filepath.Base(dir))))...)
	if again, err := Dir(parent); again != dir || err != nil || Writable(parent) != nil {
		t.Errorf("Dir returns %s, %v the second time, %s the first", again, err, dir)
	}
	if err := os.WriteFile(filepath.Join(dir, "left"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	Remove()
	check(stay...)
	if dir, err := Dir(parent); err == nil {
		t.Errorf("Dir returns %s after Remove", dir)
	}
}

// Remove leaves nothing of those who make files meanwhile.
func TestRemoveInUse(t *testing.T) {
	defer func() { mine = map[string]own{} }()
	for range 20 {
		mine = map[string]own{}
		parent := t.TempDir()
		dir, err := Dir(parent)
		if err != nil {
			t.Fatal(err)
		}
		var users sync.WaitGroup
		begun := make(chan bool, 8)
		for i := range cap(begun) {
			users.Go(func() {
				for j := range 500 {
					name := filepath.Join(dir, fmt.Sprint(i, "-", j))
					if os.Mkdir(name, 0o777) != nil {
						return
					}
					if j == 3 {
						begun <- true
					}
				}
			})
		}
		for range cap(begun) {
			<-begun
		}
		Remove()
		users.Wait()
		if left, _ := os.ReadDir(parent); len(left) > 0 {
			t.Fatalf("%v is left", left)
		}
	}
}

// Processes that begin at once do not take each other's directories for those of the dead.
func TestTogether(t *testing.T) {
	parent := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				o := create(parent)
				if o.err != nil {
					t.Error(o.err)
					return
				}
				remove(o.dir)
				o.lock.Close()
			}
		})
	}
	wg.Wait()
}
