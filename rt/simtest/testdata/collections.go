package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sort"
	"sync"
	"time"
)

type node struct {
	l, r *node
	v    [4]int
}

func tree(n int) *node {
	if n == 0 {
		return nil
	}
	return &node{tree(n - 1), tree(n - 1), [4]int{n}}
}
func main() {
	var mu sync.Mutex
	res := map[string]int{}
	var wg sync.WaitGroup
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	fin := 0
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Duration(rand.IntN(5000)) * time.Microsecond):
				}
				t := tree(8)
				runtime.SetFinalizer(t, func(*node) { fin++ })
				mu.Lock()
				res[fmt.Sprintf("%d %p", i, t)]++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	keys := []string{}
	for k := range res {
		keys = append(keys, k)
	}
	keys = append(keys, "") // the machine may have stood still all the time
	k0 := keys[0]
	sort.Strings(keys)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(len(keys), k0, keys[0], fin, ms.NumGC, ms.HeapAlloc, os.Getpid())
}
