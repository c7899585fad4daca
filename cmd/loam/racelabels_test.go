package main_test

import (
	"path/filepath"
	"testing"
)

// labelsModule reads profiles while goroutines wait with labels that they have made, and while one
// computes with them.
const labelsModule = `
-- go.mod --
module labels

go 1.26
-- main.go --
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/pprof"
	"sync/atomic"
)

var sink int

func main() {
	var profile bytes.Buffer
	fmt.Println(pprof.StartCPUProfile(&profile))
	stop := make(chan bool)
	var ready atomic.Bool
	for i := range 3 {
		go func() {
			labels := pprof.Labels("number", fmt.Sprint(i))
			pprof.Do(context.Background(), labels, func(context.Context) { <-stop })
		}()
	}
	go pprof.Do(context.Background(), pprof.Labels("number", "computes"), func(context.Context) {
		for i := range 20_000_000 {
			sink += i
		}
		ready.Store(true)
	})
	for !ready.Load() {
		pprof.Lookup("goroutine").WriteTo(io.Discard, 0)
		pprof.Lookup("goroutine").WriteTo(io.Discard, 1)
	}
	pprof.StopCPUProfile()
	fmt.Println(profile.Len() > 0)
	close(stop)
}
`

// TestRaceLabels: who reads a profile may read the labels that are in it.
func TestRaceLabels(t *testing.T) {
	dir := module(t, labelsModule)
	if r := run(t, dir, nil, "build", "-race", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, procs := range []string{"1", "2"} {
		want(t, runProgram(t, filepath.Join(dir, "labels"), []string{"GOMAXPROCS=" + procs}), 0, "<nil>\ntrue\n", "")
	}
}
