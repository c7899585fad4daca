package scratch

import (
	"os"
	"syscall"
	"unsafe"
)

// Replace renames the finished file from to the name to, as os.Rename does. Where a file has that
// name, the two change places and the old one is removed: some file systems write a file out before
// they let it take another's place, which the caller would wait for. What both may hold can be made
// again, should the machine lose its power meanwhile.
func Replace(from, to string) error {
	if st, err := os.Lstat(to); err != nil || !st.Mode().IsRegular() || exchange(from, to) != nil {
		return os.Rename(from, to)
	}
	return os.Remove(from)
}

func exchange(a, b string) error {
	pa, err := syscall.BytePtrFromString(a)
	if err != nil {
		return err
	}
	pb, err := syscall.BytePtrFromString(b)
	if err != nil {
		return err
	}
	const (
		renameat2 = 316
		cwd       = -100 // AT_FDCWD
		places    = 2    // RENAME_EXCHANGE
	)
	at := cwd
	_, _, errno := syscall.Syscall6(renameat2, uintptr(at), uintptr(unsafe.Pointer(pa)), uintptr(at), uintptr(unsafe.Pointer(pb)), places, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
