// Package toolchain runs clang and the linker: it makes objects of LLVM text and of assembly, and
// programs of objects. It knows the cache, where objects go, and no package but by the name that
// its commands are shown under.
package toolchain

import (
	"sync"
	"sync/atomic"

	"loam/internal/amd64"
	"loam/internal/progress"
	"loam/internal/store"
	"loam/internal/tools"
)

// A Toolchain is clang and the linker, as one invocation of loam uses them.
type Toolchain struct {
	Clang, LLD tools.Tool
	Cache      *store.Cache
	Print      *progress.Printer
	Commands   bool   // print the commands that are run
	DryRun     bool   // print them and do not run them
	Work       string // directory for intermediate files, "" if nobody keeps them

	mode    Mode
	march   string                // clang's flag for the level of the processor
	broken  atomic.Pointer[error] // a tool does not work
	servers servers

	mu    sync.Mutex
	shown string // package of the last command that was printed
}

// Mode is what is made, as -buildmode names it; "" is the same as "exe".
type Mode string

// Modes.
const (
	PIE     Mode = "pie"       // a program that may lie anywhere
	Shared  Mode = "c-shared"  // a library for programs of C's
	Archive Mode = "c-archive" // the same, to be linked with them
)

// Movable reports whether the code may lie anywhere.
func (m Mode) Movable() bool { return m == PIE || m.Library() }

// Library reports whether the code is a part of somebody else's program.
func (m Mode) Library() bool { return m == Shared || m == Archive }

// Find finds the tools, by the cache's memory of them.
func Find(c *store.Cache, mode Mode) (*Toolchain, error) {
	t := &Toolchain{Cache: c, mode: mode}
	var err error
	if t.Clang, err = tools.Find(c, "LOAM_CLANG", "clang"); err != nil {
		return nil, err
	}
	if t.LLD, err = tools.Find(c, "LOAM_LLD", "ld.lld"); err != nil {
		return nil, err
	}
	t.march, err = amd64.LevelFlag()
	return t, err
}

// Broken is why a tool does not work, nil as long as all do.
func (t *Toolchain) Broken() error {
	if err := t.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Break has Broken return the error from now on.
func (t *Toolchain) Break(err error) { t.broken.Store(&err) }

// Close ends the tools that wait for work.
func (t *Toolchain) Close() {
	if l := t.servers.takeLinker(); l != nil {
		l.end()
	}
	t.servers.unwanted.Wait()
}
