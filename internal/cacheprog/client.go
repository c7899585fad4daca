// Package cacheprog speaks with a program that keeps a build cache elsewhere, as the go command
// does with GOCACHEPROG.
//
// The protocol is that of cmd/go/internal/cacheprog. The program is started with pipes for its
// standard input and output. It first says which commands it knows; then each request, a line of
// JSON, has one response, in any order. A get names an action, 32 bytes, and is answered with the
// name of a file that holds what an earlier put brought under it, or with a miss. The body of a put
// follows its request, as a JSON string in base64. The program ends after a close, or when its
// standard input ends: so it has time to finish what it writes, however this process ends.
//
// What the program says wrong, about one request, is that request's error. A program that ends, or
// says something that is not the protocol, is broken: this and all later requests have that error.
package cacheprog

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// ID is the name of an action, or the hash of a content.
type ID = [32]byte

// request and response are the protocol's, as JSON.
type request struct {
	ID       int64
	Command  string
	ActionID []byte `json:",omitempty"`
	OutputID []byte `json:",omitempty"`
	BodySize int64  `json:",omitempty"`
}

type response struct {
	ID            int64
	Err           string
	KnownCommands []string
	Miss          bool
	OutputID      []byte
	Size          int64
	DiskPath      string
}

// A Client is a running program. Its methods may be called by several goroutines.
type Client struct {
	cmd   *exec.Cmd
	knows []string
	ended chan struct{} // closed when the program's output has ended

	writing sync.Mutex // held for a request with its body
	in      *bufio.Writer
	pipe    io.Closer

	mu      sync.Mutex // guards what follows
	last    int64
	pending map[int64]chan response
	closing bool
	broken  error
}

// waitNote is how often somebody who waits for the program's first word is told so.
const waitNote = 5 * time.Second

// Start starts the program and waits for its first word. What it prints on its standard error goes
// to stderr.
func Start(words []string, stderr io.Writer) (*Client, error) {
	if len(words) == 0 {
		return nil, errors.New("GOCACHEPROG names no program")
	}
	c := &Client{cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{}), pending: map[int64]chan response{}}
	c.cmd.Stderr = stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.pipe = bufio.NewWriterSize(in, 1<<16), in
	first := make(chan response, 1)
	c.pending[0] = first
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("error starting GOCACHEPROG program %q: %w", words[0], err)
	}
	go c.receive(out)
	note := time.NewTicker(waitNote)
	defer note.Stop()
	for {
		select {
		case <-note.C:
			fmt.Fprintf(stderr, "loam: still waiting for GOCACHEPROG %s ...\n", words[0])
		case r, ok := <-first:
			switch {
			case !ok:
				c.end()
				return nil, c.Broken()
			case len(r.KnownCommands) == 0:
				c.end()
				return nil, fmt.Errorf("GOCACHEPROG %s declared no supported commands", words[0])
			}
			c.knows = r.KnownCommands
			return c, nil
		}
	}
}

// Knows reports whether the program has a command: get, put or close.
func (c *Client) Knows(command string) bool { return slices.Contains(c.knows, command) }

// Broken is why the program is of no use any more, nil as long as it is.
func (c *Client) Broken() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken
}

// receive hands responses to those who wait for them, until there are no more.
func (c *Client) receive(out io.Reader) {
	defer close(c.ended)
	in := json.NewDecoder(out)
	for {
		var r response
		if err := in.Decode(&r); err != nil {
			c.giveUp(err)
			return
		}
		c.mu.Lock()
		waiting := c.pending[r.ID]
		delete(c.pending, r.ID)
		c.mu.Unlock()
		if waiting == nil {
			c.giveUp(fmt.Errorf("GOCACHEPROG sent response for unknown request ID %d", r.ID))
			return
		}
		waiting <- r
	}
}

// giveUp says why there are no more responses to those who wait for one.
func (c *Client) giveUp(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case c.broken != nil:
	case c.closing:
		c.broken = errClosed
	case errors.Is(err, io.EOF):
		c.broken = fmt.Errorf("GOCACHEPROG exited pre-Close with %d pending requests", len(c.pending))
	case errors.As(err, &syntax), errors.As(err, &kind), errors.Is(err, io.ErrUnexpectedEOF):
		c.broken = fmt.Errorf("error reading JSON from GOCACHEPROG: %w", err)
	default:
		c.broken = err
	}
	for _, waiting := range c.pending {
		close(waiting)
	}
	c.pending = nil
	c.pipe.Close() // nobody may wait to write to it
}

var errClosed = errors.New("GOCACHEPROG program closed unexpectedly")

// ask sends a request and waits for its response.
func (c *Client) ask(r request, body io.Reader) (response, error) {
	waiting := make(chan response, 1)
	c.mu.Lock()
	if c.broken != nil {
		c.mu.Unlock()
		return response{}, c.broken
	}
	c.last++
	r.ID = c.last
	c.pending[r.ID] = waiting
	c.mu.Unlock()
	if err := c.send(r, body); err != nil {
		// Half of a request leaves the program waiting for the rest: it is of no use any more. If it has
		// ended, that says more than a broken pipe.
		if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
			c.giveUp(err)
		}
		c.pipe.Close()
		<-c.ended
		return response{}, c.Broken()
	}
	answer, ok := <-waiting
	if !ok {
		return response{}, c.Broken()
	}
	if answer.Err != "" {
		return response{}, errors.New(answer.Err)
	}
	return answer, nil
}

// send writes a request as the go command does: the line of JSON, an empty line, the body's line.
func (c *Client) send(r request, body io.Reader) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	c.in.Write(append(line, "\n\n"...))
	if r.BodySize > 0 {
		c.in.WriteByte('"')
		text := base64.NewEncoder(base64.StdEncoding, c.in)
		n, err := io.Copy(text, body)
		if err == nil && n != r.BodySize {
			err = fmt.Errorf("GOCACHEPROG: a content has %d bytes, not %d", n, r.BodySize)
		}
		if err != nil {
			return err
		}
		text.Close()
		c.in.WriteString("\"\n")
	}
	return c.in.Flush() // has the error of what was written before, too
}

// Get returns the name of the file that holds what was put under an action, "" if there is none,
// and the hash that was put with it.
func (c *Client) Get(action ID) (file string, output ID, err error) {
	if !c.Knows("get") {
		return "", ID{}, nil
	}
	r, err := c.ask(request{Command: "get", ActionID: action[:]}, nil)
	switch {
	case err != nil || r.Miss:
		return "", ID{}, err
	case !filepath.IsAbs(r.DiskPath):
		return "", ID{}, errors.New("GOCACHEPROG didn't populate DiskPath on get hit")
	case len(r.OutputID) != len(output):
		return "", ID{}, errors.New("GOCACHEPROG sent an incomplete OutputID")
	}
	return r.DiskPath, ID(r.OutputID), nil
}

// Put brings a content of the given hash and size.
func (c *Client) Put(action, output ID, size int64, body io.Reader) error {
	if !c.Knows("put") {
		return nil
	}
	r, err := c.ask(request{Command: "put", ActionID: action[:], OutputID: output[:], BodySize: size}, body)
	if err == nil && r.DiskPath == "" {
		err = errors.New("GOCACHEPROG didn't return DiskPath in put response")
	}
	return err
}

// Close has the program end, and waits until its output has ended.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closing = true
	c.mu.Unlock()
	var err error
	if c.Knows("close") {
		// A program may end without an answer.
		if _, err = c.ask(request{Command: "close"}, nil); errors.Is(err, errClosed) {
			err = nil
		}
	}
	c.end()
	return err
}

// end closes the program's input and waits until its output has ended.
func (c *Client) end() {
	c.pipe.Close()
	<-c.ended
	go c.cmd.Wait() // it may still have something to do
}
