// Weak pointers to what lies outside the heap: equal for the same address, wherever they are taken and whatever collections come in between.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"weak"
)

var table [3000]int

func main() {
	const goroutines = 4
	var kept [goroutines][]weak.Pointer[int]
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for round := range 3 {
				for i := range table {
					w := weak.Make(&table[i])
					if w != weak.Make(&table[i]) || w.Value() != &table[i] {
						fmt.Println("another weak pointer to element", i)
					}
					if round == 0 && i%10 == 0 {
						kept[g] = append(kept[g], w)
					}
					if i%1000 == 100*g {
						runtime.GC()
					}
				}
			}
		})
	}
	all.Wait()
	same := 0
	for i := range table {
		if i%10 == 0 {
			for g := range goroutines {
				if kept[g][i/10] == weak.Make(&table[i]) {
					same++
				}
			}
		}
	}
	fmt.Println(same)
}
