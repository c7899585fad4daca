// Statements that are no calls, in functions and literals, before and behind other faults.
package main

import "os"

var f = func() {
	go f1
	var x int = "x"
}

func f1() {
	var u int
	defer f1
	var x int = "x"
	g := func() {
		defer x
		var y int = "y"
		go f1
	}
	go g
}

func main() {
	var a string = 1
	go a
	go <-make(chan int)
	defer (f1)
	defer (f1())
}
