package simrun

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Program is what is run.
type Program struct {
	Path     string
	Args     []string
	Dir      string
	Env      []string // NAME=VALUE, what it sees besides what all simulated programs do
	Settings string   // of LOAMSIM, besides the seed
	Temp     string   // a directory for files that nobody needs afterwards
	Cover    string   // a file of the hunt's coverage; "": none is wanted
	Seconds  int      // processor time that a run may take
	AtTest   bool     // it is a test, and its runs begin with that; else with main.main
	Twice    uint64   // one in so many runs is repeated; 0: one in Twice

	// Build makes the programs of other machines, if the program is the scenario of a world
	// (world.go): from a package, as the scenario names it, the file of the program.
	Build func(pkg string) (program string, err error)
}

// Run is how one run ended.
type Run struct {
	Seed      uint64
	Settings  string
	Output    []byte
	Status    syscall.WaitStatus
	Reported  bool // it came to its end; otherwise it was killed, and the rest is not known
	Decisions uint64
	Hash      uint64
	Time      time.Duration // simulated
	// line of the list it was given that it did not come to, as the list was made for another
	// program; 0: none
	Diverged int
	Places   Places
	Asked    []Asked  // what the program has asked for that is outside of the run
	Schedule Schedule // that it was given; nil: the seed's
	// it was one of many runs of a process, which has taken its memory back behind each of them
	Rewound bool
	// the program has asked for machines, which it can have if Program.Build is set
	NeedsWorld bool
}

// Asked is something that a program has asked for and that its run has not.
type Asked struct {
	Kind string // variable, server or host
	Name string
}

// Failed reports whether the program ended with anything but 0.
func (r *Run) Failed() bool { return r.Status != 0 }

// Kind is how it failed: runs of one kind are taken for the same failure.
func (r *Run) Kind() string {
	if r.Status.Signaled() {
		return r.Status.Signal().String()
	}
	if kind := raceKind(string(r.Output)); kind != "" {
		return kind
	}
	lines, _ := Apart(string(r.Output))
	for _, line := range lines {
		if _, said, ok := strings.Cut(line, "| "); ok { // by a machine of a world
			line = said
		}
		for _, start := range []string{"panic: ", "fatal error: ", "simulation: ", "    --- FAIL: ", "--- FAIL: "} {
			if strings.HasPrefix(line, start) {
				line, _, _ = strings.Cut(line, " (")
				return strings.TrimSpace(line)
			}
		}
	}
	return fmt.Sprintf("exit status %d", r.Status.ExitStatus())
}

// Runner makes runs, one after the other.
type Runner interface {
	// Run makes one run. more are further settings, each NAME=VALUE; files that they name must be
	// absolute, without spaces or commas.
	Run(seed uint64, more ...string) (*Run, error)
	Close()
	// base is what names of its files begin with.
	base() string
}

// begins is the setting that says where runs begin. Those of a world begin with main.main.
func (p *Program) begins() string {
	if p.AtTest && p.Build == nil {
		return ",begin=test"
	}
	return ""
}

// Sees is the part of LOAMSIM that lets a program see these variables.
func Sees(env []string) string {
	if len(env) == 0 {
		return ""
	}
	names := make([]string, len(env))
	for i, v := range env {
		names[i], _, _ = strings.Cut(v, "=")
	}
	return ",env=" + strings.Join(names, ";")
}

// Serve starts a runner. name tells it from others of the same program.
func (p *Program) Serve(name string) (Runner, error) {
	if p.Build != nil {
		return newWorld(p, name)
	}
	return p.serve(name)
}

// Alone is the setting of a run that is to have a process of its own. Others share one, which takes
// its memory back behind each of them, as long as they do not fail.
const Alone = "alone=1"

// Server is a process that has runs made by processes that it forks.
type Server struct {
	p      *Program
	cmd    *exec.Cmd
	to     *os.File
	from   *os.File
	lines  *bufio.Reader
	output string   // what names of its files begin with
	said   *os.File // the output of a run, in memory: truncating a disk's file takes as long as a run
}

func (p *Program) serve(name string) (*Server, error) {
	s := &Server{p: p, output: filepath.Join(p.Temp, name+".out")}
	var err error
	if s.said, err = memoryFile(name); err != nil {
		return nil, err
	}
	commands, to, err := os.Pipe()
	if err != nil {
		s.said.Close()
		return nil, err
	}
	from, results, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.to, s.from, s.lines = to, from, bufio.NewReader(from)
	s.cmd = exec.Command(p.Path, p.Args...)
	s.cmd.Dir = p.Dir
	s.cmd.Env = append(append(os.Environ(), p.Env...), "LOAMSIM=serve=1"+p.begins()+Sees(p.Env))
	s.cmd.ExtraFiles = []*os.File{commands, results}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := os.Create(s.output + ".init")
	if err != nil {
		return nil, err
	}
	defer said.Close()
	s.cmd.Stdout, s.cmd.Stderr = said, said
	err = s.cmd.Start()
	commands.Close()
	results.Close()
	if err != nil {
		to.Close()
		from.Close()
		s.said.Close()
		return nil, err
	}
	return s, nil
}

// printed is what the last run has printed.
func (s *Server) printed() ([]byte, error) {
	text := make([]byte, 0, 512)
	for {
		n, err := s.said.ReadAt(text[len(text):cap(text)], int64(len(text)))
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
		text = slices.Grow(text, cap(text))
	}
}

// Close ends the server, and the process that makes its runs. Between runs they end by themselves.
func (s *Server) Close() {
	s.to.Close()
	stuck := time.AfterFunc(time.Second, func() { s.cmd.Process.Kill() })
	s.cmd.Wait()
	stuck.Stop()
	s.from.Close()
	s.said.Close()
}

func (s *Server) base() string { return s.output }

// Run is Runner's.
func (s *Server) Run(seed uint64, more ...string) (*Run, error) {
	if s.p.Cover != "" {
		more = append(more, "cover="+s.p.Cover)
	}
	r, err := s.begin(visible(s.said), seed, more...)
	if err == nil {
		err = s.finish(r)
	}
	if err != nil {
		return nil, err
	}
	r.Output, err = s.printed()
	return r, err
}

// begin begins a run whose output goes to a file.
func (s *Server) begin(output string, seed uint64, more ...string) (*Run, error) {
	parts := []string{fmt.Sprintf("seed=%d", seed)}
	if s.p.Settings != "" {
		parts = append(parts, s.p.Settings)
	}
	r := &Run{Seed: seed, Settings: strings.Join(append(parts, more...), ","), Places: Places{}}
	if _, err := fmt.Fprintf(s.to, "%s %d %s\n", output, s.p.Seconds, r.Settings); err != nil {
		return nil, s.died(err)
	}
	return r, nil
}

// finish waits until the run has ended.
func (s *Server) finish(r *Run) error {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return s.died(err)
		}
		if rest, ok := strings.CutPrefix(line, "status "); ok {
			var status uint32
			fmt.Sscan(rest, &status)
			r.Status = syscall.WaitStatus(status)
			return nil
		}
		if err := r.take(line); err != nil {
			return err
		}
	}
}

// take reads a line that a run has reported.
func (r *Run) take(line string) error {
	rest, ok := strings.CutPrefix(line, "place ")
	if !ok {
		return r.parse(line)
	}
	p, c, err := parsePlace(rest)
	switch {
	case err != nil:
		return err
	case p.Kind == "variable" || p.Kind == "server" || p.Kind == "host":
		r.Asked = append(r.Asked, Asked(p))
	default:
		r.Places[p] = c
	}
	return nil
}

// parse reads a run's report: words, each with a number.
func (r *Run) parse(line string) error {
	fields := strings.Fields(line)
	for i := 0; i+1 < len(fields); i += 2 {
		var v uint64
		if _, err := fmt.Sscan(fields[i+1], &v); err != nil {
			return fmt.Errorf("the report of a run cannot be read: %q", line)
		}
		switch fields[i] {
		case "decisions":
			r.Decisions = v
		case "hash":
			r.Hash = v
		case "now":
			r.Time = time.Duration(v)
		case "world":
			r.NeedsWorld = v != 0
		case "rewound":
			r.Rewound = v != 0
		case "diverged":
			r.Diverged = int(v)
		}
	}
	r.Reported = true
	return nil
}

// died is the error of a server that has ended: what it said, which is what the package
// initialisers print.
func (s *Server) died(err error) error {
	waitErr := s.cmd.Wait()
	said, _ := os.ReadFile(s.output + ".init")
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) {
		err = waitErr
	}
	return fmt.Errorf("the program ended before main.main: %v\n%s", err, said)
}
