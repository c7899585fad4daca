// Blocking, mutex: what is registered is called with the lock held, and calls the registry.
package main

import (
	"fmt"
	"sync"
	"time"
)

type registry struct {
	sync.Mutex
	m map[string]func()
}

var reg = registry{m: map[string]func(){}}

func (r *registry) add(name string, f func()) {
	r.Lock()
	defer r.Unlock()
	r.m[name] = f
}

func (r *registry) run(name string) {
	r.Lock()
	f := r.m[name]
	if f != nil {
		f()
	}
	r.Unlock()
}

func main() {
	reg.add("hello", func() { fmt.Println("hello") })
	go reg.run("hello")
	go func() {
		reg.add("again", func() { reg.run("hello") })
		reg.run("again")
	}()
	time.Sleep(time.Second)
}
