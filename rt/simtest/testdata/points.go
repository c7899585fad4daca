// Each operation after which a goroutine can be interrupted, a line an operation: whether others
// have gone on between it and what follows, which is no operation itself, in each of some tries.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	c, other := make(chan int, 1000), make(chan int, 1)
	var mu sync.Mutex
	var rw sync.RWMutex
	var number atomic.Int64
	var group sync.WaitGroup
	cond := sync.NewCond(&mu)
	var values sync.Map
	timer := time.NewTimer(time.Hour)
	for _, op := range []struct {
		name              string
		before, op, after func()
	}{
		{"send", nothing, func() { c <- 1 }, nothing},
		{"receive", nothing, func() { <-c }, nothing},
		{"select", nothing, func() {
			select {
			case other <- 1:
			case <-other:
			}
		}, nothing},
		{"lock", nothing, mu.Lock, mu.Unlock},
		{"unlock", mu.Lock, mu.Unlock, nothing},
		{"rlock", nothing, rw.RLock, rw.RUnlock},
		{"runlock", rw.RLock, rw.RUnlock, nothing},
		{"atomic", nothing, func() { number.Add(1) }, nothing},
		{"add", nothing, func() { group.Add(1) }, group.Done},
		{"done", func() { group.Add(1) }, group.Done, nothing},
		{"signal", nothing, cond.Signal, nothing},
		{"map", nothing, func() { values.Store(1, 1) }, nothing},
		{"timer", nothing, func() { timer.Reset(time.Hour) }, nothing},
		{"call", nothing, func() { syscall.Getpid() }, nothing},
		{"go", nothing, func() { go nothing() }, nothing},
		{"yield", nothing, runtime.Gosched, nothing},
	} {
		fmt.Println(op.name, among(op.before, op.op, op.after))
	}
}

func nothing() {}

var turns int // of the other goroutine

// among says behind which of some operations another goroutine has gone on.
func among(before, op, after func()) (where string) {
	stop := false
	var ended sync.WaitGroup
	ended.Go(func() {
		for !stop {
			turns++
			runtime.Gosched()
		}
	})
	for range 24 {
		before()
		had := turns
		op()
		if turns != had {
			where += "x"
		} else {
			where += "."
		}
		after()
	}
	stop = true
	ended.Wait()
	return where
}
