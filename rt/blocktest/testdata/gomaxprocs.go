package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func main() {
	for r := 0; r < 20; r++ {
		runtime.GOMAXPROCS(8)
		var wg sync.WaitGroup
		for i := 0; i < 1000; i++ {
			wg.Add(1)
			go func() { time.Sleep(20 * time.Millisecond); wg.Done() }()
		}
		time.Sleep(5 * time.Millisecond)
		runtime.GOMAXPROCS(1)
		wg.Wait()
	}
	fmt.Println("ok")
}
