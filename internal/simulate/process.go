package simulate

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"loam/internal/ending"
	"loam/internal/simrun"
)

// startsProcesses reports whether a program may start others. Then its run is a world, and what it
// prints is shown when it has ended.
func startsProcesses(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	names := f.Section(".strtab")
	if names == nil {
		return false
	}
	text, err := names.Data()
	return err == nil && bytes.Contains(text, []byte("\x00syscall.forkExec\x00"))
}

// noMachines is what builds programs of machines for a program that is no scenario.
func noMachines(string) (string, error) { return "", simrun.ErrWorld }

// once makes the one run of a program that starts others, and ends as it does.
func (s *Subject) once() error {
	var r *simrun.Run
	for {
		server, err := s.Program.Serve("once")
		if err != nil {
			return err
		}
		r, err = server.Run(s.seed)
		server.Close()
		if err != nil {
			return err
		}
		if !r.NeedsWorld || s.Program.Build != nil {
			break
		}
		s.Program.Build = s.Build
	}
	if _, err := os.Stdout.Write(r.Output); err != nil {
		return err
	}
	if s.trace != "" {
		if err := s.traceOnly(r); err != nil {
			return err
		}
	}
	switch {
	case r.Status.Signaled():
		return ending.Code(128 + int(r.Status.Signal()))
	case r.Status.ExitStatus() != 0:
		return ending.Code(r.Status.ExitStatus())
	}
	return nil
}

// RunProgram is run's part: the program under one seed in the foreground, or under many. target is
// how its user has named it, with its arguments.
func (f *Flags) RunProgram(program string, args []string, target string, library func() []string) error {
	one := f.seeds == 0 && f.limit == 0 && f.list == "" && f.strategy != exhaustive
	if one && !startsProcesses(program) {
		cmd := exec.Command(program, args...)
		setting := fmt.Sprintf("LOAMSIM=seed=%d", f.seed)
		if more := f.Settings(); more != "" {
			setting += "," + more
		}
		setting += simrun.Sees(f.Env)
		if f.trace != "" {
			name, err := filepath.Abs(f.trace)
			if err != nil || strings.Contains(name, ",") {
				return fmt.Errorf("-sim.trace=%s: a name with a comma cannot be passed on", f.trace)
			}
			setting += ",timeline=" + name
		}
		cmd.Env = append(append(os.Environ(), f.Env...), setting)
		return ending.As(cmd, ending.Tell)
	}
	temp := filepath.Join(filepath.Dir(program), "sim")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return err
	}
	name := filepath.Base(program)
	s := Subject{Flags: f, Name: name, Replay: f.Again("loam run"), Target: target, Out: os.Stdout, Build: noMachines, Library: library,
		Program: f.Complete(simrun.Program{Path: program, Args: args, Temp: temp})}
	if one {
		return s.once()
	}
	return s.Report()
}
