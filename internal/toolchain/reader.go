package toolchain

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"loam/internal/child"
)

// A reader is a tool that reads named pipes. To open one for writing waits for the tool, which is
// how it tells that it has come so far.
type reader struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process is gone, or was never there

	mu    sync.Mutex
	gone  bool
	opens string // the pipe that is being opened, "" if none is
}

func newReader(cmd *exec.Cmd) reader { return reader{cmd: cmd, ended: make(chan struct{})} }

func (r *reader) start() error {
	wait, err := child.StartTool(r.cmd)
	if err != nil {
		close(r.ended)
		return err
	}
	go r.watch(wait)
	return nil
}

// watch waits for the process, and then keeps open from waiting for it.
func (r *reader) watch(wait func() error) {
	wait()
	close(r.ended)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	for r.opens != "" {
		if f, err := os.OpenFile(r.opens, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
		r.mu.Unlock()
		time.Sleep(time.Millisecond)
		r.mu.Lock()
	}
}

// open waits until the tool opens the pipe of that name. If the tool is gone it fails.
func (r *reader) open(name string) (*os.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return nil, errNoServer
	}
	r.opens = name
	r.mu.Unlock()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	r.mu.Lock()
	r.opens = ""
	if err == nil && r.gone {
		f.Close()
		return nil, errNoServer
	}
	return f, err
}

// kill ends the process, if it has begun.
func (r *reader) kill() {
	if r.cmd.Process == nil {
		return
	}
	select {
	case <-r.ended:
	default:
		syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
		<-r.ended
	}
}
