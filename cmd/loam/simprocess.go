package main

import (
	"bytes"
	"debug/elf"
	"os"

	"loam/internal/simrun"
)

// startsProcesses says whether a program may start others. Then its run is a world, and what it
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
func (s *simSubject) once() error {
	var r *simrun.Run
	for {
		server, err := s.program.Serve("once")
		if err != nil {
			return err
		}
		r, err = server.Run(s.seed)
		server.Close()
		if err != nil {
			return err
		}
		if !r.NeedsWorld || s.program.Build != nil {
			break
		}
		s.program.Build = s.build
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
		return exitCode(128 + int(r.Status.Signal()))
	case r.Status.ExitStatus() != 0:
		return exitCode(r.Status.ExitStatus())
	}
	return nil
}
