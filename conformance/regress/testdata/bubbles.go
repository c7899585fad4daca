package main

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Synctest bubbles in which nobody can go on: which of them are found, and the goroutines that the report names.

var cases = map[string]func(t *testing.T){
	"channel":   func(t *testing.T) { <-make(chan int) },
	"select":    func(t *testing.T) { go func() { select {} }() },
	"sleeper":   func(t *testing.T) { go func() { time.Sleep(time.Hour) }() },
	"waitgroup": func(t *testing.T) { var wg sync.WaitGroup; wg.Add(1); wg.Wait() },
	"cond":      func(t *testing.T) { var mu sync.Mutex; mu.Lock(); sync.NewCond(&mu).Wait() },
	"panic":     func(t *testing.T) { go func() { panic("in a bubble") }(); time.Sleep(1) },
	"pull": func(t *testing.T) {
		next, stop := iter.Pull(func(yield func(int) bool) {
			time.Sleep(time.Second)
			yield(1)
			time.Sleep(time.Second)
			yield(2)
		})
		next()
		next()
		stop()
	},
	"pull without stop": func(t *testing.T) {
		next, _ := iter.Pull(func(yield func(int) bool) { yield(1) })
		next()
	},
}

func main() {
	if len(os.Args) > 1 {
		name := os.Args[1]
		os.Args = os.Args[:1]
		testing.Main(func(string, string) (bool, error) { return true, nil },
			[]testing.InternalTest{{"Test", func(t *testing.T) { synctest.Test(t, cases[name]) }}}, nil, nil)
		return
	}
	line := regexp.MustCompile(`(?m)^panic:.*|^goroutine .*|^(PASS|FAIL)$`)
	number := regexp.MustCompile(`^goroutine \d+`)
	for _, name := range []string{"channel", "select", "sleeper", "waitgroup", "cond", "panic", "pull", "pull without stop"} {
		out, err := exec.Command(os.Args[0], name).CombinedOutput()
		fmt.Println(name, err)
		for _, l := range line.FindAll(out, -1) {
			fmt.Printf("\t%s\n", number.ReplaceAll(bytes.TrimSpace(l), []byte("goroutine")))
		}
	}
}
