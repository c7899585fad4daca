package main

import (
	"errors"
	"os"
	"runtime/pprof"
	"runtime/trace"
)

// record starts an execution trace and a CPU profile, each unless its file's name is
// empty. The function that it returns ends both and closes the files.
func record(traceFile, cpuFile string) (stop func() error, err error) {
	var ends []func() error
	stop = func() error {
		var errs []error
		for _, end := range ends {
			errs = append(errs, end())
		}
		return errors.Join(errs...)
	}
	start := func(name string, begin func(*os.File) error, end func()) {
		if name == "" || err != nil {
			return
		}
		var f *os.File
		if f, err = os.Create(name); err != nil {
			return
		}
		if err = begin(f); err != nil {
			f.Close()
			return
		}
		ends = append(ends, func() error {
			end()
			return f.Close()
		})
	}
	start(traceFile, func(f *os.File) error { return trace.Start(f) }, trace.Stop)
	start(cpuFile, func(f *os.File) error { return pprof.StartCPUProfile(f) }, pprof.StopCPUProfile)
	if err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}
