package build

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// InstallProgram moves the finished program in the file made to out, where it appears whole or not at all. What stands there and is
// no program, a source file that was named by mistake, stays.
func InstallProgram(made, out string) error {
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
	dir := filepath.Dir(out)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
	}
	if err := os.Chmod(made, 0o777&^umask); err != nil {
		return err
	}
	// In a directory that gives its group to new files, the program has to be one.
	if st, err := os.Stat(dir); err == nil && st.Mode()&os.ModeSetgid == 0 {
		err := os.Rename(made, out)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EXDEV) {
			return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
		}
	}
	if err := writeFile(out, 0o777, func(w io.Writer) error { return copyFrom(w, made) }); err != nil {
		return fmt.Errorf("cannot write %s: %w", out, errors.Unwrap(err))
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

// programHeads is how files begin that a compiler or linker has made: ELF, PE, Mach-O of all kinds, WebAssembly, archives, Go objects.
var programHeads = []string{"\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe",
	"\x00asm", "!<arch>\n", "go object "}

// isProgram tells whether the file can be the output of an earlier build.
func isProgram(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	for _, magic := range programHeads {
		if strings.HasPrefix(string(head[:n]), magic) {
			return true
		}
	}
	return false
}

// diskFull tells whether a tool ended because the disk is full: the linker maps the file that it writes, and learns it by a signal.
func diskFull(err error) bool {
	var te *toolError
	if !errors.As(err, &te) {
		return false
	}
	var ended interface{ Sys() any }
	if !errors.As(te.err, &ended) {
		return false
	}
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGBUS
}
