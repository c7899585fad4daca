// Package child runs other programs so that they end with this process, however it ends.
//
// The kernel kills each of them when the thread that started it ends (PR_SET_PDEATHSIG), which
// covers SIGKILL. All are started by one thread that lives as long as the process: other threads
// may end at any time. EndAll is for the ends that are foreseen: it waits until nobody writes to
// files any more that are about to be removed.
package child

import (
	"bytes"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// ErrEnding is the error of programs that were ended, or not started, because EndTools or EndAll
// was called.
var ErrEnding = errors.New("interrupted")

// patience is how long EndAll waits for programs to die that it has killed.
const patience = 5 * time.Second

var (
	mu      sync.Mutex
	running = map[*exec.Cmd]chan struct{}{} // closed when the program has ended
	ending  bool                            // nothing is started any more
	noTools bool                            // no tool is started any more
)

// A start is a program for the thread that starts them.
type start struct {
	cmd *exec.Cmd
	err chan error
}

// starts leads to that thread.
var starts = sync.OnceValue(func() chan<- start {
	c := make(chan start)
	go func() {
		runtime.LockOSThread()
		for s := range c {
			s.err <- s.cmd.Start()
		}
	}()
	return c
})

// Start starts a program. The caller has to call wait, which is cmd.Wait.
func Start(cmd *exec.Cmd) (wait func() error, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	mu.Lock() // until it is among those that EndAll ends
	defer mu.Unlock()
	if ending || noTools && isTool(cmd) {
		return nil, ErrEnding
	}
	s := start{cmd, make(chan error)}
	starts() <- s
	if err := <-s.err; err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	running[cmd] = ended
	return func() error {
		err := cmd.Wait()
		mu.Lock()
		defer mu.Unlock()
		delete(running, cmd)
		close(ended)
		if err != nil && (ending || noTools && isTool(cmd)) {
			return ErrEnding
		}
		return err
	}, nil
}

// isTool reports whether cmd was started by StartTool. Tools have process groups of their own, so
// that they end with what they start.
func isTool(cmd *exec.Cmd) bool { return cmd.SysProcAttr.Setpgid }

// Run is cmd.Run.
func Run(cmd *exec.Cmd) error {
	wait, err := Start(cmd)
	if err != nil {
		return err
	}
	return wait()
}

// Output is cmd.Output, but that the error has no text of stderr.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	err := Run(cmd)
	return out.Bytes(), err
}

// Tool runs a program that neither reads nor writes the terminal, and returns what it prints,
// stderr included.
func Tool(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	wait, err := StartTool(cmd)
	if err == nil {
		err = wait()
	}
	return out.Bytes(), err
}

// StartTool is Start for a program such as Tool runs.
func StartTool(cmd *exec.Cmd) (wait func() error, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return Start(cmd)
}

// EndTools ends all tools and lets no more start.
func EndTools() {
	mu.Lock()
	noTools = true
	mu.Unlock()
	end(isTool)
}

// EndAll ends all programs and lets no more start.
func EndAll() {
	mu.Lock()
	ending = true
	mu.Unlock()
	end(func(*exec.Cmd) bool { return true })
}

// Ending reports whether EndTools or EndAll was called: what fails from then on may fail because
// of it, in whatever way, and nobody needs to hear of it.
func Ending() bool {
	mu.Lock()
	defer mu.Unlock()
	return ending || noTools
}

// end kills those of the running programs that which selects and waits for their ends.
func end(which func(*exec.Cmd) bool) {
	var all []chan struct{}
	mu.Lock()
	for cmd, ended := range running {
		switch {
		case !which(cmd):
			continue
		case isTool(cmd):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		default:
			cmd.Process.Kill()
		}
		all = append(all, ended)
	}
	mu.Unlock()
	limit := time.After(patience)
	for _, ended := range all {
		select {
		case <-ended:
		case <-limit:
			return
		}
	}
}
