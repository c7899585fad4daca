// Order, closure: each has its own.
package main

import (
	"errors"
	"sync"
)

func save(fail bool) error {
	if fail {
		return errors.New("disk full")
	}
	return nil
}

func main() {
	var errs [2]error
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { errs[i] = save(i == 0) })
	}
	wg.Wait()
	if errors.Join(errs[:]...) == nil {
		panic("the error is lost")
	}
}
