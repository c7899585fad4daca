package simrun

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sim"
)

// ErrWorld is of a program that asks for machines, and Program.Build is not set.
var ErrWorld = errors.New("the program needs a world: loam sim runs it, or loam test if it is a test")

// world makes runs of several machines (rt/cluster), of which the program is the scenario's. It is
// the coordinator: it starts processes, and takes note of their ends. Each process is forked by a
// Server, which is kept for the next run. Whose turn it is the processes find out themselves.
type world struct {
	p       *Program
	name    string
	file    *os.File // the shared memory
	shared  *cluster.World
	memory  []byte
	disks   [cluster.MaxMachines]*os.File
	servers map[string]*Server // by machine and command
	ours    map[string]bool    // files that were looked at: whether Loam has compiled them

	// Of the run.
	run     *Run
	more    []string
	files   worldFiles
	procs   []*process // all that were started
	current [cluster.MaxProcesses]*process
	crashed [cluster.MaxMachines]bool // since the disk was used last
}

// process is one that was started.
type process struct {
	// of its machine, and which one of it: n1.2, or n1.2.4243; the scenario's has none, or .4243
	name   string
	server *Server
	run    *Run
	output string
	ended  chan error
}

// scenario is the name of its machine.
const scenario = "scenario"

// newWorld makes a runner for a scenario.
func newWorld(p *Program, name string) (*world, error) {
	file, err := memoryFile("loam-world")
	if err != nil {
		return nil, err
	}
	w := &world{p: p, name: name, file: file, servers: map[string]*Server{}, ours: map[string]bool{}}
	if err := file.Truncate(int64(cluster.Size)); err == nil {
		w.memory, err = syscall.Mmap(int(file.Fd()), 0, int(cluster.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	if w.memory == nil {
		file.Close()
		return nil, fmt.Errorf("no memory for a world: %v", err)
	}
	w.shared = (*cluster.World)(unsafe.Pointer(&w.memory[0]))
	return w, nil
}

// memoryFile makes a file that is memory.
func memoryFile(name string) (*os.File, error) {
	const memfdCreate, closeOnExec = 319, 1
	b := append([]byte(name), 0)
	fd, _, errno := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&b[0])), closeOnExec, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("memfd_create", errno)
	}
	return os.NewFile(fd, name), nil
}

// visible is the name by which other processes can open a file of this one.
func visible(f *os.File) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()) }

func (w *world) base() string { return filepath.Join(w.p.Temp, w.name) }

func (w *world) Close() {
	for _, s := range w.servers {
		s.Close()
	}
	for _, d := range w.disks {
		if d != nil {
			d.Close()
		}
	}
	syscall.Munmap(w.memory)
	w.file.Close()
}

// reset makes a new world, with the scenario's machine and empty disks.
func (w *world) reset() error {
	err := w.file.Truncate(0)
	if err == nil {
		err = w.file.Truncate(int64(cluster.Size))
	}
	for _, d := range w.disks {
		if d != nil && err == nil {
			err = d.Truncate(0)
		}
	}
	w.procs = w.procs[:0]
	w.current = [cluster.MaxProcesses]*process{}
	w.crashed = [cluster.MaxMachines]bool{}
	w.shared.Add(scenario)
	return err
}

// Run is Runner's.
func (w *world) Run(seed uint64, more ...string) (*Run, error) {
	if err := w.reset(); err != nil {
		return nil, err
	}
	w.run = &Run{Seed: seed, Places: Places{}}
	if err := w.files.begin(w, more); err != nil {
		return nil, err
	}
	w.run.Settings = strings.Join(w.more, ",")
	err := w.live()
	if err != nil { // processes that wait for a turn would wait for ever
		for key, s := range w.servers {
			s.Close()
			delete(w.servers, key)
		}
		return nil, err
	}
	r := w.run
	r.Output, err = w.output()
	if err == nil {
		err = w.files.end(w)
	}
	r.Hash = w.shared.Hash
	for _, p := range w.procs {
		r.Decisions += p.run.Decisions
		r.Hash = r.Hash*0x9fb21c651e98df25 ^ p.run.Hash
		r.Places.Add(p.run.Places)
		os.Remove(p.output)
	}
	for at, c := range r.Places {
		c.Runs = min(c.Runs, 1)
		r.Places[at] = c
	}
	return r, err
}

// live runs the world until the scenario ends, or a machine does that should not.
func (w *world) live() error {
	s := w.shared
	s.Boot(cluster.Scenario, cluster.Begin)
	if err := w.launch(cluster.Scenario, w.p.Path, nil, w.p.Args); err != nil {
		return err
	}
	for {
		k, _ := s.Pick()
		if k < 0 {
			k = cluster.Scenario
			if s.Machines[k].Order == cluster.Stuck {
				return errors.New("the scenario was told that it cannot go on, and does not end")
			}
			s.Machines[k].Order = cluster.Stuck
			w.say(w.stuck())
		}
		if err := w.give(k); err != nil {
			return err
		}
		for k = w.whoEnded(); k == cluster.Coordinator && s.Request.Op != cluster.Nothing; k = w.whoEnded() {
			if err := w.serve(); err != nil {
				return err
			}
			if err := w.give(int(s.Request.From)); err != nil {
				return err
			}
		}
		if k == cluster.Coordinator {
			continue // nobody can go on
		}
		if over, err := w.bury(k); err != nil {
			return err
		} else if over {
			return w.end()
		}
	}
}

// give gives the turn to machine k, and returns when the coordinator has it, or the process that
// had it last is dead.
func (w *world) give(k int) error {
	s := w.shared
	s.Turn = int32(k)
	callFutex(&s.Machines[k].Baton)
	for {
		if takeFutex(&s.Coordinator) {
			return nil
		}
		if k := int(s.Turn); k >= 0 && w.current[k] != nil {
			select {
			case err := <-w.current[k].ended:
				if takeFutex(&s.Coordinator) || err != nil {
					w.current[k].ended <- err
					return err
				}
				w.current[k].ended <- nil
				return nil // without a word
			default:
			}
		}
	}
}

// whoEnded is the machine whose process has ended, or the coordinator if none has: then the
// scenario asks for something.
func (w *world) whoEnded() int {
	if k := int(w.shared.Turn); k != cluster.Coordinator {
		return k // without a word
	}
	ended := cluster.Coordinator
	w.shared.Each(func(k int, m *cluster.Machine) {
		if m.Ended && m.State == cluster.Running {
			ended = k
		}
	})
	return ended
}

// stuck says that nobody can go on.
func (w *world) stuck() string {
	if w.shared.N > 1 {
		return "simulation: no machine can go on: all wait for each other"
	}
	return "simulation: no process can go on: all wait for each other"
}

// bury notes the end of a process. over says that the world ends by it.
func (w *world) bury(k int) (over bool, err error) {
	m, p := &w.shared.Machines[k], w.current[k]
	if err := <-p.ended; err != nil {
		return true, err
	}
	w.current[k] = nil
	status := p.run.Status
	if w.shared.Failed && k != cluster.Scenario && m.Order == cluster.GoOn {
		w.run.Status, w.run.Reported = status, true
		w.run.Time = time.Duration(m.Now - cluster.Begin)
		return true, nil
	}
	if k >= cluster.MaxMachines {
		return w.buryChild(k, p)
	}
	if err := w.endChildren(k, m.Order); err != nil {
		return true, err
	}
	code := status.ExitStatus()
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	order := m.Order
	if order == cluster.Kill || order == cluster.Crash {
		code = 128 + int(syscall.SIGKILL)
	}
	w.shared.Halt(k, order != cluster.Crash, int32(code))
	w.shared.Fold(uint64(k), uint64(code))
	switch {
	case k == cluster.Scenario:
		w.run.Status, w.run.Reported = status, p.run.Reported
		w.run.Time = time.Duration(m.Now - cluster.Begin)
		return true, nil
	case order != cluster.GoOn:
	case !p.run.Reported || code != 0 && m.Awaited == 0 && !bySignal(code):
		w.run.Status, w.run.Reported = status, true
		w.run.Time = time.Duration(m.Now - cluster.Begin)
		w.say(fmt.Sprintf("simulation: the process of machine %s has ended by itself: %s", m.Name(), describe(status)))
		return true, nil
	}
	m.Awaited = 0
	w.shared.Post(cluster.Scenario, &cluster.Frame{Kind: cluster.Happened, When: m.Now + cluster.Lookahead}, nil)
	return false, nil
}

// bySignal reports whether a process has ended by a signal that only the scenario sends.
func bySignal(code int) bool {
	return code == 128+int(syscall.SIGTERM) || code == 128+int(syscall.SIGINT) || code == 128+int(syscall.SIGHUP)
}

func describe(s syscall.WaitStatus) string {
	if s.Signaled() {
		return s.Signal().String()
	}
	return fmt.Sprintf("exit status %d", s.ExitStatus())
}

// end ends all processes that are left.
func (w *world) end() error {
	return w.endAll(cluster.End, func(int) bool { return true })
}

// endAll ends the processes that are picked.
func (w *world) endAll(order cluster.Order, picked func(k int) bool) (err error) {
	w.shared.Each(func(k int, m *cluster.Machine) {
		if err != nil || m.State != cluster.Running || w.current[k] == nil || !picked(k) {
			return
		}
		m.Order = order
		if err = w.give(k); err == nil {
			err = <-w.current[k].ended
		}
		w.current[k] = nil
		w.shared.Halt(k, order != cluster.Crash, 0)
		if k >= cluster.MaxMachines {
			w.shared.Forget(k)
		}
	})
	return err
}

// serve does what the scenario asks for.
func (w *world) serve() error {
	r := &w.shared.Request
	k, op := int(r.Machine), r.Op
	r.Op = cluster.Nothing
	switch op {
	case cluster.Spawn:
		answer, err := w.spawn(k, string(r.Text[:r.N]))
		r.Answer = answer
		return err
	case cluster.Start:
		words := strings.Split(string(r.Text[:r.N]), "\x00")
		path, err := w.p.Build(words[0])
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		words = words[2 : len(words)-1]
		return w.launch(k, path, words[:n], words[n:])
	case cluster.Stop:
		m := &w.shared.Machines[k]
		w.crashed[k] = w.crashed[k] || m.Order == cluster.Crash
		if m.State != cluster.Running {
			w.shared.Halt(k, false, m.Status)
			return nil
		}
		if err := w.give(k); err != nil {
			return err
		}
		_, err := w.bury(k)
		return err
	}
	return fmt.Errorf("the scenario asks for something unknown: %d", op)
}

// launch starts the process of machine k. It sees env besides what all machines' processes do.
func (w *world) launch(k int, path string, env, args []string) error {
	m := &w.shared.Machines[k]
	key := strings.Join(slices.Concat([]string{m.Name(), path, fmt.Sprint(len(env))}, env, args), "\x00")
	server := w.servers[key]
	if server == nil {
		p := *w.p
		p.Path, p.Args, p.Build, p.Cover, p.AtTest = path, args, nil, "", false
		p.Env = slices.Concat(w.p.Env, env)
		var err error
		if server, err = p.serve(fmt.Sprintf("%s-%d", w.name, len(w.servers))); err != nil {
			return err
		}
		w.servers[key] = server
	}
	if w.disks[k] == nil {
		disk, err := memoryFile("loam-disk")
		if err != nil {
			return err
		}
		w.disks[k] = disk
	}
	settings := w.settings(k)
	if w.crashed[k] {
		settings = append(settings, "crashed=1")
		w.crashed[k] = false
	}
	seed, name := w.run.Seed, ""
	if k != cluster.Scenario {
		name = fmt.Sprintf("%s.%d", m.Name(), m.Incarnation)
		seed = w.seedOf(name)
	}
	pr := &process{name: name, server: server, output: fmt.Sprintf("%s.p%d", w.base(), len(w.procs)), ended: make(chan error, 1)}
	settings = append(settings, w.files.of(len(w.procs), name)...)
	var err error
	if pr.run, err = server.begin(pr.output, seed, settings...); err != nil {
		return err
	}
	w.procs = append(w.procs, pr)
	w.current[k] = pr
	go func() { pr.ended <- server.finish(pr.run) }()
	return nil
}

// settings are those that say which process of the world it is.
func (w *world) settings(k int) []string {
	return []string{"world=" + visible(w.file), fmt.Sprintf("machine=%d", k), "disk=" + visible(w.disks[w.shared.Host(k)])}
}

// seedOf is the seed of a process that is not the scenario's. Each character goes through the whole
// generator: n1.2 is not to draw what n2.1 does.
func (w *world) seedOf(name string) uint64 {
	seed := w.run.Seed
	for _, c := range []byte(name) {
		state := seed ^ uint64(c)
		seed = sim.Next(&state)
	}
	return seed >> 1 // of 64 bits not all can be written as a setting
}

// say adds a line to the output that is nobody's.
func (w *world) say(line string) {
	w.run.Output = append(append(w.run.Output, line...), '\n')
}

// output puts together what the processes have written, in the order in which they did. Lines of
// machines begin with their names.
func (w *world) output() ([]byte, error) {
	texts := make([][]byte, len(w.procs))
	for i, p := range w.procs {
		var err error
		if texts[i], err = os.ReadFile(p.output); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	begun := make([][]byte, len(w.procs)) // lines without an end yet
	write := func(i, n int) {
		n = min(n, len(texts[i]))
		text := append(begun[i], texts[i][:n]...)
		texts[i] = texts[i][n:]
		for {
			line, rest, whole := bytes.Cut(text, []byte("\n"))
			if !whole {
				break
			}
			w.line(&out, i, line)
			text = rest
		}
		begun[i] = bytes.Clone(text)
	}
	for _, o := range w.shared.Outputs() {
		if int(o.Process) < len(texts) {
			write(int(o.Process), int(o.Bytes))
		}
	}
	for i := range texts {
		write(i, len(texts[i]))
		if len(begun[i]) > 0 {
			w.line(&out, i, begun[i])
		}
	}
	out.Write(w.run.Output)
	return out.Bytes(), nil
}

func (w *world) line(out *bytes.Buffer, i int, line []byte) {
	if name, _, _ := strings.Cut(w.procs[i].name, "."); name != "" {
		fmt.Fprintf(out, "%s| ", name)
	}
	out.Write(line)
	out.WriteByte('\n')
}
