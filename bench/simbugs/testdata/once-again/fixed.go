// Blocking, Once: the function that is called by Once is given what is there.
package main

import (
	"sync"
	"sync/atomic"
)

var (
	once sync.Once
	conf atomic.Pointer[string]
	name string
)

func get() string {
	once.Do(func() {
		if p := conf.Load(); p == nil {
			name = "default"
			return
		}
		name = *conf.Load()
	})
	return name
}

func main() {
	set := "set"
	var wg sync.WaitGroup
	wg.Go(func() { conf.Store(&set) })
	wg.Go(func() { get() })
	wg.Wait()
}
