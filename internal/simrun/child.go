package simrun

import (
	"bufio"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"loam/rt/cluster"
)

// spawn starts process k, which another process of its machine asks for. It has no server: it is to
// see, from its first instruction on, what its parent has prepared for it.
func (w *world) spawn(k int, text string) (cluster.Answer, error) {
	words := strings.Split(text, "\x00")
	words = words[:len(words)-1]
	path := words[0]
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return 0, err
	}
	env, args := words[2:2+n], words[2+n:]
	if !w.isOurs(path) {
		return cluster.Foreign, nil
	}
	m := &w.shared.Machines[k]
	name := fmt.Sprintf("%s.%d", w.current[m.Host].name, m.PID)
	pr := &process{name: name, output: fmt.Sprintf("%s.p%d", w.base(), len(w.procs)), ended: make(chan error, 1)}
	seed := w.seedOf(name)
	settings := append(w.settings(k), fmt.Sprint("seed=", seed), "child=1", "report=3")
	if w.p.Settings != "" {
		settings = append(settings, w.p.Settings)
	}
	settings = append(settings, w.files.of(len(w.procs), name)...)
	pr.run = &Run{Seed: seed, Places: Places{}}
	if err := w.start(pr, path, args, append(slices.Clone(env), "LOAMSIM="+strings.Join(settings, ","))); err != nil {
		return 0, err
	}
	w.procs = append(w.procs, pr)
	w.current[k] = pr
	return cluster.Done, nil
}

// start executes the program of a process.
func (w *world) start(pr *process, path string, args, env []string) error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	defer to.Close()
	said, err := os.Create(pr.output)
	if err != nil {
		return err
	}
	defer said.Close()
	none, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer none.Close()
	p, err := os.StartProcess(path, args, &os.ProcAttr{Dir: w.p.Dir, Env: env, Files: []*os.File{none, said, said, to},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}})
	if err != nil {
		from.Close()
		return err
	}
	if err := limitProcessor(p.Pid, w.p.Seconds); err != nil {
		return err
	}
	go func() {
		defer from.Close()
		pr.ended <- pr.finish(p, from)
	}()
	return nil
}

// finish waits until the process has ended, which has no server.
func (pr *process) finish(p *os.Process, from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if err := pr.run.take(line); err != nil {
			return err
		}
	}
	state, err := p.Wait()
	if err == nil {
		pr.run.Status = state.Sys().(syscall.WaitStatus)
	}
	return err
}

// limitProcessor bounds the processor time of a process; 0 seconds: it does not.
func limitProcessor(pid, seconds int) error {
	if seconds == 0 {
		return nil
	}
	both := [2]uint64{uint64(seconds), uint64(seconds)}
	_, _, errno := syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_CPU, uintptr(unsafe.Pointer(&both)), 0, 0, 0)
	if errno != 0 && errno != syscall.ESRCH {
		return os.NewSyscallError("prlimit64", errno)
	}
	return nil
}

// isOurs reports whether Loam has compiled the program.
func (w *world) isOurs(path string) bool {
	ours, known := w.ours[path]
	if !known {
		if info, err := buildinfo.ReadFile(path); err == nil {
			for _, s := range info.Settings {
				ours = ours || s.Key == "-compiler" && s.Value == "loam"
			}
		}
		if !strings.HasPrefix(path, "/proc/") { // a copy that the program has made is there for a moment
			w.ours[path] = ours
		}
	}
	return ours
}

// buryChild notes the end of a process that another one has started, which can wait for it.
func (w *world) buryChild(k int, p *process) (over bool, err error) {
	m := &w.shared.Machines[k]
	const dumped = 0x80 // the kernel has written a core, or not
	status := p.run.Status &^ dumped
	w.shared.Fold(uint64(k), uint64(status))
	if !p.run.Reported {
		w.run.Status, w.run.Reported = status, false
		w.say(fmt.Sprintf("simulation: process %d has ended by itself: %s", m.PID, describe(status)))
		return true, nil
	}
	w.shared.Bury(k, int32(status))
	if parent := int(m.Parent); parent >= 0 {
		f := cluster.Frame{Kind: cluster.Happened, Machine: int32(k), When: m.Now + cluster.Lookahead, Size: uint32(syscall.SIGCHLD)}
		w.shared.Post(parent, &f, nil)
	}
	return false, nil
}

// endChildren ends the other processes of a machine, whose first one has ended.
func (w *world) endChildren(k int, order cluster.Order) error {
	if order == cluster.GoOn {
		order = cluster.Kill
	}
	return w.endAll(order, func(i int) bool { return i >= cluster.MaxMachines && w.shared.Host(i) == k })
}
