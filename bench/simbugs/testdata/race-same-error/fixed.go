// Data race, closure: each has an err.
package main

import (
	"errors"
	"sync"
)

func save(int) error { return nil }

func main() {
	var errs [3]error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { errs[i] = save(i) })
	}
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		panic(err)
	}
}
