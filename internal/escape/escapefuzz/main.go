// Command escapefuzz looks for holes in escape analysis. It writes random programs that pass
// pointers through fields, slices, closures, interfaces, maps, loops, defers and calls,
// compiles each with gc and with Loam, and compares what they print.
//
//	go run ./internal/escape/escapefuzz -loam bin/loam [-seed 1] [-n 20] [-size 12] [-keep DIR]
//
// Between its steps a program overwrites the stack below it with a pattern that is neither
// a small number nor a valid address, and it keeps adding up all that it can reach. An object
// that was left in a dead frame, or in the slot of another turn's object, thus changes the
// sum or faults.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

var (
	loam  = flag.String("loam", "bin/loam", "the Loam command")
	first = flag.Uint64("seed", 1, "seed of the first program")
	n     = flag.Int("n", 20, "number of programs")
	size  = flag.Int("size", 12, "functions in each program")
	keep  = flag.String("keep", "", "directory for programs with differences (default: a temporary one, kept)")
	print = flag.Bool("print", false, "only print the first program")
)

func main() {
	flag.Parse()
	if *print {
		os.Stdout.Write(program(*first, *size))
		return
	}
	bad, err := fuzz()
	if err != nil {
		fmt.Fprintln(os.Stderr, "escapefuzz:", err)
		os.Exit(2)
	}
	fmt.Printf("%d programs, %d with differences\n", *n, bad)
	if bad > 0 {
		os.Exit(1)
	}
}

func fuzz() (bad int, err error) {
	dir, err := os.MkdirTemp("", "escapefuzz")
	if err != nil {
		return 0, err
	}
	if *keep == "" {
		*keep = dir
	} else {
		defer os.RemoveAll(dir)
	}
	for i := range *n {
		seed := *first + uint64(i)
		name := filepath.Join(dir, fmt.Sprintf("p%d.go", seed))
		text := program(seed, *size)
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return bad, err
		}
		want, err := run(dir, "go", name)
		if err != nil {
			return bad, fmt.Errorf("seed %d with gc: %v\n%s", seed, err, want)
		}
		got, err := run(dir, *loam, name)
		if err != nil || !bytes.Equal(want, got) {
			bad++
			saved := filepath.Join(*keep, fmt.Sprintf("p%d.go", seed))
			os.MkdirAll(*keep, 0o777)
			os.WriteFile(saved, text, 0o666)
			fmt.Printf("seed %d differs: %s\n  gc:   %s\n  Loam: %s (%v)\n", seed, saved, tail(want), tail(got), err)
		} else {
			os.Remove(name)
		}
	}
	return bad, nil
}

// run compiles and runs a program and returns what it writes.
func run(dir, compiler, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	exe := filepath.Join(dir, "exe")
	if out, err := exec.CommandContext(ctx, compiler, "build", "-o", exe, name).CombinedOutput(); err != nil {
		return out, errors.Join(errors.New("build failed"), err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), "GOGC=5") // collect often: frames hold the only pointers to much
	return cmd.CombinedOutput()
}

func tail(b []byte) string {
	b = bytes.TrimSpace(b)
	if len(b) > 300 {
		b = b[:300]
	}
	return string(bytes.ReplaceAll(b, []byte("\n"), []byte(" | ")))
}
