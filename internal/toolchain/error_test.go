package toolchain

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// A linker that ran into the limit of a file's size says what it is, and nothing of itself.
func TestFileLimit(t *testing.T) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limit := old
	limit.Cur = min(old.Max, 1<<40)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	err := &Error{Tool: "ld.lld-19", Err: errors.New("exit status 1"), Output: "PLEASE submit a bug report\nStack dump:\n0. x"}
	if want := fmt.Sprintf("ld.lld-19: file too large: the limit is %d bytes (ulimit -f)", limit.Cur); err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	err.Output = "ld.lld-19: error: x"
	if want := "ld.lld-19: exit status 1\nld.lld-19: error: x"; err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}
