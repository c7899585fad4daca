package build

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
	dir string

	mu     sync.Mutex
	stamps map[string]*stamps // by root

	temps atomic.Int64 // names that temp has given

	limit   int64        // of the bytes under obj; 0: none
	written atomic.Int64 // bytes that this process has put there

	elsewhere
}

// OpenCache opens, or makes, the cache in dir.
func OpenCache(dir string) (*Cache, error) {
	c := &Cache{dir: dir, stamps: map[string]*stamps{}}
	c.found = map[string]string{}
	if err := os.MkdirAll(filepath.Join(dir, "obj"), 0o777); err != nil {
		return nil, fmt.Errorf("cannot use the cache %s (LOAMCACHE chooses another): %w", dir, err)
	}
	scratch.Sweep(dir)
	return c, nil
}

// writable is an error if the cache can only be read. That is enough for builds of what it holds.
func (c *Cache) writable() error {
	if err := scratch.Writable(c.dir); err != nil {
		return fmt.Errorf("cannot write to the cache %s (LOAMCACHE chooses another): %w", c.dir, err)
	}
	return nil
}

// path is where the file with the given key and kind lives.
func (c *Cache) path(key, kind string) string {
	return filepath.Join(c.dir, "obj", key[:2], fileName(key, kind))
}

// has reports whether the file can be had, and marks it as used.
func (c *Cache) has(key, kind string) bool {
	return c.use(c.path(key, kind)) || c.findElsewhere(fileName(key, kind))
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

func (c *Cache) read(key, kind string) ([]byte, error) {
	data, err := os.ReadFile(c.path(key, kind))
	if errors.Is(err, fs.ErrNotExist) {
		return c.readElsewhere(fileName(key, kind))
	}
	return data, err
}

// readIf is read of what need not be there.
func (c *Cache) readIf(key, kind string) ([]byte, error) {
	if !c.has(key, kind) {
		return nil, fs.ErrNotExist
	}
	return c.read(key, kind)
}

// write stores data under key.
func (c *Cache) write(key, kind string, data []byte) error {
	if err := c.writeLocal(c.path(key, kind), data); err != nil {
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
	if err := c.writable(); err != nil {
		return err
	}
	tmp, err := c.temp("")
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

// temp returns a fresh name in this process's directory for temporary files, which is in the
// cache's file system if the cache can be written to. adopt moves what a tool has written there
// into place.
func (c *Cache) temp(suffix string) (string, error) {
	dir, err := scratch.Dir(c.dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, strconv.FormatInt(c.temps.Add(1), 10)+suffix), nil
}

// tempDir is the directory of temp's names.
func (c *Cache) tempDir() string {
	dir, err := scratch.Dir(c.dir)
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// command is a tool's, whose own temporary files come to temp's.
func (c *Cache) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+c.tempDir(), "GLIBC_TUNABLES="+tunables(os.Getenv("GLIBC_TUNABLES")))
	return cmd
}

// tunables are settings of glibc's memory for a tool, but for those that the user has made. LLVM
// frees and allocates small objects all the time: without a limit to how many of a size are kept at
// hand (there are 7 otherwise), clang takes a twentieth less time. Other C libraries do not look.
func tunables(users string) string {
	const ours = "glibc.malloc.tcache_count=60000:glibc.malloc.hugetlb=1"
	if users == "" {
		return ours
	}
	return ours + ":" + users // the last setting holds
}

func (c *Cache) adopt(tmp, key, kind string) error {
	p := c.path(key, kind)
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

// lock waits until no other process holds the lock of the key. Making what is under a key
// without it is right, but done twice. Locks are bytes of one file, which go with the process
// that holds them; two keys may share one.
func (c *Cache) lock(key string) (unlock func()) {
	f, err := os.OpenFile(filepath.Join(c.dir, locksFile), os.O_CREATE|os.O_RDWR, 0o666)
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

// umask is read once at start, before there are other goroutines: it can only be read by
// setting it.
var umask = func() os.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return os.FileMode(m)
}()

// ReadCache and WriteCache give users of the builder a place for what they keep: data under a
// key and a kind of their own.
func (b *Builder) ReadCache(key, kind string) ([]byte, error) {
	return b.cache.readIf(key, kind)
}

func (b *Builder) WriteCache(key, kind string, data []byte) error {
	return b.cache.write(key, kind, data)
}

// testsExpired is the file whose time says which test results are forgotten.
const testsExpired = "testexpire"

// TestsExpired is the time before which results of tests do not count.
func (b *Builder) TestsExpired() time.Time {
	st, err := os.Stat(filepath.Join(b.cache.dir, testsExpired))
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

// hasher builds a key from labelled parts; each part is framed by its length, so that no two
// different lists of parts collide.
type hasher struct{ h hash.Hash }

func newHasher(label string) *hasher {
	h := &hasher{sha256.New()}
	h.add("", label)
	return h
}

func (h *hasher) add(label, value string) {
	fmt.Fprintf(h.h, "%d %s %d ", len(label), label, len(value))
	io.WriteString(h.h, value)
}

func (h *hasher) sum() string { return hex.EncodeToString(h.h.Sum(nil)) }
