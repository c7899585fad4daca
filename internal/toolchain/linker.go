package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"loam/internal/install"
	"loam/internal/timeline"
)

// A third of the time of linking a small program is the start of the linker. It needs no arguments
// for that: they are in a response file, which is a named pipe until they are known. So a linker
// starts while clang makes the last objects, on another processor.

// An expected linker has started, and waits for its arguments.
type linker struct {
	dir       string // of the response file
	pipe      *os.File
	arguments string
	reader
}

// ExpectLinker starts a linker for the program that is linked next. One is enough: a build that
// links many programs has work for all processors.
func (t *Toolchain) ExpectLinker() {
	all := &t.servers
	all.mu.Lock()
	defer all.mu.Unlock()
	// A script may expect what it is usually given.
	if all.linker != nil || t.DryRun || !install.IsELF(t.LLD.Path) {
		return
	}
	coming := make(chan *linker, 1)
	all.linker = coming
	go func() { coming <- t.startLinker() }()
}

// startLinker returns a linker that waits for its arguments, nil if there is none.
func (t *Toolchain) startLinker() *linker {
	dir, err := t.Cache.Temp(".linker")
	if err != nil || os.Mkdir(dir, 0o777) != nil {
		return nil
	}
	name := filepath.Join(dir, "arguments")
	l := &linker{dir: dir, arguments: name, reader: newReader(t.Cache.Command(t.LLD.Path, "@"+name))}
	err = syscall.Mkfifo(name, 0o666)
	if err == nil {
		err = l.start()
	}
	if err == nil {
		l.pipe, err = l.open(name)
	}
	if err != nil {
		l.end()
		return nil
	}
	return l
}

// run gives the linker its arguments, and waits for it. It reads them several times; only the first
// time they come from a pipe.
func (l *linker) run(args []string, during *timeline.Span) error {
	defer l.end()
	var text strings.Builder
	for _, a := range args {
		text.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a) + "\"\n")
	}
	again := l.arguments + ".file"
	err := os.WriteFile(again, []byte(text.String()), 0o666)
	if err == nil {
		_, err = l.pipe.WriteString(text.String())
	}
	if err == nil {
		err = os.Rename(again, l.arguments)
	}
	if err != nil {
		return err
	}
	l.pipe.Close()
	l.pipe = nil
	<-l.ended
	s := l.cmd.ProcessState
	if s == nil {
		return errNoServer
	}
	during.Tool(s.UserTime() + s.SystemTime())
	if !s.Success() {
		return errors.New(s.String())
	}
	return nil
}

// end ends the process and removes its files.
func (l *linker) end() {
	if l.pipe != nil {
		l.pipe.Close()
	}
	l.kill()
	os.RemoveAll(l.dir)
}

// Link runs the linker that is expected, or else one of its own, which also has the messages
// if something is wrong.
func (t *Toolchain) Link(pkg string, args []string, during *timeline.Span) error {
	if l := t.servers.takeLinker(); l != nil {
		if err := l.run(args, during); err == nil {
			if t.Commands {
				t.Show(pkg, t.LLD.Path, args...)
			}
			return nil
		}
	}
	return t.runTool(pkg, t.LLD, args, during)
}

// LinkC has clang run the linker, for a program with the C library.
func (t *Toolchain) LinkC(pkg string, args []string, during *timeline.Span) error {
	return t.runTool(pkg, t.Clang, args, during)
}

// takeLinker waits for the linker that is expected, nil if none is. No other one will be.
func (all *servers) takeLinker() *linker {
	all.mu.Lock()
	coming := all.linker
	if coming != nil {
		all.linker = taken
	}
	all.mu.Unlock()
	if coming == nil {
		return nil
	}
	return <-coming
}

// taken is where a linker was expected, and is not any more.
var taken = func() chan *linker {
	c := make(chan *linker)
	close(c)
	return c
}()
