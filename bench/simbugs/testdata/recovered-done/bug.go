// Blocking, WaitGroup: a worker that panics and recovers leaves out Done.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
)

type result struct {
	id  int
	err error
}

type batch struct {
	sync.WaitGroup
	mu      sync.Mutex
	results []result
}

func (b *batch) process(id int) {
	defer func() {
		if r := recover(); r != nil {
			log.SetOutput(os.Stdout)
		}
	}()
	var err error
	if id == 2 {
		err = errors.New("bad")
		panic(err)
	}
	b.mu.Lock()
	b.results = append(b.results, result{id, err})
	b.mu.Unlock()
	b.Done()
}

func main() {
	var b batch
	for i := 1; i <= 3; i++ {
		b.Add(1)
		go b.process(i)
	}
	b.Wait()
	fmt.Println(len(b.results))
}
