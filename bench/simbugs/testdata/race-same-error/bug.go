// Data race, closure: several assign to one err, all the same.
package main

import "sync"

func save(int) error { return nil }

func main() {
	var err error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { err = save(i) })
	}
	wg.Wait()
	if err != nil {
		panic(err)
	}
}
