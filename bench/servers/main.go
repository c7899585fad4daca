// Servers measures what people run: servers of well-known modules and their clients, over loopback
// and in one process. Each run measures one kind with a number of clients, each of which asks again
// as soon as it has its answer. It prints requests a second, how long they take, the processor time
// of a request (server and client), and the process's peak memory. bench runs it under both
// compilers in turn:
//
//	go run ./bench -program servers -each grpc-unary/50,http-json/50
//
// It is a module of its own, so that Loam does not depend on what it measures.
//
// usage: servers [-time 2s] KIND/CLIENTS
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A kind starts a server and returns what makes a client: a function that sends one request and
// waits for its answer.
type kind func(dir string) (client func() (request func() error, err error), err error)

var kinds = map[string]kind{
	"grpc-unary":  grpcUnary,
	"grpc-stream": grpcStream,
	"fasthttp":    fastHTTP,
	"http-json":   httpJSON,
	"https-json":  httpsJSON,
	"broker":      broker,
	"key-value":   keyValue,
	"sql":         sqlEngine,
}

func main() {
	length := flag.Duration("time", 2*time.Second, "how long to measure, after a fifth of it to warm up")
	flag.Parse()
	name, count, _ := strings.Cut(flag.Arg(0), "/")
	clients, err := strconv.Atoi(count)
	if flag.NArg() != 1 || kinds[name] == nil || err != nil || clients < 1 {
		fmt.Fprintln(os.Stderr, "usage: servers [-time 2s] KIND/CLIENTS, KIND one of "+strings.Join(slices.Sorted(maps.Keys(kinds)), " "))
		os.Exit(2)
	}
	if err := measure(name, clients, *length); err != nil {
		fmt.Fprintf(os.Stderr, "servers: %s: %v\n", name, err)
		os.Exit(1)
	}
}

func measure(name string, clients int, length time.Duration) error {
	dir, err := os.MkdirTemp("", "loam-servers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	client, err := kinds[name](dir)
	if err != nil {
		return err
	}
	requests := make([]func() error, clients)
	for i := range requests {
		if requests[i], err = client(); err != nil {
			return err
		}
	}
	var took times
	if err := drive(requests, length/5, &took); err != nil {
		return err
	}
	runtime.GC()
	took = times{}
	before, start := processorTime(), time.Now()
	if err := drive(requests, length, &took); err != nil {
		return err
	}
	elapsed, cpu := time.Since(start), processorTime()-before
	n := took.number()
	report := func(series string, value float64, unit string) {
		fmt.Printf("%s\t%s\t%d\t%g\t%s\n", name, series, clients, value, unit)
	}
	report("requests", float64(n)/elapsed.Seconds(), "1/s")
	report("p50", took.within(n/2), "ns")
	report("p99", took.within(n*99/100), "ns")
	report("processor time", float64(cpu)/float64(n), "ns")
	peak, err := peakMemory()
	report("peak memory", peak, "KB")
	return err
}

// drive has each client send requests for some time and adds to took how long they take.
func drive(requests []func() error, length time.Duration, took *times) (err error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	end := time.Now().Add(length)
	for _, request := range requests {
		wg.Go(func() {
			var failed error
			for now := time.Now(); now.Before(end) && failed == nil; {
				failed = request()
				after := time.Now()
				took.add(after.Sub(now))
				now = after
			}
			mu.Lock()
			defer mu.Unlock()
			if failed != nil {
				err = failed
			}
		})
	}
	wg.Wait()
	return err
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no other reason than bad arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the most that the process had in memory, in KB.
func peakMemory() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no VmHWM")
}
