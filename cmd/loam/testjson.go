package main

import (
	"bufio"
	"go/version"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"loam/internal/child"
)

// A converter turns the output of one test binary into JSON events. The SDK's test2json does
// the work; its output passes through here, so that lines of several tests do not mix, and
// the first event (the start) is out before the next test starts.
type converter struct {
	t    *testRun
	pkg  string
	in   io.WriteCloser
	cmd  *exec.Cmd
	wait func() error // of cmd
	done chan struct{}
}

func (r *oneRun) newConverter(pkg string) (*converter, error) {
	if r.q.err != nil {
		return r.newFailure(r.q), nil
	}
	c := &converter{t: r.testRun, pkg: pkg, done: make(chan struct{})}
	c.cmd = exec.Command(r.s.load.Go, "tool", "test2json", "-t", "-p", pkg)
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.wait, err = child.Start(c.cmd); err != nil {
		return nil, err
	}
	first := make(chan struct{})
	go func() {
		defer close(c.done)
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				r.stdout.Write(line)
			}
			if first != nil {
				close(first)
				first = nil
			}
			if err != nil {
				return
			}
		}
	}()
	<-first
	return c, nil
}

func (c *converter) Write(b []byte) (int, error) { return c.in.Write(b) }

// close ends the stream of events. The last one says what the test printed last: FAIL, if it
// failed, because the summary line does.
func (c *converter) close(error) {
	c.in.Close()
	if c.cmd != nil {
		<-c.done
		c.wait()
	}
}

// newFailure returns a converter for a test that could not be built: a start, the lines, and
// a failure that says whose errors are the cause.
func (t *testRun) newFailure(q *testedPackage) *converter {
	cause := q.failedBuild
	if cause == "" {
		cause = q.pkg.ImportPath
	}
	w := &failureEvents{t: t, pkg: q.pkg.ImportPath, cause: cause}
	w.event("start", nil, "")
	return &converter{t: t, pkg: q.pkg.ImportPath, in: w}
}

type failureEvents struct {
	t          *testRun
	pkg, cause string
}

func (w *failureEvents) event(action string, elapsed *float64, text string) {
	cause, kind := "", ""
	if action == "fail" {
		cause = w.cause
	}
	// From Go 1.27 on events tell the frame around a test's own output.
	if strings.HasPrefix(text, "FAIL") && version.Compare(w.t.s.load.Release(), "go1.27") >= 0 {
		kind = "frame"
	}
	printEvent(&w.t.stdout, struct {
		Time        time.Time
		Action      string
		Package     string
		Elapsed     *float64 `json:",omitempty"`
		Output      string   `json:",omitempty"`
		OutputType  string   `json:",omitempty"`
		FailedBuild string   `json:",omitempty"`
	}{time.Now(), action, w.pkg, elapsed, text, kind, cause})
}

func (w *failureEvents) Write(b []byte) (int, error) {
	w.event("output", nil, string(b))
	return len(b), nil
}

func (w *failureEvents) Close() error {
	w.event("fail", new(float64), "")
	return nil
}
