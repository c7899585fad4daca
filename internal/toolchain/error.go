package toolchain

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// Error is the failure of an external program.
type Error struct {
	Tool, Output string
	Err          error
}

func (e *Error) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("%s: %v", e.Tool, e.Err)
	}
	// LLVM's programs die of SIGXFSZ with a page about themselves.
	if limit := fileLimit(); limit != "" && strings.Contains(e.Output, "\nStack dump:\n") {
		return e.Tool + ": " + limit
	}
	lines := strings.Split(e.Output, "\n")
	const most = 20
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("... (%d more lines)", len(lines)-most))
	}
	return fmt.Sprintf("%s: %v\n%s", e.Tool, e.Err, strings.Join(lines, "\n"))
}

// fileLimit says how big files may get, "" if as big as they like.
func fileLimit() string {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) != nil || limit.Cur == ^uint64(0) {
		return ""
	}
	return fmt.Sprintf("file too large: the limit is %d bytes (ulimit -f)", limit.Cur)
}

// DiskFull reports whether a tool ended because the disk is full: the linker maps the file that it
// writes, and learns it by a signal.
func DiskFull(err error) bool {
	var te *Error
	if !errors.As(err, &te) {
		return false
	}
	var ended interface{ Sys() any }
	if !errors.As(te.Err, &ended) {
		return false
	}
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGBUS
}
