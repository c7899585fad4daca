package main

import (
	"bufio"
	"bytes"
	"go/version"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"loam/internal/child"
)

// A converter turns the output of one test binary into JSON events. The SDK's test2json does
// the work; its output passes through here, so that lines of several tests do not mix, and
// the first event (the start) is out before the next test starts.
//
// Test2json goes by what the binary prints last. A TestMain may print nothing of the kind, or print
// FAIL and exit with 0: then the exit status decides, as with the go command.
type converter struct {
	t    *testRun
	pkg  string
	in   io.WriteCloser
	cmd  *exec.Cmd
	wait func() error // of cmd
	done chan struct{}

	began time.Time
	last  []byte // the event that ends the package, nil if there is none; once done is closed
}

func (r *oneRun) newConverter(pkg string) (*converter, error) {
	if r.q.err != nil {
		return r.newFailure(r.q), nil
	}
	c := &converter{t: r.testRun, pkg: pkg, done: make(chan struct{}), began: time.Now()}
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
			if endsPackage(line) {
				c.last = line
			} else if len(line) > 0 {
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

// actionKey is before what an event says of a test, or of the package if it names no test.
const actionKey = `"Action":`

// endsPackage reports whether an event of test2json's is the last one of a package.
func endsPackage(event []byte) bool {
	return !bytes.Contains(event, []byte(`"Test":`)) && slices.ContainsFunc([]string{"pass", "fail", "skip"}, func(action string) bool {
		return bytes.Contains(event, []byte(actionKey+strconv.Quote(action)))
	})
}

// close ends the stream of events. The last one says whether the run has failed with err.
func (c *converter) close(err error) {
	c.in.Close()
	if c.cmd == nil {
		return
	}
	<-c.done
	c.wait()
	action := "pass"
	if err != nil {
		action = "fail"
	}
	switch {
	case c.last == nil:
		printEvent(&c.t.stdout, struct {
			Time            time.Time
			Action, Package string
			Elapsed         float64
		}{time.Now(), action, c.pkg, time.Since(c.began).Round(time.Millisecond).Seconds()})
		return
	case err != nil:
		c.last = withAction(withAction(c.last, "pass", action), "skip", action)
	case !c.t.sim.On(): // a line of the summary says what seeds have come to
		c.last = withAction(c.last, "fail", action)
	}
	c.t.stdout.Write(c.last)
}

// withAction gives an event another action than from.
func withAction(event []byte, from, to string) []byte {
	return bytes.Replace(event, []byte(actionKey+strconv.Quote(from)), []byte(actionKey+strconv.Quote(to)), 1)
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
