// Package scratch gives a process one directory for all its temporary files.
//
// The directory holds a file that the process keeps locked (flock) for as long as it lives. So
// the next process can tell what the dead have left, however they died, and removes it. The
// directory gets its final name only when the lock is held.
package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"loam/internal/child"
)

// Pattern matches the names of the directories.
const Pattern = "loam-tmp-*"

const (
	prefix   = "loam-tmp-"
	unready  = "loam-tmp-new-" // starts the names of directories whose lock may not be held yet
	lockName = "lock"          // is removed last: a directory without it has nothing else in it
)

// Where locks do not tell who lives, age does: a directory that is not locked yet gets its lock
// within unreadyAge, and on a file system without locks what is older than lostAge is nobody's.
const (
	unreadyAge = time.Minute
	lostAge    = 24 * time.Hour
)

var (
	mu   sync.Mutex
	mine = map[string]own{} // by the directory asked for; nil after Remove
)

type own struct {
	dir  string
	lock *os.File
	err  error // why it is not where it was asked for
}

// Dir returns this process's directory below parent, which is made by the first call, or, if
// nothing can be written there, one in the system's directory for temporary files. It removes what
// dead processes have left in the same place.
func Dir(parent string) (string, error) {
	o := find(parent)
	if o.dir == "" {
		return "", o.err
	}
	return o.dir, nil
}

// Writable is an error if the directory is elsewhere because nothing can be written to parent.
func Writable(parent string) error { return find(parent).err }

func find(parent string) own {
	mu.Lock()
	defer mu.Unlock()
	if mine == nil {
		return own{err: child.ErrEnding}
	}
	o, ok := mine[parent]
	if ok {
		return o
	}
	o = create(parent)
	if o.err != nil && parent != os.TempDir() {
		elsewhere := create(os.TempDir())
		elsewhere.err = o.err
		o = elsewhere
	}
	mine[parent] = o
	return o
}

// create makes a directory below parent.
func create(parent string) own {
	Sweep(parent)
	dir, err := os.MkdirTemp(parent, unready)
	if err != nil {
		return own{err: bare(err)}
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		os.RemoveAll(dir)
		return own{err: bare(err)}
	}
	syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // it fails where there are no locks
	final := filepath.Join(parent, prefix+strconv.Itoa(os.Getpid())+"-"+dir[len(filepath.Join(parent, unready)):])
	if err := os.Rename(dir, final); err != nil {
		lock.Close()
		os.RemoveAll(dir)
		return own{err: bare(err)}
	}
	return own{dir: final, lock: lock}
}

// bare is err without the name of a temporary file.
func bare(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// Remove removes this process's directories; there will be no other ones. Others may still be
// making files there: they find no directory of that name.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	for _, o := range mine {
		if o.dir != "" {
			gone := o.dir + "-gone"
			if os.Rename(o.dir, gone) != nil {
				gone = o.dir
			}
			remove(gone)
			o.lock.Close()
		}
	}
	mine = nil
}

// Sweep removes the directories below parent whose processes are dead.
func Sweep(parent string) {
	names, _ := filepath.Glob(filepath.Join(parent, Pattern))
	for _, dir := range names {
		sweep(dir)
	}
}

// sweep removes dir unless its process lives, or may live.
func sweep(dir string) {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() || st.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) && os.Geteuid() != 0 {
		return
	}
	age := time.Since(st.ModTime())
	if strings.HasPrefix(filepath.Base(dir), unready) && age <= unreadyAge {
		return // it may have its lock already, not yet locked
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		os.Remove(dir)
		return
	}
	if err != nil {
		return
	}
	defer lock.Close()
	switch err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case err == nil, !errors.Is(err, syscall.EWOULDBLOCK) && age > lostAge:
		remove(dir)
	}
}

// remove removes dir, its lock last.
func remove(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockName {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	os.RemoveAll(dir)
}
