package main

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"loam/internal/child"
	"loam/internal/scratch"
)

// endings are the signals that end a build.
var endings = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// ending gets the signals that are to end loam; nil if none are.
var ending chan os.Signal

// ended tells whether a signal has come that ends loam.
var ended atomic.Bool

// endBySignals has signals end loam as they would anyway, but with the programs that it started
// ended before, and its temporary files removed. Signals that loam was started to ignore stay
// ignored.
var endBySignals = sync.OnceFunc(func() {
	ending = make(chan os.Signal, 1)
	for _, sig := range endings {
		if !signal.Ignored(sig) {
			signal.Notify(ending, sig)
		}
	}
	go func() {
		sig := (<-ending).(syscall.Signal)
		ended.Store(true)
		child.EndAll()
		scratch.Remove()
		signal.Reset(sig)
		syscall.Kill(os.Getpid(), sig)
	}()
})

// awaitEnd does not return if a signal ends loam: that is how it ends, not as what the programs
// that were killed for it came to.
func awaitEnd() {
	if ended.Load() {
		select {}
	}
}

// stopEnding has signals mean something else from now on: there are other receivers.
func stopEnding() {
	if ending != nil {
		signal.Stop(ending)
	}
}
