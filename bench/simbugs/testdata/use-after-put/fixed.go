// Order, Pool: it is given back behind the last use.
package main

import (
	"sync"
)

type buffer struct{ b []byte }

var pool = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 16)} }}

func encode(s string) string {
	buf := pool.Get().(*buffer)
	buf.b = append(buf.b[:0], s...)
	defer pool.Put(buf)
	return string(buf.b)
}

func main() {
	var wg sync.WaitGroup
	for _, s := range []string{"one", "two", "six"} {
		wg.Go(func() {
			if encode(s) != s {
				panic("somebody else's bytes")
			}
		})
	}
	wg.Wait()
}
