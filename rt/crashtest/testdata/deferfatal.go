package main

import (
	"errors"
	"fmt"
	"sync"
)

// A fatal error in a deferred call: what it interrupted comes first, with the values as they are.

func main() {
	defer func() {
		var mu sync.Mutex
		defer mu.Unlock()
		panic(errors.New("second"))
	}()
	panic(fmt.Sprint("fir", "st"))
}
