package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"loam/internal/ending"
	"loam/internal/exectrace"
	"loam/internal/scratch"
	"loam/internal/simtrace"
	"loam/internal/traceview"
)

var traceVerb = &verb{
	name: "trace", usage: "[flags] FILE | URL | -- program [arguments]",
	short: "show an execution trace in the browser",
	long: `Trace serves a page that shows an execution trace: what the processors and goroutines did,
the heap against its goal, the collections, latencies, flame graphs. The trace is

	FILE        what runtime/trace, or test -trace, wrote, in a program of gc or of Loam
	FILE [FILE] what -sim.trace wrote: a simulated run, or two that are compared
	URL         a running program that serves net/http/pprof (http://localhost:6060): its
	            next seconds are recorded, and again whenever the page is asked to
	-- program  run this program, compiled by Loam, to its end, and record all of it

The address of the page is printed; nothing is loaded from the network. -table prints the
figures of the collector instead, or where two simulated runs part.`,
	flags: func(fs *flag.FlagSet) { registerTrace(fs, new(traceFlags)) },
	run:   runTrace,
}

const (
	// names the file that a program made by Loam writes a trace of its whole run to
	traceEnv = "LOAMTRACE"
	debugEnv = "LOAMDEBUG"
)

type traceFlags struct {
	address string
	length  time.Duration
	open    bool
	table   bool
	stacks  bool
}

func registerTrace(fs *flag.FlagSet, f *traceFlags) {
	fs.StringVar(&f.address, "http", "127.0.0.1:0", "serve on this `address`; port 0 takes a free one")
	fs.DurationVar(&f.length, "length", 5*time.Second, "record a running program for this `time`")
	fs.BoolVar(&f.open, "open", false, "open the page in the browser (xdg-open)")
	fs.BoolVar(&f.stacks, "stacks", false, "count which functions hop to a further stack segment (with a program; hops get slower)")
	fs.BoolVar(&f.table, "table", false, "print the collector's figures, or where two simulated runs part, and end")
}

func runTrace(args []string) error {
	var f traceFlags
	fs := newFlagSet("trace")
	registerTrace(fs, &f)
	var after []string // what stands behind --
	separator := false
	if i := slices.Index(args, "--"); i >= 0 {
		separator = true
		args, after = args[:i], args[i+1:]
	}
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if !separator && len(rest) > 0 && isSimulation(rest[0]) {
		return traceSimulation(rest, &f)
	}
	var source traceview.Source
	switch {
	case separator && len(rest) == 0 && len(after) > 0:
		file, err := recordProgram(after, f.stacks)
		if err != nil {
			return err
		}
		source = file
	case separator || len(rest) == 0:
		return usageError("loam: trace: name a file, an address, or -- and a program")
	case len(rest) > 1:
		return usageError("loam: trace: one trace at a time; a program with arguments comes after --")
	case strings.Contains(rest[0], "://"):
		u, err := traceview.ParseURL(rest[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "recording %s for %v\n", u.Name(), f.length)
		source = u
	default:
		source = traceview.File(rest[0])
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	server := traceview.New(source)
	if err := server.Record(ctx, f.length); err != nil {
		return err
	}
	if f.table {
		printFigures(server.Trace())
		return nil
	}
	return serveTrace(ctx, server, &f)
}

// isSimulation reports whether a file is the trace of a simulated run.
func isSimulation(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false // reading it says why
	}
	defer f.Close()
	head := make([]byte, len(simtrace.Head))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == simtrace.Head
}

// traceSimulation shows one or two simulated runs.
func traceSimulation(names []string, f *traceFlags) error {
	if len(names) > 2 {
		return usageError("loam: trace: one simulated run, or two to be compared")
	}
	var runs []*simtrace.Trace
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		run, err := simtrace.Read(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		runs = append(runs, run)
	}
	if f.table {
		printRuns(names, runs)
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return serveTrace(ctx, traceview.NewSimulation(names, runs), f)
}

// printRuns says what simulated runs were, and where two of them part.
func printRuns(names []string, runs []*simtrace.Trace) {
	for i, r := range runs {
		fmt.Printf("%s: ", names[i])
		if len(r.Processes) > 0 {
			fmt.Printf("%d processes, ", len(r.Processes))
		}
		fmt.Printf("%d goroutines, %d events", len(r.Goroutines), len(r.Events))
		if r.Note != "" {
			fmt.Printf("; %s", r.Note)
		}
		fmt.Println()
	}
	if len(runs) < 2 {
		return
	}
	if d := simtrace.Compare(runs[0], runs[1]); d.Equal {
		fmt.Println("the two runs do the same")
	} else {
		fmt.Printf("the two runs part at event %d: %s\n", d.A, d.Why)
	}
}

// serveTrace serves until ctx ends.
func serveTrace(ctx context.Context, handler http.Handler, f *traceFlags) error {
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String() + "/"
	fmt.Println(address)
	if f.open {
		if err := exec.Command("xdg-open", address).Start(); err != nil {
			fmt.Fprintf(os.Stderr, "loam: %v; open the address yourself\n", err)
		}
	}
	server := &http.Server{Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A programTrace is the trace of a program that was run for it.
type programTrace struct {
	path traceview.File
	name string
	exit string // how it ended; empty if well
}

func (p programTrace) Name() string { return p.name }
func (p programTrace) Live() bool   { return false }

// Exit is for the page, if the trace itself does not say more.
func (p programTrace) Exit() string { return p.exit }
func (p programTrace) Record(ctx context.Context, length time.Duration) (io.ReadCloser, error) {
	return p.path.Record(ctx, length)
}

// recordProgram runs a program to its end and returns the trace that it left. How the program ended
// is said on stderr and is no error: crashes are watched, too.
func recordProgram(command []string, stacks bool) (programTrace, error) {
	dir, err := scratch.Dir(os.TempDir())
	if err != nil {
		return programTrace{}, err
	}
	file := filepath.Join(dir, "trace")
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), traceEnv+"="+file)
	if stacks {
		cmd.Env = append(cmd.Env, debugEnv+"="+strings.TrimPrefix(os.Getenv(debugEnv)+",stackprofile=1", ","))
	}
	err = ending.As(cmd, ending.Tell)
	if code := ending.Code(0); errors.As(err, &code) {
		err = nil
	}
	if err == nil {
		if info, e := os.Stat(file); e != nil || info.Size() == 0 {
			err = fmt.Errorf("%s wrote no trace: was it compiled by this version of loam? Programs of gc write one with runtime/trace", command[0])
		}
	}
	if err != nil {
		return programTrace{}, err
	}
	t := programTrace{path: traceview.File(file), name: strings.Join(command, " ")}
	if !cmd.ProcessState.Success() {
		t.exit = cmd.ProcessState.String()
	}
	return t, nil
}

// printFigures writes what one reads off a trace to judge its collector.
func printFigures(t *exectrace.Trace) {
	all := make([]int, len(t.Collections))
	for i := range all {
		all[i] = i
	}
	s := t.Sum(all)
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	fmt.Printf("trace           %10.1f ms, %d events\n", ms(t.Duration), t.Events)
	fmt.Printf("collections     %10d\n", s.Count)
	fmt.Printf("GC wall         %10.1f ms (%.1f %% of the trace)\n", ms(s.Wall), 100*s.Share)
	fmt.Printf("mean            %10.3f ms (%.3f to %.3f)\n", ms(s.Mean), ms(s.Min), ms(s.Max))
	fmt.Printf("world stopped   %10.3f ms in %d pauses\n", ms(s.Paused), s.Pauses)
	fmt.Printf("mark assists    %10.1f ms\n", ms(s.Assist))
	fmt.Printf("peak heap       %10.1f MB\n", float64(t.PeakHeap())/(1<<20))
	if t.Exit != "" {
		fmt.Printf("the program ended: %s\n", t.Exit)
	}
	if t.Incomplete != "" {
		fmt.Println(t.Incomplete)
	}
}
