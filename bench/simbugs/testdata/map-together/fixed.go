// Misuse, maps: a lock is around them.
package main

import "sync"

func main() {
	var mu sync.Mutex
	sizes := map[string]int{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		sizes[name] = len(name)
	}
	var wg sync.WaitGroup
	for _, name := range []string{"first", "second"} {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			sizes[name] = len(name)
		})
	}
	wg.Wait()
}
