// Package ending is how the command ends: as signals say, with what it started ended before, or as
// a program ends that it runs in the foreground.
package ending

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"loam/internal/child"
	"loam/internal/scratch"
)

// Code is an error that says only how the process has to end.
type Code int

func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// endings are the signals that end a build.
var endings = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// ending gets the signals that are to end the process; nil if none are.
var ending chan os.Signal

// ended tells whether a signal has come that ends the process.
var ended atomic.Bool

// BySignals has signals end the process as they would anyway, but with the programs that it started
// ended before, and its temporary files removed. Signals that it was started to ignore stay
// ignored.
var BySignals = sync.OnceFunc(func() {
	ending = make(chan os.Signal, 1)
	receive(endings)
	go func() {
		sig := (<-ending).(syscall.Signal)
		ended.Store(true)
		child.EndAll()
		scratch.Remove()
		signal.Reset(sig)
		syscall.Kill(os.Getpid(), sig)
	}()
})

// receive has these signals end the process, unless it was started to ignore them.
func receive(list []os.Signal) {
	for _, sig := range list {
		if !signal.Ignored(sig) {
			signal.Notify(ending, sig)
		}
	}
}

// Await does not return if a signal ends the process: that is how it ends, not as what the programs
// that were killed for it came to.
func Await() {
	if ended.Load() {
		select {}
	}
}

// Only has these of the signals end the process from now on; others have other receivers. If
// signals did not end it, none do.
func Only(list ...os.Signal) {
	if ending != nil {
		signal.Stop(ending)
		receive(list)
	}
}
