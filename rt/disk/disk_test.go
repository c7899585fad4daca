package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// newDisk makes a disk over a real directory, whose draws come from seed.
func newDisk(t *testing.T, base string, seed uint64) *Disk {
	t.Helper()
	const size = 1 << 30
	region, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(region) })
	rnd := rand.New(rand.NewPCG(seed, 0))
	clock := int64(1e18)
	h := &Host
	h.Stat = func(path string, st *Real) int32 {
		var s syscall.Stat_t
		if err := syscall.Lstat(base+path, &s); err != nil {
			return int32(err.(syscall.Errno))
		}
		*st = Real{Mode: s.Mode, UID: s.Uid, GID: s.Gid, Rdev: s.Rdev, Size: s.Size, Mtime: s.Mtim.Nano()}
		return 0
	}
	h.Open = func(path string) int32 {
		fd, err := syscall.Open(base+path, syscall.O_RDONLY, 0)
		if err != nil {
			return -int32(err.(syscall.Errno))
		}
		return int32(fd)
	}
	h.Close = func(fd int32) { syscall.Close(int(fd)) }
	h.Read = func(fd int32, to []byte, at int64) int { n, _ := syscall.Pread(int(fd), to, at); return n }
	h.Names = func(fd int32, to []byte) int { n, _ := syscall.Getdents(int(fd), to); return n }
	h.Link = func(path string, to []byte) int { n, _ := syscall.Readlink(base+path, to); return n }
	h.Now = func() int64 { clock++; return clock }
	h.Draw = func(n uint64) uint64 { return rnd.Uint64N(n) }
	h.Start = clock
	h.UID, h.GID = uint32(os.Getuid()), uint32(os.Getgid())
	d := Attach(unsafe.Pointer(&region[0]), size)
	d.Umask = 0o022
	return d
}

// operation is the same change of a real directory and of a disk; both return what came of it.
type operation struct {
	what string
	real func(base string) (string, error)
	disk func(d *Disk) (string, int32)
}

func randomOperation(r *rand.Rand) operation {
	names := []string{"a", "b", "c", "d", "old", "dir", "dir/x", "dir/y", "dir/sub", "dir/sub/z", "link", "dir/link", "missing/x"}
	name := func() string { return "/" + names[r.IntN(len(names))] }
	p, q := name(), name()
	walk := func(d *Disk, path string, follow bool, do func(p Place) (string, int32)) (string, int32) {
		at, errno := d.Walk(d.Root(), path, follow)
		if errno != 0 {
			return "", errno
		}
		return do(at)
	}
	size, off := int64(r.IntN(20000)), int64(r.IntN(20000))
	text := bytes.Repeat([]byte{byte('a' + r.IntN(26))}, int(size))
	switch r.IntN(11) {
	case 0, 1:
		return operation{fmt.Sprintf("write %s %d at %d", p, size, off), func(base string) (string, error) {
			f, err := os.OpenFile(base+p, os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW, 0o644)
			if err != nil {
				return "", err
			}
			defer f.Close()
			_, err = f.WriteAt(text, off)
			return "", err
		}, func(d *Disk) (string, int32) {
			return walk(d, p, false, func(at Place) (string, int32) {
				n, errno := at.Node, int32(0)
				switch {
				case n == nil:
					if n, errno = d.Make(at, Regular|0o644, ""); errno != 0 {
						return "", errno
					}
				case n.IsDir():
					return "", EISDIR
				case n.Kind() == Symlink:
					return "", ELOOP
				}
				if k := d.Write(n, text, off); k != len(text) {
					return "", int32(-k)
				}
				return "", 0
			})
		}}
	case 2:
		return operation{fmt.Sprintf("truncate %s %d", p, size), func(base string) (string, error) {
			return "", os.Truncate(base+p, size)
		}, func(d *Disk) (string, int32) {
			return walk(d, p, true, func(at Place) (string, int32) {
				switch {
				case at.Node == nil:
					return "", ENOENT
				case at.Node.IsDir():
					return "", EISDIR
				}
				return "", d.Truncate(at.Node, size)
			})
		}}
	case 3:
		return operation{"mkdir " + p, func(base string) (string, error) { return "", os.Mkdir(base+p, 0o755) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(at Place) (string, int32) { _, errno := d.Make(at, Dir|0o755, ""); return "", errno })
			}}
	case 4:
		return operation{"rmdir " + p, func(base string) (string, error) { return "", syscall.Rmdir(base + p) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(at Place) (string, int32) { return "", d.Rmdir(at) })
			}}
	case 5:
		return operation{"unlink " + p, func(base string) (string, error) { return "", syscall.Unlink(base + p) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(at Place) (string, int32) { return "", d.Unlink(at) })
			}}
	case 6, 7:
		how := uint32(r.IntN(3))
		return operation{fmt.Sprintf("rename %s %s %d", p, q, how), func(base string) (string, error) { return "", rename(base+p, base+q, how) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(from Place) (string, int32) {
					return walk(d, q, false, func(to Place) (string, int32) { return "", d.Rename(from, to, how) })
				})
			}}
	case 8:
		return operation{"link " + p + " " + q, func(base string) (string, error) { return "", syscall.Link(base+p, base+q) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(from Place) (string, int32) {
					if from.Node == nil {
						return "", ENOENT
					}
					return walk(d, q, false, func(to Place) (string, int32) { return "", d.Link(from.Node, to) })
				})
			}}
	case 9:
		target := strings.TrimPrefix(q, "/")
		return operation{"symlink " + target + " " + p, func(base string) (string, error) { return "", os.Symlink(target, base+p) },
			func(d *Disk) (string, int32) {
				return walk(d, p, false, func(at Place) (string, int32) { _, errno := d.Make(at, Symlink|0o777, target); return "", errno })
			}}
	}
	return operation{"read " + p, func(base string) (string, error) {
		b, err := os.ReadFile(base + p)
		return string(b), err
	}, func(d *Disk) (string, int32) {
		return walk(d, p, true, func(at Place) (string, int32) {
			switch {
			case at.Node == nil:
				return "", ENOENT
			case at.Node.IsDir():
				return "", EISDIR
			}
			b := make([]byte, at.Node.Size)
			d.Read(at.Node, b, 0)
			return string(b), 0
		})
	}}
}

func rename(from, to string, how uint32) error {
	at := int64(-100)
	p, _ := syscall.BytePtrFromString(from)
	q, _ := syscall.BytePtrFromString(to)
	_, _, errno := syscall.Syscall6(316, uintptr(at), uintptr(unsafe.Pointer(p)), uintptr(at), uintptr(unsafe.Pointer(q)), uintptr(how), 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// realTree and tree describe all files below the root, one a line.
func realTree(t *testing.T, base string) string {
	var lines []string
	err := filepath.WalkDir(base, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st syscall.Stat_t
		if err := syscall.Lstat(path, &st); err != nil {
			return err
		}
		content := ""
		switch st.Mode & KindMask {
		case Regular:
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(b)
		case Symlink:
			content, _ = os.Readlink(path)
		}
		lines = append(lines, fmt.Sprintf("%s %o %d %q", strings.TrimPrefix(path, base), st.Mode, st.Nlink, content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func tree(t *testing.T, d *Disk) string {
	var lines []string
	var visit func(n *Node, path string)
	visit = func(n *Node, path string) {
		content := n.Target
		if n.Kind() == Regular {
			b := make([]byte, n.Size)
			if k := d.Read(n, b, 0); k != len(b) {
				t.Fatalf("%s: read %d of %d", path, k, len(b))
			}
			content = string(b)
		}
		lines = append(lines, fmt.Sprintf("%s %o %d %q", path, n.Mode, n.Links(), content))
		if n.IsDir() {
			l, errno := d.List(n)
			if errno != 0 {
				t.Fatalf("%s: error %d", path, errno)
			}
			for _, e := range l.All()[2:] {
				visit(d.Lookup(n, e.Name), path+"/"+e.Name)
			}
			d.Drop(&l)
		}
	}
	visit(d.Root(), "")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// fill makes some real files.
func fill(t *testing.T, base string) {
	for _, err := range []error{
		os.Chmod(base, 0o755), os.Mkdir(base+"/dir", 0o755), os.Mkdir(base+"/dir/sub", 0o755),
		os.WriteFile(base+"/old", bytes.Repeat([]byte("old "), 3000), 0o644),
		os.WriteFile(base+"/dir/x", []byte("x"), 0o600), os.Symlink("old", base+"/link"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A disk does what the system's file system does, and the real files that it began with stay as
// they are.
func TestLikeTheSystem(t *testing.T) {
	syscall.Umask(0o022)
	for seed := range uint64(150) {
		base, under := t.TempDir(), t.TempDir()
		fill(t, base)
		fill(t, under)
		before := realTree(t, under)
		d := newDisk(t, under, seed)
		r := rand.New(rand.NewPCG(seed, 1))
		var done []string
		for range 60 {
			op := randomOperation(r)
			done = append(done, op.what)
			text, err := op.real(base)
			got, errno := op.disk(d)
			want := syscall.Errno(0)
			if err != nil && !errors.As(err, &want) {
				t.Fatal(err)
			}
			if text != got || want != syscall.Errno(errno) {
				t.Fatalf("seed %d, %s: %.50q, %v; want %.50q, %v\n%s", seed, op.what, got, syscall.Errno(errno), text, want, strings.Join(done, "\n"))
			}
			if r.IntN(20) == 0 {
				d.SyncAll()
			}
		}
		if got, want := tree(t, d), realTree(t, base); got != want {
			t.Fatalf("seed %d:\n%.3000s\nwant\n%.3000s\n%s", seed, got, want, strings.Join(done, "\n"))
		}
		if realTree(t, under) != before {
			t.Fatalf("seed %d: the real files have changed", seed)
		}
		d.SyncAll()
		was := tree(t, d)
		d.Crash()
		if now := tree(t, d); now != was {
			t.Fatalf("seed %d: a crash has lost what was durable:\n%.3000s\nwas\n%.3000s", seed, now, was)
		}
	}
}

func mustMake(t *testing.T, d *Disk, path string, mode uint32) *Node {
	t.Helper()
	p, errno := d.Walk(d.Root(), path, false)
	if errno == 0 {
		p.Node, errno = d.Make(p, mode, "")
	}
	if errno != 0 {
		t.Fatalf("%s: error %d", path, errno)
	}
	return p.Node
}

// The path of a directory is there as long as the directory is, in what has room for it.
func TestPath(t *testing.T) {
	d := newDisk(t, t.TempDir(), 1)
	path := ""
	for _, name := range []string{"a", "longer", "c"} {
		path += "/" + name
		n := mustMake(t, d, path, Dir|0o755)
		buf := make([]byte, len(path))
		if got, errno := d.Path(n, buf); string(got) != path || errno != 0 {
			t.Errorf("%q, error %d, want %q", got, errno, path)
		}
		if got, errno := d.Path(n, buf[1:]); got != nil || errno != ENAMETOOLONG {
			t.Errorf("in too little room: %q, error %d", got, errno)
		}
	}
	p, _ := d.Walk(d.Root(), path, false)
	if errno := d.Rmdir(p); errno != 0 {
		t.Fatal(errno)
	}
	if got, errno := d.Path(p.Node, make([]byte, 100)); got != nil || errno != ENOENT {
		t.Errorf("of a directory that was removed: %q, error %d", got, errno)
	}
}

func textOf(d *Disk, path string) (string, bool) {
	p, errno := d.Walk(d.Root(), path, false)
	if errno != 0 || p.Node == nil {
		return "", false
	}
	b := make([]byte, p.Node.Size)
	d.Read(p.Node, b, 0)
	return string(b), true
}

// What was not made durable may survive a crash, or be lost, or be torn, by the seed; what was,
// survives.
func TestCrash(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(300) {
		d := newDisk(t, t.TempDir(), seed)
		safe := mustMake(t, d, "/safe", Regular|0o644)
		d.Write(safe, []byte(strings.Repeat("s", 5000)), 0)
		d.Sync(safe)
		d.Sync(d.Root())
		log := mustMake(t, d, "/log", Regular|0o644)
		d.Write(log, []byte(strings.Repeat("A", 8192)), 0)
		d.Sync(log)
		d.Sync(d.Root())
		d.Write(log, []byte(strings.Repeat("B", 12288)), 0)
		d.Write(safe, []byte("changed"), 4000)
		d.Sync(safe)
		lost := mustMake(t, d, "/new", Regular|0o644)
		d.Write(lost, []byte("new"), 0)
		d.Sync(lost) // but not its name
		d.Crash()

		want := strings.Repeat("s", 4000) + "changed" + strings.Repeat("s", 993)
		if got, _ := textOf(d, "/safe"); got != want {
			t.Fatalf("seed %d: what was durable is %q", seed, got)
		}
		got, ok := textOf(d, "/log")
		switch {
		case !ok || len(got) < 8192:
			t.Fatalf("seed %d: the log has %d bytes", seed, len(got))
		case got == strings.Repeat("A", 8192):
			outcomes["old"]++
		case got == strings.Repeat("B", 12288):
			outcomes["new"]++
		case strings.Trim(got, "AB") == "" || strings.Trim(got, "AB\x00") == "":
			outcomes["mixed"]++
			for at := 0; at+sector <= len(got); at += sector {
				if s := got[at : at+sector]; strings.Trim(s, s[:1]) != "" {
					outcomes["torn within a sector"]++
				}
			}
			if strings.Trim(got[:4096], "A") != "" && strings.Trim(got[:4096], "B") != "" {
				outcomes["torn"]++
			}
		default:
			t.Fatalf("seed %d: the log has %q", seed, got)
		}
		if text, ok := textOf(d, "/new"); ok && text != "new" {
			t.Fatalf("seed %d: the new file has %q, which was durable", seed, text)
		} else if ok {
			outcomes["named"]++
		} else {
			outcomes["nameless"]++
		}
	}
	for _, what := range []string{"old", "new", "mixed", "torn", "named", "nameless"} {
		if outcomes[what] < 10 {
			t.Errorf("of 300 crashes %d are %s: %v", outcomes[what], what, outcomes)
		}
	}
	if outcomes["torn within a sector"] > 0 {
		t.Errorf("sectors are whole, but %v", outcomes)
	}
}

// A rename is done or not, never half, and what a file was renamed over is there otherwise.
func TestRenameSurvivesWhole(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(100) {
		d := newDisk(t, t.TempDir(), seed)
		d.Write(mustMake(t, d, "/f", Regular|0o644), []byte("old"), 0)
		d.SyncAll()
		n := mustMake(t, d, "/tmp", Regular|0o644)
		d.Write(n, []byte("new"), 0)
		d.Sync(n)
		from, _ := d.Walk(d.Root(), "/tmp", false)
		to, _ := d.Walk(d.Root(), "/f", false)
		if errno := d.Rename(from, to, 0); errno != 0 {
			t.Fatal(errno)
		}
		d.Crash()
		f, ok := textOf(d, "/f")
		_, left := textOf(d, "/tmp")
		outcomes[fmt.Sprintf("%s %t %t", f, ok, left)]++
	}
	for outcome, n := range outcomes {
		switch outcome {
		case "old true false", "old true true", "new true false":
		default:
			t.Errorf("%d times %s", n, outcome)
		}
	}
	if len(outcomes) != 3 {
		t.Errorf("not all outcomes: %v", outcomes)
	}
}

// A file is cut short in one step: it has what it had before, or nothing that was cut off.
func TestCutSurvivesWhole(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(200) {
		d := newDisk(t, t.TempDir(), seed)
		whole := strings.Repeat("r", 2*pageSize+100)
		n := mustMake(t, d, "/log", Regular|0o644)
		d.Write(n, []byte(whole), 0)
		d.SyncAll()
		if errno := d.Truncate(n, 0); errno != 0 {
			t.Fatal(errno)
		}
		d.Crash()
		switch got, _ := textOf(d, "/log"); got {
		case whole:
			outcomes["whole"]++
		case "":
			outcomes["empty"]++
		default:
			t.Fatalf("seed %d: %d bytes are left, of which %d are zeros", seed, len(got), strings.Count(got, "\x00"))
		}
	}
	if outcomes["whole"] < 40 || outcomes["empty"] < 40 {
		t.Errorf("not both outcomes: %v", outcomes)
	}
}

// Memory comes back: a file that is written and removed over and over needs no more of it.
func TestMemory(t *testing.T) {
	d := newDisk(t, t.TempDir(), 1)
	var after uintptr
	for i := range 20000 {
		n := mustMake(t, d, "/f", Regular|0o644)
		d.Write(n, make([]byte, 10000), 0)
		p, _ := d.Walk(d.Root(), "/f", false)
		if errno := d.Unlink(p); errno != 0 {
			t.Fatal(errno)
		}
		if i == 5000 {
			after = d.arena.next
		}
	}
	if d.arena.next != after {
		t.Errorf("%d bytes more after 15000 files", d.arena.next-after)
	}
	d.SyncAll()
	if d.used != 0 {
		t.Errorf("%d bytes in use", d.used)
	}
}

// A full disk takes no more, and has room again when something is removed.
func TestRoom(t *testing.T) {
	d := newDisk(t, t.TempDir(), 1)
	d.Room = 10 * pageSize
	n := mustMake(t, d, "/f", Regular|0o644)
	if k := d.Write(n, make([]byte, 20*pageSize), 0); k != 10*pageSize {
		t.Errorf("wrote %d", k)
	}
	if k := d.Write(n, make([]byte, 1), n.Size); k != -ENOSPC {
		t.Errorf("wrote %d", k)
	}
	if errno := d.Truncate(n, 0); errno != 0 {
		t.Error(errno)
	}
	if k := d.Write(n, make([]byte, 1), n.Size); k != 1 {
		t.Errorf("wrote %d", k)
	}
}

// A listing has an order that the seed chooses.
func TestListing(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(20) {
		d := newDisk(t, t.TempDir(), seed)
		d.Salt = seed
		for c := range 6 {
			mustMake(t, d, "/"+string(rune('a'+c)), Regular|0o644)
		}
		l, _ := d.List(d.Root())
		order := ""
		for _, e := range l.All()[2:] {
			order += e.Name
		}
		orders[order] = true
		again, _ := d.List(d.Root())
		if !slices.Equal(again.All(), l.All()) {
			t.Errorf("seed %d: %v, then %v", seed, l.All(), again.All())
		}
	}
	if len(orders) < 15 {
		t.Errorf("20 seeds give %d orders", len(orders))
	}
}

// A discreet directory lists what was made there or asked for, and is empty without that.
func TestDiscreet(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"dir/asked", "dir/other", "open/asked"} {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d := newDisk(t, base, 1)
	p, _ := d.Walk(d.Root(), "dir", true)
	d.Discreet(p.Node)
	names := func() (names []string) {
		l, errno := d.List(p.Node)
		if errno != 0 {
			t.Fatalf("error %d", errno)
		}
		for _, e := range l.All()[2:] {
			names = append(names, e.Name)
		}
		slices.Sort(names)
		return names
	}
	if have := names(); len(have) != 0 || !d.IsEmpty(p.Node) || p.Node.Mtime != Host.Start {
		t.Errorf("at first it has %v", have)
	}
	if text, _ := textOf(d, "/dir/asked"); text != "text" {
		t.Errorf("a real file has %q", text)
	}
	mustMake(t, d, "/dir/made", Regular|0o644)
	if have := names(); !slices.Equal(have, []string{"asked", "made"}) || d.IsEmpty(p.Node) {
		t.Errorf("then it has %v", have)
	}
	for _, name := range []string{"asked", "made"} {
		at, _ := d.Walk(p.Node, name, true)
		if errno := d.Unlink(at); errno != 0 {
			t.Fatalf("%s: error %d", name, errno)
		}
	}
	if have := names(); len(have) != 0 || !d.IsEmpty(p.Node) {
		t.Errorf("in the end it has %v", have)
	}
}

// Another process that maps the region takes the disk over, without what was open.
func TestAttach(t *testing.T) {
	d := newDisk(t, t.TempDir(), 1)
	d.Write(mustMake(t, d, "/f", Regular|0o644), []byte("text"), 0)
	n := d.New(Regular | 0o600)
	d.Write(n, make([]byte, 100), 0)
	if d.used != 2*pageSize {
		t.Errorf("%d bytes in use", d.used)
	}
	d = Attach(unsafe.Pointer(d), 1<<30)
	if text, _ := textOf(d, "/f"); text != "text" || d.used != pageSize {
		t.Errorf("%q, %d bytes in use", text, d.used)
	}
}

// Several processes can have a disk at once: no descriptor of a real file stays open for another
// one. What was put there can be withdrawn, and a link can lead elsewhere for each process.
func TestShared(t *testing.T) {
	base := t.TempDir()
	if err := os.WriteFile(filepath.Join(base, "real"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDisk(t, base, 1)
	opened, open, closed := 0, Host.Open, Host.Close
	Host.Open = func(path string) int32 { opened++; return open(path) }
	Host.Close = func(fd int32) { opened--; closed(fd) }
	p, _ := d.Walk(d.Root(), "real", true)
	n := p.Node
	var b [4]byte
	read := func() string { d.Open(n); k := d.Read(n, b[:], 2); return string(b[:k]) }
	if read() != "2345" || opened != 1 {
		t.Fatalf("%q, %d descriptors", b, opened)
	}
	if n.Original() != "/real" {
		t.Errorf("the real file is %q", n.Original())
	}
	d.Share()
	if opened != 0 {
		t.Errorf("%d descriptors stay open", opened)
	}
	if read() != "2345" || opened != 0 {
		t.Errorf("%q, %d descriptors", b, opened)
	}
	if d.Write(n, []byte("x"), 0); n.Original() != "" {
		t.Error("a changed file is what it was")
	}
	if Join(unsafe.Pointer(d)) != d {
		t.Error("another disk")
	}
	proc := d.Put(d.Root(), "proc", Dir|0o555, "")
	d.Put(proc, "1", Dir|0o555, "")
	own := d.Put(proc, "2", Dir|0o555, "")
	exe := d.Put(own, "exe", Symlink|0o777, "/real")
	Self.Node, Self.Target = d.Put(proc, "self", Symlink|0o777, "1"), "2"
	defer func() { Self.Node = nil }()
	if p, errno := d.Walk(d.Root(), "proc/self/exe", false); errno != 0 || p.Node != exe || Self.Node.Leads() != "2" ||
		exe.Leads() != "/real" {
		t.Errorf("error %d, %v", errno, p)
	}
	d.Withdraw(proc, "2")
	if p, errno := d.Walk(d.Root(), "proc/2", false); errno != 0 || p.Node != nil {
		t.Errorf("error %d, %v", errno, p)
	}
}
