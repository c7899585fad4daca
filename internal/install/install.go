// Package install moves finished files to where the user wants them: whole or not at all, and never
// over what no build has made.
package install

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"loam/internal/scratch"
)

// umask is read once at start, before there are other goroutines: it can only be read by
// setting it.
var umask = func() os.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return os.FileMode(m)
}()

// Program moves the finished program in the file made to out, where it appears whole or not
// at all. What stands there and is no program, a source file that was named by mistake, stays.
func Program(made, out string) error {
	st, err := os.Stat(out)
	switch {
	case err != nil: // nothing there, or what renaming will say
	case st.IsDir():
		return fmt.Errorf("build output %q already exists and is a directory", out)
	case !st.Mode().IsRegular():
		return overwrite(made, out)
	case st.Size() > 0 && !isProgram(out):
		return fmt.Errorf("build output %q already exists and is not an object file", out)
	}
	return File(made, out, 0o777)
}

// File moves the finished file made to out.
func File(made, out string, mode os.FileMode) error {
	dir := filepath.Dir(out)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
	}
	if err := os.Chmod(made, mode&^umask); err != nil {
		return err
	}
	// In a directory that gives its group to new files, this has to be one.
	if st, err := os.Stat(dir); err == nil && st.Mode()&os.ModeSetgid == 0 {
		err := scratch.Replace(made, out)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EXDEV) {
			return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
		}
	}
	if err := copyInto(dir, made, out, mode); err != nil {
		return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
	}
	return nil
}

// copyInto copies the file made to out in dir. The copy has no name until it is whole, where the
// file system has such files: a build that is killed meanwhile leaves nothing in the user's
// directories.
func copyInto(dir, made, out string, mode os.FileMode) error {
	const unnamed = 0o20200000 // O_TMPFILE
	f, err := os.OpenFile(dir, os.O_RDWR|unnamed, 0o777)
	if err != nil {
		f, err = os.CreateTemp(dir, ".loam-*")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	name := f.Name()
	if err = copyFrom(f, made); err == nil && name == dir {
		name = filepath.Join(dir, fmt.Sprintf(".loam-%d", os.Getpid()))
		err = linkUnnamed(f, name)
	}
	if err == nil {
		err = os.Chmod(name, mode&^umask)
	}
	if err == nil {
		err = scratch.Replace(name, out)
	}
	if err != nil && name != dir {
		os.Remove(name)
	}
	return err
}

// linkUnnamed gives a name to a file that was opened without one.
func linkUnnamed(f *os.File, name string) error {
	from, err := syscall.BytePtrFromString(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	const cwd, follow = -100, 0x400 // AT_FDCWD, AT_SYMLINK_FOLLOW
	at := cwd
	_, _, errno := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(at), uintptr(unsafe.Pointer(from)),
		uintptr(at), uintptr(unsafe.Pointer(to)), follow, 0)
	if errno != 0 {
		return &os.PathError{Op: "link", Path: name, Err: errno}
	}
	return nil
}

// overwrite writes the program to a device or a pipe, which must not be replaced by a file.
func overwrite(made, out string) error {
	f, err := os.OpenFile(out, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = copyFrom(f, made)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// copyFrom copies the file made to w.
func copyFrom(w io.Writer, made string) error {
	in, err := os.Open(made)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(w, in)
	return err
}

// programHeads is how files begin that a compiler or linker has made: ELF, PE, Mach-O of all kinds,
// WebAssembly, archives, Go objects.
var programHeads = []string{"\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe",
	"\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe",
	"\x00asm", "!<arch>\n", "go object "}

// IsELF reports whether the file is one that clang or the linker has made.
func IsELF(name string) bool { return hasHead(name, programHeads[:1]) }

// isProgram reports whether the file can be the output of an earlier build.
func isProgram(name string) bool { return hasHead(name, programHeads) }

// hasHead reports whether the file begins as one of heads.
func hasHead(name string, heads []string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	return slices.ContainsFunc(heads, func(magic string) bool { return strings.HasPrefix(string(head[:n]), magic) })
}
