// Misuse, maps: two goroutines put entries into one map, each a single one.
package main

import "sync"

func main() {
	sizes := map[string]int{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		sizes[name] = len(name)
	}
	var wg sync.WaitGroup
	for _, name := range []string{"first", "second"} {
		wg.Go(func() { sizes[name] = len(name) })
	}
	wg.Wait()
}
