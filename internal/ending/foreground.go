package ending

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"loam/internal/child"
)

// Report is what is said of how a program ended that failed.
type Report int

const (
	Tell   Report = iota // how it ended, on stderr; the exit code is 1, as with go run
	PassOn               // nothing: its exit code is the process's, too
)

// As runs a program in the foreground, and returns how the process has to end. Interrupts are the
// program's business.
func As(cmd *exec.Cmd, report Report) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// A terminal sends these two to the program as well. They are caught, not ignored: the
	// program would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT)
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGHUP)
	Only()
	wait, err := child.Start(cmd)
	if err != nil {
		return err
	}
	go func() {
		for sig := range end {
			cmd.Process.Signal(sig)
		}
	}()
	err = wait()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		return err
	}
	if report == PassOn {
		return Code(max(ended.ExitCode(), 1))
	}
	fmt.Fprintln(os.Stderr, ended)
	return Code(1)
}
