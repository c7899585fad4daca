package main

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
)

// What synctest says to those who misuse it, and that what it panics with is a string, and no run-time error.
// GODEBUG=asynctimerchan=1 refuses bubbles.
func main() {
	test := func(t *testing.T) { synctest.Test(t, func(*testing.T) {}) }
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{
		{"Outside", func(t *testing.T) { try(synctest.Wait) }},
		{"Within", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				try(func() { test(t) })
				go try(synctest.Wait)
				try(synctest.Wait)
			})
		}},
		{"AsyncTimers", func(t *testing.T) {
			for _, value := range []string{"0", "1", "2", "1,asynctimerchan=0"} {
				os.Setenv("GODEBUG", "asynctimerchan="+value)
				fmt.Print(value, ": ")
				try(func() { test(t) })
			}
		}},
	}, nil, nil)
}

func try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Printf("%T %v\n", v, v)
		} else {
			fmt.Println("no panic")
		}
	}()
	f()
}
