// Order, closure: two closures assign to the same err, and the one that went well overwrites the
// other's.
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
	var err error
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { err = save(i == 0) })
	}
	wg.Wait()
	if err == nil {
		panic("the error is lost")
	}
}
