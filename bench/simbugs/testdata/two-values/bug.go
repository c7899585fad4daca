// Misuse, atomic: two types of errors are stored in one atomic.Value.
package main

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

type lastErr struct{ v atomic.Value }

func (l *lastErr) set(err error) {
	l.v.Store(err)
}

func work(i int) error {
	if i == 1 {
		_, err := os.Open("/does/not/exist")
		return err
	}
	return errors.New("no work")
}

func main() {
	var l lastErr
	var wg sync.WaitGroup
	stop := make(chan struct{})
	var once sync.Once
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			select {
			case <-stop:
				return
			default:
			}
			if err := work(i); err != nil {
				l.set(err)
				once.Do(func() { close(stop) })
			}
		}(i)
	}
	wg.Wait()
}
