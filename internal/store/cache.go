// Package store keeps what builds have made: files that never change, in a directory, each named by
// the hash of what it was made from. Packs and a program (GOCACHEPROG) may have some that the
// directory lacks. It knows nothing of packages and of how they are compiled.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"loam/internal/scratch"
)

// A Cache is a directory of immutable files, each named by the hash of what it was made from.
type Cache struct {
	Dir string

	mu     sync.Mutex
	stamps map[string]*stamps // by root

	temps atomic.Int64 // names that temp has given

	Limit   int64        // of the bytes under obj; 0: none
	written atomic.Int64 // bytes that this process has put there

	Rebuild bool // take nothing but what this process has made; see Usable
	made    made

	elsewhere
}

// Open opens, or makes, the cache in dir.
func Open(dir string) (*Cache, error) {
	c := &Cache{Dir: dir, stamps: map[string]*stamps{}}
	c.found = map[string]string{}
	if err := os.MkdirAll(filepath.Join(dir, "obj"), 0o777); err != nil {
		return nil, fmt.Errorf("cannot use the cache %s (LOAMCACHE chooses another): %w", dir, err)
	}
	scratch.Sweep(dir)
	return c, nil
}

// Writable is an error if the cache can only be read. That is enough for builds of what it holds.
func (c *Cache) Writable() error {
	if err := scratch.Writable(c.Dir); err != nil {
		return fmt.Errorf("cannot write to the cache %s (LOAMCACHE chooses another): %w", c.Dir, err)
	}
	return nil
}

// Path is where the file with the given key and kind lives.
func (c *Cache) Path(key, kind string) string {
	return filepath.Join(c.Dir, "obj", key[:2], FileName(key, kind))
}

// Has reports whether the file can be had, and marks it as used.
func (c *Cache) Has(key, kind string) bool {
	return c.use(c.Path(key, kind)) || c.findElsewhere(FileName(key, kind))
}

// use reports whether the file of the cache is in its directory, and marks it as used.
func (c *Cache) use(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return false
	}
	// Trimming goes by modification time; an hour's precision is enough.
	if now := time.Now(); now.Sub(st.ModTime()) > useInterval {
		os.Chtimes(path, now, now)
	}
	return true
}

// Read returns the content of a file.
func (c *Cache) Read(key, kind string) ([]byte, error) {
	data, err := os.ReadFile(c.Path(key, kind))
	if errors.Is(err, fs.ErrNotExist) {
		return c.readElsewhere(FileName(key, kind))
	}
	return data, err
}

// ReadIf is Read of what need not be there.
func (c *Cache) ReadIf(key, kind string) ([]byte, error) {
	if !c.Has(key, kind) {
		return nil, fs.ErrNotExist
	}
	return c.Read(key, kind)
}

// Write stores data under key.
func (c *Cache) Write(key, kind string, data []byte) error {
	if err := c.writeLocal(c.Path(key, kind), data); err != nil {
		return err
	}
	c.store(key, kind)
	return nil
}

func (c *Cache) writeLocal(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return c.install(path, data)
}

// install makes a file of the cache appear with its whole content.
func (c *Cache) install(name string, data []byte) error {
	if err := c.Writable(); err != nil {
		return err
	}
	tmp, err := c.Temp("")
	if err != nil {
		return err
	}
	err = os.WriteFile(tmp, data, 0o666)
	if err == nil {
		err = scratch.Replace(tmp, name)
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	c.written.Add(int64(len(data)))
	return nil
}

// Temp returns a fresh name in this process's directory for temporary files, which is in the
// cache's file system if the cache can be written to. Adopt moves what a tool has written there
// into place.
func (c *Cache) Temp(suffix string) (string, error) {
	dir, err := scratch.Dir(c.Dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, strconv.FormatInt(c.temps.Add(1), 10)+suffix), nil
}

// TempDir is the directory of Temp's names.
func (c *Cache) TempDir() string {
	dir, err := scratch.Dir(c.Dir)
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// Command is a tool's, whose own temporary files come to Temp's.
func (c *Cache) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+c.TempDir(), "GLIBC_TUNABLES="+Tunables(os.Getenv("GLIBC_TUNABLES")))
	return cmd
}

// Tunables are settings of glibc's memory for a tool, but for those that the user has made. LLVM
// frees and allocates small objects all the time: without a limit to how many of a size are kept at
// hand (there are 7 otherwise), clang takes a twentieth less time. Other C libraries do not look.
func Tunables(users string) string {
	const ours = "glibc.malloc.tcache_count=60000:glibc.malloc.hugetlb=1"
	if users == "" {
		return ours
	}
	return ours + ":" + users // the last setting holds
}

// Adopt moves what a tool has written under a temporary name to its place.
func (c *Cache) Adopt(tmp, key, kind string) error {
	p := c.Path(key, kind)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		return err
	}
	if err := os.Rename(tmp, p); err != nil {
		return err
	}
	if st, err := os.Stat(p); err == nil {
		c.written.Add(st.Size())
	}
	c.store(key, kind)
	return nil
}

// Lock waits until no other process holds the lock of the key. Making what is under a key
// without it is right, but done twice. Locks are bytes of one file, which go with the process
// that holds them; two keys may share one.
func (c *Cache) Lock(key string) (unlock func()) {
	f, err := os.OpenFile(filepath.Join(c.Dir, locksFile), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return func() {}
	}
	place, _ := strconv.ParseInt(key[:8], 16, 64)
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: place, Len: 1}
	// F_OFD_SETLKW: the lock belongs to f, not to the process, which may have another
	const setAndWait = 38
	for syscall.FcntlFlock(f.Fd(), setAndWait, &lock) == syscall.EINTR {
	}
	return func() { f.Close() }
}

// locksFile is the file whose bytes are locked.
const locksFile = "locks"

// testsExpired is the file whose time says which test results are forgotten.
const testsExpired = "testexpire"

// TestsExpired is the time before which results of tests do not count.
func (c *Cache) TestsExpired() time.Time {
	st, err := os.Stat(filepath.Join(c.Dir, testsExpired))
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// ExpireTests makes all results of tests that were kept so far worthless.
func ExpireTests(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, testsExpired)
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		return err
	}
	return os.Chtimes(name, time.Time{}, time.Now())
}

// notesKind is the kind of notes.
const notesKind = "tool"

// Recall returns what was noted under key, on this machine. No cache has no notes.
func (c *Cache) Recall(key *Hasher) string {
	if c == nil {
		return ""
	}
	path := c.Path(key.Sum(), notesKind)
	if !c.use(path) {
		return ""
	}
	text, _ := os.ReadFile(path)
	return string(text)
}

// Note keeps text. To lose it costs time only.
func (c *Cache) Note(key *Hasher, text string) {
	if c != nil {
		c.writeLocal(c.Path(key.Sum(), notesKind), []byte(text))
	}
}

// Hasher builds a key from labelled parts; each part is framed by its length, so that no two
// different lists of parts collide.
type Hasher struct{ h hash.Hash }

// NewHasher begins a key of what the label says.
func NewHasher(label string) *Hasher {
	h := &Hasher{sha256.New()}
	h.Add("", label)
	return h
}

// Add adds a part.
func (h *Hasher) Add(label, value string) {
	fmt.Fprintf(h.h, "%d %s %d ", len(label), label, len(value))
	io.WriteString(h.h, value)
}

// Sum is the key.
func (h *Hasher) Sum() string { return hex.EncodeToString(h.h.Sum(nil)) }
