// Functions with one defer statement, whose frame has the call in the place of a list: where it
// runs, does not run, is nil, panics, recovers, or is the last of several frames.
package main

import (
	"errors"
	"fmt"
	"runtime"
)

type counter struct{ n, calls int }

func (c *counter) add(n int) int {
	defer func() { c.calls++ }()
	c.n += n
	return c.n
}

// maybe's statement may not have run where it returns, and where it panics.
func maybe(c *counter, n int, late bool) (err error) {
	if late && n == 0 {
		panic("before the statement")
	}
	if n > 2 {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("recovered %v", r)
			}
		}()
	}
	if c.add(n) > 10 {
		panic(c.n)
	}
	return nil
}

func named(c *counter) { c.calls += 100 }

func plain(c *counter) (n int) {
	defer named(c)
	return c.add(1)
}

// value defers a func value, which may be nil.
func value(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	deferred(f)
	return nil
}

func deferred(f func()) {
	defer f()
	fmt.Print("")
}

// again panics in the deferred call.
func again() {
	defer func() { panic("second") }()
	panic("first")
}

func goexit(done chan string) {
	defer func() { done <- "goexit ran the call" }()
	runtime.Goexit()
}

func main() {
	c := new(counter)
	for n := range 6 {
		fmt.Println(maybe(c, n, false), *c)
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		maybe(c, 0, true)
	}()
	fmt.Println(plain(c), *c)
	fmt.Println(value(nil), value(func() { c.n = 0 }), *c)
	fmt.Println(value(func() { panic(errors.New("of the value")) }))
	func() {
		defer func() { fmt.Println(recover()) }()
		again()
	}()
	done := make(chan string)
	go goexit(done)
	fmt.Println(<-done)
}
